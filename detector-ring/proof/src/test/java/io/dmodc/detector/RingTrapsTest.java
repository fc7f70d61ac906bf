package io.dmodc.detector;

import static io.dmodc.detector.MessageType.ALIVE;
import static io.dmodc.detector.MessageType.DEAD;
import static io.dmodc.detector.MessageType.HEARTBEAT;
import static io.dmodc.detector.MessageType.NEW_OBSERVER;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * What the published algorithm leaves open, one test per point; docs/algorithms/detector.md uses the same letters.
 * The node under test is slot 4 of 10; η = 100, δ = 1000.
 */
class RingTrapsTest {
    private final OneNode node = new OneNode(4, 10);

    @Test
    void a_shouldReconnectWhenTheNewsIsOfItsOwnEmitter() {
        node.receive(node.from(3, HEARTBEAT));
        node.takeSent();

        node.passUntil(200).receive(node.dead(8, 3, 1, 0, 2));

        assertThat(node.detector.emitter()).isEqualTo(2);
        assertThat(node.takeReceivers(NEW_OBSERVER)).containsExactly(2);
        assertThat(node.passUntil(2_199).heard).containsExactly("silent 3.1 by 0 hops 2");
        assertThat(node.passUntil(2_200).heard).endsWith("silent 2.1 by 4 hops 0");
    }

    @Test
    void a_shouldTurnToTheNextObserverWhenTheNewsIsOfItsOwn() {
        node.takeSent();

        node.receive(node.dead(8, 5, 1, 6, 2));

        assertThat(node.detector.observer()).isEqualTo(6);
        assertThat(node.takeReceivers(HEARTBEAT)).containsExactly(6);
    }

    @Test
    void b_shouldForwardEachDeathOnce() {
        node.receive(node.dead(8, 9, 1, 0, 2));
        node.takeSent();

        node.receive(node.dead(2, 9, 1, 0, 3));
        node.receive(node.dead(3, 9, 1, 7, 1));
        node.receive(node.dead(8, 9, 1, 0, 2));

        assertThat(node.takeSent()).isEmpty();
        assertThat(node.heard).hasSize(1);
    }

    @Test
    void b_shouldForwardTheDeathOfALaterLife() {
        node.receive(node.dead(8, 9, 1, 0, 2));
        node.receive(OneNode.inLife(node.alive(9, 9, 2), 2));
        node.takeSent();

        node.receive(node.dead(8, 9, 2, 0, 1));

        assertThat(node.takeReceivers(DEAD)).isNotEmpty();
        assertThat(node.heard).containsExactly("silent 9.1 by 0 hops 2", "alive 9.2 hops 1", "silent 9.2 by 0 hops 2");
    }

    @Test
    void c_shouldRefuteItsOwnDeath() {
        node.takeSent();

        node.receive(node.dead(8, 4, 1, 5, 2));

        assertThat(node.detector.isDead(4)).isFalse();
        assertThat(node.detector.ownIncarnation()).isEqualTo(2);
        assertThat(node.heard).containsExactly("own 2");
        assertThat(node.takeReceivers(ALIVE)).containsExactlyInAnyOrder(0, 2, 3, 5, 6, 8);
    }

    @Test
    void c_shouldRefuteOnceHoweverManyCopiesCome() {
        node.receive(node.dead(8, 4, 1, 5, 2));
        node.takeSent();

        node.receive(node.dead(2, 4, 1, 5, 2));

        assertThat(node.detector.ownIncarnation()).isEqualTo(2);
        assertThat(node.takeReceivers(ALIVE))
                .as("only the one that is behind is told")
                .containsExactly(2);
    }

    @Test
    void c_shouldOutbidARumourOfALaterIncarnation() {
        node.receive(node.alive(8, 4, 6));

        assertThat(node.detector.ownIncarnation())
                .as("the counter was lost; 6 was used before")
                .isEqualTo(7);
    }

    @Test
    void c_shouldTellASenderThatItIsHeldDead() {
        node.receive(node.dead(8, 3, 1, 0, 2));
        node.takeSent();

        assertThat(node.receive(node.from(3, HEARTBEAT))).isEqualTo(DropReason.STALE);

        assertThat(node.takeReceivers(DEAD)).containsExactly(3);
        assertThat(node.detector.isDead(3)).isTrue();
    }

    @Test
    void d_shouldRestWhenAllOthersAreDeadAndWatchAgainAfterAJoin() {
        OneNode pair = new OneNode(0, 2);
        pair.receive(pair.from(1, HEARTBEAT));
        pair.passUntil(1_000).takeSent();

        pair.passUntil(10_000);

        assertThat(pair.detector.state()).isEqualTo(RingState.ALONE);
        assertThat(pair.detector.emitter()).isZero();
        assertThat(pair.takeSent())
                .as("neither heartbeats nor questions, only the slow probe of the dead")
                .allSatisfy(s -> assertThat(s.message().type).isEqualTo(DEAD))
                .hasSizeLessThanOrEqualTo(5);
        pair.receive(OneNode.inLife(pair.alive(1, 1, 2), 2));
        assertThat(pair.detector.state()).isEqualTo(RingState.ASKING);
        assertThat(pair.detector.emitter()).isEqualTo(1);
        assertThat(pair.detector.observer()).isEqualTo(1);
        assertThat(pair.takeReceivers(HEARTBEAT)).containsExactly(1);
    }

