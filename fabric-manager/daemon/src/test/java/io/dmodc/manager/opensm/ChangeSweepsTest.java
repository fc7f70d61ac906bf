package io.dmodc.manager.opensm;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.loop.FabricLoop;
import io.dmodc.manager.opensm.OpenSmLog.Kind;
import io.dmodc.manager.opensm.OpenSmLog.News;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The clock stands still, and OpenSM is a script that counts. */
class ChangeSweepsTest {
    private static final News CHANGED = new News(Kind.CHANGED, "", 1);
    private static final News SENT = new News(Kind.CONFIGURED, "file", 0);

    @TempDir
    private Path directory = Path.of("");

    private long nowNanos = TimeUnit.HOURS.toNanos(1);
    private final FabricLoop loop = FakeSubnet.restingLoop(() -> nowNanos);
    private final Troubles troubles = new Troubles(loop);
    private FakeSubnet subnet;
    private ChangeSweeps sweeps;

    @BeforeEach
    void set() throws IOException {
        subnet = new FakeSubnet(directory);
        subnet.script("hup", "echo >>" + directory + "/hups");
        sweeps = new ChangeSweeps(subnet.settings(), loop::nowNanos, troubles, new OpenSmMeters(loop::nowNanos));
    }

    private int signals() {
        Path hups = directory.resolve("hups");
        try {
            return Files.exists(hups) ? Files.readAllLines(hups).size() : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** With a load timeout of a minute. */
    private void patient() throws IOException {
        sweeps = new ChangeSweeps(
                subnet.lookingAtSwitches(Duration.ofMinutes(1)),
                loop::nowNanos,
                troubles,
                new OpenSmMeters(loop::nowNanos));
    }

    private void pass(long millis) throws InterruptedException {
        nowNanos += TimeUnit.MILLISECONDS.toNanos(millis);
        sweeps.step();
    }

    /** A moment apart: OpenSM by itself would look at the whole fabric twice. */
    @Test
    void shouldTellOnceOfBothEndsOfACable() throws Exception {
        sweeps.take(CHANGED);
        pass(ChangeSweeps.SETTLE_MILLIS - 1);
        sweeps.take(CHANGED);
        assertThat(signals()).isZero();

        pass(1);
        assertThat(signals()).isOne();
        pass(60_000);
        assertThat(signals()).isOne();
    }

    /** It may have looked there already. */
    @Test
    void shouldTellAgainOfWhatHappensInASweep() throws Exception {
        sweeps.take(CHANGED);
        pass(ChangeSweeps.SETTLE_MILLIS);
        sweeps.take(new News(Kind.LOCAL, "", 0));
        pass(ChangeSweeps.SETTLE_MILLIS);

        assertThat(signals()).isEqualTo(2);
    }

    /** Each signal begins a sweep anew. */
    @Test
    void shouldNotKeepTablesFromBeingSentByALinkThatDoesNotComeToRest() throws Exception {
        for (int i = 0; i < 20; i++) {
            sweeps.take(CHANGED);
            pass(ChangeSweeps.SETTLE_MILLIS);
        }
        assertThat(signals()).isEqualTo(ChangeSweeps.SIGNALS_MAX);

        sweeps.take(SENT);
        pass(0);
        assertThat(signals()).isEqualTo(1 + ChangeSweeps.SIGNALS_MAX);
    }

    /** OpenSM by itself takes ten of the same notice, and no more while they go on; each is in its log. */
    @Test
    void shouldNotTellForEverOfAPortThatDoesNotComeToRest() throws Exception {
        for (int i = 0; i < 60; i++) {
            sweeps.take(CHANGED);
            pass(ChangeSweeps.SETTLE_MILLIS);
            sweeps.take(SENT);
            pass(490);
        }
        assertThat(signals()).isEqualTo(ChangeSweeps.NOISE_MAX);

        sweeps.take(new News(Kind.CHANGED, "", 2));
        pass(ChangeSweeps.SETTLE_MILLIS);
        assertThat(signals()).isEqualTo(ChangeSweeps.NOISE_MAX + 1);

        pass(TimeUnit.SECONDS.toMillis(ChangeSweeps.NOISE_SECONDS));
        sweeps.take(CHANGED);
        pass(ChangeSweeps.SETTLE_MILLIS);
        assertThat(signals()).isEqualTo(ChangeSweeps.NOISE_MAX + 2);
    }

    /** Its log is not kept up to date, or it ended. */
    @Test
    void shouldTellAgainWhenTheLogSaysNothingMore() throws Exception {
        for (int i = 0; i <= ChangeSweeps.SIGNALS_MAX; i++) {
            sweeps.take(CHANGED);
            pass(ChangeSweeps.SETTLE_MILLIS);
        }
        long half = subnet.settings().loadTimeout().toMillis() / 2;
        pass(half - ChangeSweeps.SETTLE_MILLIS - 1);
        assertThat(signals()).isEqualTo(ChangeSweeps.SIGNALS_MAX);

        pass(1);
        assertThat(signals()).isEqualTo(1 + ChangeSweeps.SIGNALS_MAX);
    }

    /** Nothing is to be loaded: the notice was of a host whose port went down and up, or of nothing. */
    @Test
    void shouldBeToldByAManagerThatFollowsTheLog() throws Exception {
        subnet.goodHup();
        Path log = directory.resolve("opensm.log");
        try (FakeSubnet served = subnet) {
            served.start(FakeSubnet.sweepingOnChange(subnet.settings()));
            served.awaitServed();
            served.script("hup", "echo >>" + directory + "/hups");

            Files.writeString(
                    log, "-> log_trap_info: Received Generic Notice type:4 num:144 (Local Changes) from LID:1\n");

            served.await("a SIGHUP", () -> Files.exists(directory.resolve("hups")));
        }
    }

    /** As while OpenSM starts anew: its pid file is not there just then. */
    @Test
    void shouldTellAgainWhatOpenSmCouldNotBeTold() throws Exception {
        subnet.script("hup", "echo >>" + directory + "/hups; echo no opensm >&2; exit 1");
        sweeps.take(CHANGED);
        pass(ChangeSweeps.SETTLE_MILLIS);
        assertThat(signals()).isOne();
        assertThat(troubles.has(Troubles.Kind.SWEEP_SIGNAL)).isTrue();

        subnet.script("hup", "echo >>" + directory + "/hups");
        pass(TimeUnit.SECONDS.toMillis(ChangeSweeps.AGAIN_MIN_SECONDS) - 1);
        assertThat(signals()).isOne();
        pass(1);
        assertThat(signals()).isEqualTo(2);
        assertThat(troubles.has(Troubles.Kind.SWEEP_SIGNAL)).isFalse();
        pass(60_000);
        assertThat(signals()).isEqualTo(2);
    }

    /** However many ports speak: 1, 2, 4, 8 and then every 10 s. */
    @Test
    void shouldNotTellWithoutEndWhoCannotBeTold() throws Exception {
        subnet.script("hup", "echo >>" + directory + "/hups; exit 1");
        for (int i = 0; i < 6_000; i++) {
            sweeps.take(new News(Kind.CHANGED, "", i));
            pass(10);
        }
        assertThat(signals()).isEqualTo(9);

        subnet.script("hup", "echo >>" + directory + "/hups");
        pass(TimeUnit.SECONDS.toMillis(ChangeSweeps.AGAIN_MAX_SECONDS));
        assertThat(signals()).isEqualTo(10);

        sweeps.take(CHANGED);
        pass(ChangeSweeps.SETTLE_MILLIS);
        assertThat(signals()).isEqualTo(11);
    }

    /** It got the signal, whatever its command says, or swept by itself: each repeat would cost a look at the whole fabric, and the alarm come and go. */
    @Test
    void shouldNotRepeatWhatTablesWereSentFor() throws Exception {
        subnet.script("hup", "echo >>" + directory + "/hups; exit 1");
        sweeps.take(CHANGED);
        pass(ChangeSweeps.SETTLE_MILLIS);
        pass(TimeUnit.SECONDS.toMillis(ChangeSweeps.SEEN_SECONDS));
        assertThat(signals()).isEqualTo(2);
        assertThat(troubles.has(Troubles.Kind.SWEEP_SIGNAL)).isTrue();

        sweeps.take(SENT);

        assertThat(troubles.has(Troubles.Kind.SWEEP_SIGNAL)).isFalse();
        pass(60_000);
        assertThat(signals()).isEqualTo(2);
        sweeps.take(CHANGED);
        pass(ChangeSweeps.SETTLE_MILLIS);
        pass(TimeUnit.SECONDS.toMillis(ChangeSweeps.AGAIN_MIN_SECONDS));
        assertThat(signals()).isEqualTo(4);
    }

    /** Heard of while OpenSM was sweeping, which may have looked there already; the line itself was written at any time since the log was last read. */
    @Test
    void shouldRepeatWhatASweepMayHaveMissed() throws Exception {
        subnet.script("hup", "echo >>" + directory + "/hups; exit 1");
        sweeps.take(CHANGED);
        pass(ChangeSweeps.SETTLE_MILLIS);
        long seen = TimeUnit.SECONDS.toNanos(ChangeSweeps.SEEN_SECONDS);
        nowNanos += seen;
        sweeps.take(SENT);
        pass(0);
        assertThat(signals()).isEqualTo(2);

        sweeps.take(new News(Kind.CHANGED, "", 2));
        nowNanos += seen - 1;
        sweeps.step();
        sweeps.take(SENT);
        assertThat(troubles.has(Troubles.Kind.SWEEP_SIGNAL)).isTrue();
        subnet.script("hup", "echo >>" + directory + "/hups");
        pass(TimeUnit.SECONDS.toMillis(ChangeSweeps.AGAIN_MAX_SECONDS));
        assertThat(signals()).isEqualTo(3);
        assertThat(troubles.has(Troubles.Kind.SWEEP_SIGNAL)).isFalse();
    }

    /** That of a large fabric takes so long. */
    @Test
    void shouldRepeatWhatASlowSweepMayHaveMissed() throws Exception {
        patient();
        sweeps.take(CHANGED);
        pass(ChangeSweeps.SETTLE_MILLIS);
        pass(9_000);
        sweeps.take(SENT);
        pass(60_000);
        subnet.script("hup", "echo >>" + directory + "/hups; exit 1");
        sweeps.take(CHANGED);
        pass(ChangeSweeps.SETTLE_MILLIS);
        assertThat(signals()).isEqualTo(2);

        pass(17_000);
        sweeps.take(SENT);
        assertThat(troubles.has(Troubles.Kind.SWEEP_SIGNAL)).isTrue();
        pass(2_000);
        sweeps.take(SENT);
        assertThat(troubles.has(Troubles.Kind.SWEEP_SIGNAL)).isFalse();
    }

    /** It got three, and the next one nobody got: that is no reason to wait for the tables of the three once more. */
    @Test
    void shouldCountTheWaitForTablesFromTheLastSignalThatOpenSmGot() throws Exception {
        patient();
        for (int i = 0; i <= ChangeSweeps.SIGNALS_MAX; i++) {
            sweeps.take(CHANGED);
            pass(ChangeSweeps.SETTLE_MILLIS);
        }
        assertThat(signals()).isEqualTo(ChangeSweeps.SIGNALS_MAX);
        subnet.script("hup", "echo >>" + directory + "/hups; exit 1");
        pass(30_000);
        assertThat(signals()).isEqualTo(1 + ChangeSweeps.SIGNALS_MAX);

        pass(TimeUnit.SECONDS.toMillis(ChangeSweeps.AGAIN_MIN_SECONDS));
        assertThat(signals()).isEqualTo(2 + ChangeSweeps.SIGNALS_MAX);
    }

    /** What is sent for a dump is told and ended by itself, but in one line. */
    @Test
    void shouldTellOnceThatNobodyGetsTheSignalUntilNobodySaysSo() throws Exception {
        subnet.script("hup", "echo no opensm >&2; exit 1");
        HupSignal ofDump = new HupSignal(subnet.settings(), troubles, Troubles.Kind.SIGNAL);
        ofDump.send();
        int told = loop.queued();
        sweeps.take(CHANGED);
        pass(ChangeSweeps.SETTLE_MILLIS);
        ofDump.over();
        assertThat(loop.queued()).isEqualTo(told);

        subnet.script("hup", "exit 0");
        pass(TimeUnit.SECONDS.toMillis(ChangeSweeps.AGAIN_MIN_SECONDS));
        assertThat(loop.queued()).isEqualTo(told + 1);
    }

    /** Switches do not answer, and the command that asks them is ended after a second: often enough, as a machine that is busy may start the other one later. */
    @Test
    void shouldTellOpenSmWhileALookAtSwitchesHangs() throws Exception {
        Path asked = directory.resolve("asked");
        Path together = directory.resolve("together");
        try (FakeSubnet served = subnet) {
            served.put("# Initiated from node 02c0000000000000 port 02c0000000000001\n"
                    + new DrawnSubnet(FakeSubnet.PGFT).text());
            served.goodHup();
            served.start(FakeSubnet.sweepingOnChange(served.lookingAtSwitches()));
            served.awaitServed();
            served.await("the look that is tried at the start", () -> Files.exists(directory.resolve("looked")));
            served.script("look", "echo $$ >" + asked + "; exec sleep 600");
            served.script(
                    "hup",
                    "for i in 1 2 3 4 5; do [ -s " + asked + " ] && break; sleep 0.1; done\n"
                            + "kill -0 $(cat " + asked + ") && echo >" + together + "\n"
                            + "rm -f " + asked + "; echo >>" + directory + "/hups");

            for (int lid = 1; lid <= 6 && !Files.exists(together); lid++) {
                int before = signals();
                Files.writeString(
                        directory.resolve("opensm.log"),
                        "-> osm_ucast_mgr_process: file tables configured on all switches\n"
                                + "-> log_trap_info: Received Generic Notice type:1 num:128 (Link state change) Producer:2 (Switch)"
                                + " from LID:" + lid + " TID:0x1\n",
                        StandardOpenOption.APPEND);
                served.await("a SIGHUP", () -> signals() > before);
            }

            assertThat(together).exists();
        }
    }
}
