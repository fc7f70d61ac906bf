package io.dmodc.manager.opensm;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.config.ManagerConfig;
import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.FabricState;
import io.dmodc.manager.core.LoggedEvent;
import io.dmodc.manager.core.SwitchDomains;
import io.dmodc.manager.loop.FabricLoop;
import io.dmodc.manager.opensm.Troubles.Kind;
import io.dmodc.manager.state.StateRecord.LeaderEpoch;
import io.dmodc.manager.state.StoredState;
import io.dmodc.topology.NodeTypes;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is wrong with OpenSM comes to people in the words that hold, and not in each of many within seconds. */
class TroublesTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int PATIENCE_SECONDS = 20;

    private final AtomicLong clock = new AtomicLong(SECOND);
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private final FabricLoop loop = new FabricLoop(
            new FabricState(
                    ManagerConfig.defaults().rules(SwitchDomains.none(), NodeTypes.NONE),
                    0,
                    0,
                    StoredState.of(List.of(new LeaderEpoch(1))),
                    Set.of()),
            this::note,
            clock::get);
    private final Troubles troubles = new Troubles(loop);

    private void note(Effect effect) {
        if (effect instanceof Effect.Tell tell && tell.note().kind() == LoggedEvent.Kind.SUBNET_MANAGER) {
            told.add(tell.note().text());
        }
    }

    @BeforeEach
    void start() {
        loop.start();
    }

    @AfterEach
    void stop() {
        loop.close();
    }

    private void assertTold(String text) throws InterruptedException {
        assertThat(told.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(text);
    }

    private void passSeconds(int seconds) {
        for (int i = 0; i < seconds; i++) {
            clock.addAndGet(SECOND);
            troubles.timePassed();
        }
    }

    @Test
    void shouldTellTheNewestWordsOnceTheirTimeHasCome() throws InterruptedException {
        troubles.set(Kind.READ_BACK, "leaf0 does not hold it");
        assertTold("leaf0 does not hold it");

        passSeconds(1);
        troubles.set(Kind.READ_BACK, "leaf0, leaf1 do not hold it");
        troubles.set(Kind.READ_BACK, "leaf1 does not hold it");
        passSeconds(8);
        assertThat(told).isEmpty();
        passSeconds(1);

        assertTold("leaf1 does not hold it");
        passSeconds(20);
        troubles.clear(Kind.READ_BACK);
        assertTold("OpenSM takes the tables again");
        assertThat(told).isEmpty();
    }

    /** What one switch does not hold may be its own fault. */
    @Test
    void shouldSayWhenNothingThatIsWrittenGetsIntoAnySwitch() {
        troubles.set(Kind.READ_BACK, "leaf0 does not hold it");
        troubles.set(Kind.DISCOVERY, "no ibnetdiscover");
        troubles.set(Kind.QUERY, "no sminfo");
        assertThat(troubles.areStopped()).isFalse();

        for (Kind kind : List.of(Kind.PRESENCE, Kind.FILE, Kind.SIGNAL, Kind.SWEEP_SIGNAL, Kind.NOT_LOADED)) {
            troubles.set(kind, "it does not");
            assertThat(troubles.areStopped()).as(kind.name()).isTrue();
            troubles.clear(kind);
        }
        assertThat(troubles.areStopped()).isFalse();
    }

    @Test
    void shouldForgetWordsThatHoldNoMore() throws InterruptedException {
        troubles.set(Kind.FILE, "disk full");
        assertTold("disk full");
        troubles.set(Kind.FILE, "permission denied");
        troubles.set(Kind.FILE, "disk full");
        passSeconds(20);
        troubles.set(Kind.FILE, "read-only");
        assertTold("read-only");
        troubles.set(Kind.FILE, "disk full");
        troubles.clear(Kind.FILE);
        assertTold("OpenSM takes the tables again");

        passSeconds(20);

        troubles.set(Kind.SIGNAL, "nobody");
        assertTold("nobody");
        assertThat(told).isEmpty();
    }

    /** As of a fabric where packets get lost: two complaints take turns. */
    @Test
    void shouldTellOfOneTroubleEverMoreRarelyHoweverOftenItsWordsChange() {
        for (int second = 0; second < 600; second++) {
            troubles.set(Kind.DISCOVERY, "complaint " + second);
            passSeconds(1);
        }

        loop.close(); // It has taken all that it was told.
        assertThat(told)
                .containsExactly(
                        "complaint 0", "complaint 9", "complaint 29", "complaint 69", "complaint 149", "complaint 309");
    }

    @Test
    void shouldTellOfOneTroubleThatEndsAndComesBackAgainAndAgain() throws InterruptedException {
        for (int round = 0; round < 20; round++) {
            troubles.set(Kind.DISCOVERY, "packets are lost");
            passSeconds(5);
            troubles.clear(Kind.DISCOVERY);
            assertThat(troubles.has(Kind.DISCOVERY)).isFalse();
            passSeconds(5);
        }
        for (int longerEachTime = 0; longerEachTime < 4; longerEachTime++) {
            assertTold("packets are lost");
            assertTold("OpenSM takes the tables again");
        }
        assertTold("packets are lost");
        assertThat(told).isEmpty();

        passSeconds(640);
        assertTold("OpenSM takes the tables again");
        troubles.set(Kind.DISCOVERY, "packets are lost");
        assertTold("packets are lost");
        troubles.clear(Kind.DISCOVERY);
        passSeconds(640);
        assertTold("OpenSM takes the tables again");
        assertThat(told).isEmpty();
    }
}
