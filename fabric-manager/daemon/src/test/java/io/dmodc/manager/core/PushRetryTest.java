package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.FabricEvent.HeldTable;
import io.dmodc.manager.core.FabricEvent.RefusalReason;
import io.dmodc.manager.core.FabricEvent.SettingsRead;
import io.dmodc.manager.core.FabricEvent.TableAcked;
import io.dmodc.manager.core.FabricEvent.TableLost;
import io.dmodc.manager.core.FabricEvent.TableProgressed;
import io.dmodc.manager.core.FabricEvent.TableRefused;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How a table is sent again, with an ack timeout of one second and five tries as shipped. */
class PushRetryTest {
    private static final int TRIES = 5;

    private final SimulatedFabric fabric = new SimulatedFabric("3;2,2,3;1,2,2;1,2,1");
    private final Cable cable = Degradation.cables(fabric.whole()).get(0);
    private final long leaf = fabric.guid("leaf0");
    private int before;

    @BeforeEach
    void start() {
        fabric.start();
        follow(1000 * MILLI, TRIES);
        before = fabric.log.size();
        fabric.deaf.add(leaf);
        fabric.setCable(cable, false, true);
        fabric.work();
    }

    private void follow(long ackTimeoutNanos, int tries) {
        FabricRules changed = SimulatedFabric.read(fabric.state.rules, ackTimeoutNanos, tries, RebalanceRule.STANDARD);
        fabric.send(new SettingsRead(fabric.now, changed, "push"));
        fabric.work();
    }

    private List<Effect.Push> pushes() {
        return fabric.log.subList(before, fabric.log.size()).stream()
                .filter(effect ->
                        effect instanceof Effect.Push push && push.update().guid() == leaf)
                .map(Effect.Push.class::cast)
                .toList();
    }

    private SwitchRecord record() {
        return Objects.requireNonNull(fabric.state.switches.get(leaf));
    }

    private void takes(Effect.Push push) {
        fabric.held.put(leaf, push.update().row().toBytes());
        fabric.send(new TableAcked(
                fabric.now,
                fabric.session(leaf),
                leaf,
                push.update().fabricEpoch(),
                push.update().resultDigest()));
        fabric.work();
    }

    private void refuses(Effect.Push push) {
        fabric.send(new TableRefused(
                fabric.now,
                fabric.session(leaf),
                leaf,
                push.update().fabricEpoch(),
                RefusalReason.OTHER,
                "busy",
                new HeldTable(1, 1, 0, 0)));
        fabric.work();
    }

    /** When, in milliseconds after the first, each further push went out. */
    private List<Long> waits(long millis, boolean refusing) {
        List<Long> at = new ArrayList<>();
        int known = pushes().size();
        if (refusing) {
            refuses(pushes().get(known - 1));
        }
        for (long ms = 0; ms <= millis; ms += 100) {
            if (pushes().size() > known) {
                known = pushes().size();
                at.add(ms);
                if (refusing) {
                    refuses(pushes().get(known - 1));
                }
            }
            fabric.pass(100 * MILLI);
        }
        return at;
    }

    @Test
    void shouldWaitTwiceAsLongAfterEachTry() {
        assertThat(waits(30_000, false)).containsExactly(1_000L, 3_000L, 7_000L, 15_000L);
        assertThat(fabric.notes(Kind.AGENT_FLAGGED)).isEmpty();

        fabric.pass(2_000 * MILLI);

        assertThat(fabric.notes(Kind.AGENT_FLAGGED)).hasSize(1);
        assertThat(pushes()).hasSize(TRIES);
    }

    @Test
    void shouldWaitAsLongAfterARefusalAsAfterSilence() {
        assertThat(waits(30_000, true)).containsExactly(1_000L, 3_000L, 7_000L, 15_000L);

        assertThat(fabric.notes(Kind.AGENT_REFUSED)).hasSize(TRIES);
        assertThat(fabric.notes(Kind.AGENT_FLAGGED)).hasSize(1);
    }

    private void writes(long epoch, int done) {
        fabric.send(new TableProgressed(fabric.now, fabric.session(leaf), leaf, epoch, done, 1_000_000));
        fabric.work();
    }

    @Test
    void shouldNotFlagASwitchThatWritesOn() {
        long epoch = pushes().get(0).update().fabricEpoch();
        for (int second = 1; second <= 120; second++) {
            writes(epoch, second);
            fabric.pass(1_000 * MILLI);
        }

        assertThat(pushes()).as("sent once").hasSize(1);
        assertThat(fabric.notes(Kind.AGENT_FLAGGED)).isEmpty();
        takes(pushes().get(0));
        assertThat(record().upToDate()).isTrue();
    }

    @Test
    void shouldNotFlagASwitchThatWritesATableOfAnEarlierSessionFirst() {
        for (int second = 1; second <= 120; second++) {
            writes(1, second);
            fabric.pass(1_000 * MILLI);
        }

        assertThat(fabric.notes(Kind.AGENT_FLAGGED)).isEmpty();
    }

    @Test
    void shouldNotFlagASwitchThatWritesOnNowAndThen() {
        long epoch = pushes().get(0).update().fabricEpoch();
        for (int times = 1; times <= 20; times++) {
            writes(epoch, times);
            fabric.pass(20_000 * MILLI);
        }

        assertThat(fabric.notes(Kind.AGENT_FLAGGED)).isEmpty();
    }

    @Test
    void shouldFlagASwitchThatSaysTheSameProgressAgain() {
        for (int second = 1; second <= 40; second++) {
            writes(pushes().get(0).update().fabricEpoch(), 7);
            fabric.pass(1_000 * MILLI);
        }

        assertThat(fabric.notes(Kind.AGENT_FLAGGED)).hasSize(1);
    }

