package io.dmodc.detector;

import static io.dmodc.detector.MessageType.DEAD;
import static io.dmodc.detector.MessageType.HEARTBEAT;
import static io.dmodc.detector.MessageType.NEW_OBSERVER;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * Deaths that a node is told of, but not by a broadcast that has just begun: it asks the accused for δ before it
 * believes them. The node under test is slot 10 of 20, its emitter 9; η = 100, δ = 1000.
 */
class DoubtTest {
    private static final RingRules RULES = new RingRules(100, 1_000, 0, 2, Overlay.Kind.BINOMIAL);
    private static final int TOLD = RingMessage.HOPS_TOLD;

    private final OneNode node = new OneNode(10, 20, RULES);

    @Test
    void shouldBelieveWhatItIsToldWhenTheAccusedHasNotAnsweredForDelta() {
        node.passHearing(9, 1_000);

        node.receive(node.dead(12, 5, 1, 6, TOLD));

        assertThat(node.takeReceivers(DEAD)).as("told that it is held dead").containsExactly(5);
        heardAndAnswered(1_950);
        assertThat(node.heard).isEmpty();
        heardAndAnswered(2_000);
        assertThat(node.heard).containsExactly("silent 5.1 by 10 hops 0");
    }

    @Test
    void shouldBelieveNothingWhenTheAccusedRefutes() {
        node.passHearing(9, 1_000).receive(node.dead(12, 5, 1, 6, TOLD));

        node.receive(OneNode.inLife(node.alive(5, 5, 2), 2));
        heardAndAnswered(4_000);

        assertThat(node.heard).containsExactly("alive 5.2 hops 1");
    }

    /** Its own emitter answers once, then nobody hears the node; the heartbeats come all the same. */
    @Test
    void shouldBelieveNothingUnlessItWasHeardAllThatTime() {
        node.passHearing(9, 1_000).receive(node.dead(12, 5, 1, 6, TOLD));
        node.passHearing(9, 1_100).receive(node.pong(9, 9, 1, 10));

        node.passHearing(9, 5_000);
        assertThat(node.heard).as("the accused may not have heard it either").isEmpty();

        heardAndAnswered(5_900);
        assertThat(node.heard).isEmpty();
        heardAndAnswered(6_200);
        assertThat(node.heard).containsExactly("silent 5.1 by 10 hops 0");
    }

    /** What is read first moves all deadlines, so that nothing seems late any more. */
    @Test
    void shouldDoubtAllThatLayInItsSocketWhileItWasStopped() {
        node.receive(node.from(9, HEARTBEAT));
        node.now = 1_500;

        node.receive(node.from(9, HEARTBEAT));
        node.receive(node.from(11, NEW_OBSERVER));
        node.receive(node.dead(12, 5, 1, 6, 1));

        assertThat(node.heard).isEmpty();
        assertThat(node.detector.lateWakeUps()).isEqualTo(1);
        node.passHearing(9, 1_600).receive(node.dead(12, 7, 1, 8, 1));
        assertThat(node.heard).as("a broadcast of now").containsExactly("silent 7.1 by 8 hops 2");
    }

    /** The emitter sends its heartbeats, and answers those who ask whether it hears them. */
    private void heardAndAnswered(long time) {
        while (node.now < time) {
            node.passHearing(9, Math.min(time, node.now + RULES.heartbeatNanos()));
            node.receive(node.pong(9, 9, 1, 10));
        }
    }
}