    @Test
    void e_shouldNotTurnToAnAskerHeldDead() {
        node.receive(node.dead(8, 7, 1, 8, 1));
        node.takeSent();

        assertThat(node.receive(node.from(7, NEW_OBSERVER))).isEqualTo(DropReason.STALE);

        assertThat(node.detector.observer()).isEqualTo(5);
    }

    @Test
    void e_shouldComeBackToTheNearerObserverWhenItJoinsAgain() {
        node.receive(node.dead(8, 5, 1, 6, 1));
        node.receive(node.from(6, NEW_OBSERVER));
        assertThat(node.detector.observer()).isEqualTo(6);

        node.receive(OneNode.inLife(node.alive(5, 5, 2), 2));

        assertThat(node.detector.observer()).isEqualTo(5);
    }

    /** A late NewObserver of a farther live node steals the heartbeats; the true observer asks before it accuses. */
    @Test
    void e_shouldAskAgainBeforeItAccuses() {
        node.receive(node.from(3, HEARTBEAT));
        node.passUntil(500).takeSent();

        node.passUntil(999);

        assertThat(node.takeReceivers(NEW_OBSERVER)).containsExactly(3, 3, 3, 3, 3);
        node.receive(node.from(3, HEARTBEAT));
        assertThat(node.passUntil(1_998).heard).isEmpty();
    }

    @Test
    void f_shouldRepeatNewObserverUntilTheFirstHeartbeat() {
        node.passUntil(350);

        assertThat(node.takeReceivers(NEW_OBSERVER)).containsExactly(3, 3, 3, 3);
        node.receive(node.from(3, HEARTBEAT));
        node.passUntil(800);
        assertThat(node.takeReceivers(NEW_OBSERVER)).isEmpty();
    }

    @Test
    void g_shouldDropEverythingBeforeItIsAMember() {
        RingDetector newcomer = new RingDetector(7, 1, new FailingOutbox(), new FailingListener());

        newcomer.tick(1_000_000);

        assertThat(newcomer.receive(0, node.from(3, HEARTBEAT))).isEqualTo(DropReason.NO_MEMBERSHIP);
        assertThat(newcomer.state()).isEqualTo(RingState.ALONE);
        assertThat(newcomer.nextDeadline()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void g_shouldGiveANewNeighbourTwiceDeltaToSpeak() {
        assertThat(node.passUntil(1_999).heard).isEmpty();
        assertThat(node.passUntil(2_000).heard).containsExactly("silent 3.1 by 4 hops 0");
    }

    @Test
    void h_shouldAskTheNextOneTwiceDeltaAfterReconnection() {
        node.receive(node.from(3, HEARTBEAT));
        node.passUntil(3_000);

        assertThat(node.heard).containsExactly("silent 3.1 by 4 hops 0", "silent 2.1 by 4 hops 0");
    }

    @Test
    void i_shouldFloodInBothDirections() {
        node.receive(node.dead(9, 0, 1, 1, 2));

        assertThat(node.takeReceivers(DEAD)).contains(3, 2).contains(5, 6, 8);
    }

    @Test
    void j_shouldEndTheLongGraceAtTheFirstHeartbeat() {
        node.passUntil(10).receive(node.from(3, HEARTBEAT));

        assertThat(node.passUntil(1_009).heard).isEmpty();
        assertThat(node.passUntil(1_010).heard).containsExactly("silent 3.1 by 4 hops 0");
    }

    private static final class FailingOutbox implements RingOutbox {
        @Override
        public void send(int slot, RingMessage message) {
            throw new AssertionError("sent " + message + " to " + slot);
        }

        @Override
        public void reply(RingMessage message) {
            throw new AssertionError("replied " + message);
        }
    }

    private static final class FailingListener implements RingListener {
        @Override
        public void deaf(boolean isDeaf) {}

        @Override
        public void agentSilent(int subject, int incarnation, int observer, long silenceNanos, int hops) {
            throw new AssertionError("silent " + subject);
        }

        @Override
        public void agentAlive(int slot, int incarnation, int hops) {
            throw new AssertionError("alive " + slot);
        }

        @Override
        public void ownIncarnation(int incarnation) {
            throw new AssertionError("own " + incarnation);
        }

        @Override
        public void revoked(long leaderEpoch, long fabricEpoch, int hops) {
            throw new AssertionError("revoked " + leaderEpoch + "/" + fabricEpoch);
        }
    }
}