    @Test
    void shouldFlagASwitchThatWritesSomeOfEachTableAndThenRefusesIt() {
        for (int second = 0; second < 60; second++) {
            if (!record().pushInFlight()
                    || !Objects.requireNonNull(record().inFlight).refused()) {
                writes(pushes().get(pushes().size() - 1).update().fabricEpoch(), 7);
                refuses(pushes().get(pushes().size() - 1));
            }
            fabric.pass(1_000 * MILLI);
        }

        assertThat(fabric.notes(Kind.AGENT_FLAGGED)).isNotEmpty();
        assertThat(pushes()).hasSize(TRIES);
    }

    @Test
    void shouldFlagASwitchThatWritesForEver() {
        long epoch = pushes().get(0).update().fabricEpoch();
        for (int second = 1; second <= 700; second++) {
            writes(epoch, second);
            fabric.pass(1_000 * MILLI);
        }

        assertThat(fabric.notes(Kind.AGENT_FLAGGED)).hasSize(1);
    }

    @Test
    void shouldPushTheWholeTableToASwitchThatLostIt() {
        takes(pushes().get(0));
        int sent = pushes().size();

        loses();

        assertThat(fabric.notes(Kind.TABLE_LOST)).hasSize(1);
        assertThat(pushes()).hasSize(sent + 1);
        Effect.Push again = pushes().get(sent);
        assertThat(again.update().complete()).isTrue();
        takes(again);
        assertThat(record().upToDate()).isTrue();
        assertThat(fabric.state.calm()).isTrue();
    }

    @Test
    void shouldNotBeKeptBusyByASwitchThatLosesEachTable() {
        takes(pushes().get(0));
        List<Long> at = new ArrayList<>();
        for (long ms = 0; ms < 200_000; ms += 100) {
            int sent = pushes().size();
            loses();
            loses();
            fabric.pass(100 * MILLI);
            if (pushes().size() > sent) {
                at.add(ms);
                takes(pushes().get(sent));
            }
        }

        assertThat(at).containsExactly(0L, 1_000L, 3_000L, 7_000L, 15_000L, 31_000L, 63_000L, 123_000L, 183_000L);
        assertThat(fabric.notes(Kind.TABLE_LOST)).as("told once each").hasSize(at.size() + 1);
    }

    @Test
    void shouldPushAtOnceAgainToASwitchThatKeptItsTableForAWhile() {
        takes(pushes().get(0));
        for (int times = 0; times < 3; times++) {
            int sent = pushes().size();
            loses();
            assertThat(pushes()).hasSize(sent + 1);
            takes(pushes().get(sent));
            fabric.pass(121_000 * MILLI);
        }
    }

    private void loses() {
        fabric.held.put(leaf, new byte[0]);
        fabric.send(new TableLost(fabric.now, fabric.session(leaf), leaf, new HeldTable(0, 0, 0, 0)));
        fabric.work();
    }

    @Test
    void shouldNotHearALossOfAnotherSession() {
        takes(pushes().get(0));
        int sent = pushes().size();

        fabric.send(new TableLost(fabric.now, fabric.session(leaf) + 1000, leaf, new HeldTable(0, 0, 0, 0)));
        fabric.work();

        assertThat(pushes()).hasSize(sent);
        assertThat(fabric.notes(Kind.TABLE_LOST)).isEmpty();
    }

    @Test
    void shouldLeaveASwitchItsTwentySecondsToInstall() {
        fabric.pass(20_000 * MILLI);

        takes(pushes().get(0));
        fabric.pass(60_000 * MILLI);

        assertThat(record().upToDate()).isTrue();
        assertThat(fabric.notes(Kind.AGENT_FLAGGED)).isEmpty();
        assertThat(fabric.log.subList(before, fabric.log.size())).noneMatch(Effect.Dismiss.class::isInstance);
        assertThat(pushes()).hasSize(TRIES);
    }

    @Test
    void shouldAnswerARefusalWithADifferenceAgainstWhatTheSwitchHoldsAndTheNewestTable() {
        refuses(pushes().get(0));
        assertThat(pushes()).hasSize(1);
        fabric.setCable(Degradation.cables(fabric.whole()).get(1), false, true);
        fabric.work();
        fabric.deaf.remove(leaf);
        fabric.held.remove(leaf);

        fabric.pass(1_000 * MILLI);

        Effect.Push second = pushes().get(1);
        assertThat(second.update().complete()).isTrue();
        assertThat(second.update().fabricEpoch())
                .isEqualTo(Objects.requireNonNull(fabric.state.tables).epoch())
                .isGreaterThan(pushes().get(0).update().fabricEpoch());
        assertThat(record().upToDate()).isTrue();
        assertThat(fabric.state.outstanding()).isZero();
    }

    @Test
    void shouldCountTheAnswersToRepetitionsOfOnePushOnce() {
        fabric.pass(1_500 * MILLI);
        assertThat(pushes()).hasSize(2);

        refuses(pushes().get(0));
        refuses(pushes().get(0));

        assertThat(fabric.notes(Kind.AGENT_REFUSED)).hasSize(1);
    }

    @Test
    void shouldSendNothingAfterARefusalWhenNothingIsLackingAnyMore() {
        refuses(pushes().get(0));
        record().desiredRow = null;
        fabric.state.touchSwitch(record().guid);

        fabric.pass(60_000 * MILLI);

        assertThat(pushes()).hasSize(1);
        assertThat(record().pushInFlight()).isFalse();
    }

    @Test
    void shouldNeverWaitLongerThanAMinute() {
        follow(40_000 * MILLI, 4);

        assertThat(waits(200_000, false)).containsExactly(1_000L, 61_000L, 121_000L);
        assertThat(fabric.notes(Kind.AGENT_FLAGGED)).hasSize(1);
    }
}
