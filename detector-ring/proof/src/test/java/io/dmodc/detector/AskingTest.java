package io.dmodc.detector;

import static io.dmodc.detector.MessageType.HEARTBEAT;
import static io.dmodc.detector.MessageType.NEW_OBSERVER;
import static io.dmodc.detector.MessageType.PING;
import static io.dmodc.detector.MessageType.PONG;
import static io.dmodc.detector.VirtualNetwork.DELTA;
import static io.dmodc.detector.VirtualNetwork.ETA;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a node asks before it accuses, beyond the published algorithm: those behind a dead emitter all at once, and the
 * neighbours of a suspect. The node under test is slot 10 of 20; η = 100, δ = 1000.
 */
class AskingTest {
    private static final RingRules WIDE = new RingRules(100, 1_000, 3, 0, Overlay.Kind.BINOMIAL);
    private static final RingRules OPINIONS = new RingRules(100, 1_000, 0, 2, Overlay.Kind.BINOMIAL);
    private static final RingRules VIRTUAL = RingRules.standard(ETA, DELTA, 1_024);

    @Test
    void shouldAskThoseBehindTheNewEmitterAtTheSameTime() {
        OneNode node = watching(WIDE);

        node.passUntil(1_000);

        assertThat(node.heard).containsExactly("silent 9.1 by 10 hops 0");
        List<OneNode.Sent> sent = node.takeSent();
        assertThat(receivers(sent, NEW_OBSERVER)).endsWith(8);
        assertThat(receivers(sent, PING)).containsExactly(7, 6, 5);
    }

    /** Also when another one brought the news of the emitter's death. */
    @Test
    void shouldAskAtTheSameTimeAfterNewsOfItsEmitter() {
        OneNode node = watching(WIDE);

        node.receive(node.dead(15, 9, 1, 16, 2));

        assertThat(node.takeReceivers(PING)).containsExactly(7, 6, 5);
    }

    @Test
    void shouldFindAllWhoDidNotAnswerAtOnce() {
        OneNode node = watching(WIDE);
        node.passUntil(1_500).receive(node.pong(5, 5, 1, 10));

        node.passUntil(2_999);
        assertThat(node.heard).hasSize(1);
        node.passUntil(3_000);

        assertThat(node.heard)
                .containsExactly(
                        "silent 9.1 by 10 hops 0",
                        "silent 8.1 by 10 hops 0",
                        "silent 7.1 by 10 hops 0",
                        "silent 6.1 by 10 hops 0");
        assertThat(node.detector.emitter()).isEqualTo(5);
        assertThat(node.passUntil(4_999).heard).hasSize(4);
        assertThat(node.passUntil(5_000).heard)
                .as("5 answered, and had 2 δ of its own")
                .element(4)
                .isEqualTo("silent 5.1 by 10 hops 0");
    }

    @Test
    void shouldAskWhoDoesNotAnswerOnceAnEtaAndNobodyElse() {
        OneNode node = watching(WIDE);
        node.passUntil(1_000).receive(node.pong(7, 7, 1, 10));
        node.takeSent();

        node.passUntil(1_300);

        assertThat(node.takeReceivers(PING)).containsExactly(6, 5, 6, 5, 6, 5);
    }

    @Test
    void shouldStopAskingAtTheFirstHeartbeat() {
        OneNode node = watching(WIDE);
        node.passUntil(1_000);

        node.receive(node.from(8, HEARTBEAT));
        node.takeSent();
        node.passHearing(8, 3_500);

        assertThat(node.takeReceivers(PING)).isEmpty();
        assertThat(node.heard).hasSize(1);
    }

    /** A stopped node must not take the whole row behind its emitter for dead when it wakes. */
    @Test
    void shouldExcuseTheWholeRowWhenItWasLateItself() {
        OneNode node = watching(WIDE);
        node.passUntil(1_100);

        node.now = 5_000;
        node.detector.tick(node.now);

        assertThat(node.heard).hasSize(1);
        assertThat(node.detector.lateWakeUps()).isEqualTo(1);
        node.receive(node.from(8, HEARTBEAT));
        assertThat(node.passUntil(5_900).heard).hasSize(1);
    }

    @Test
    void shouldAnswerAPing() {
        OneNode node = watching(WIDE);

        node.receive(node.ping(3, 10, 3));

        assertThat(node.takeSent()).singleElement().satisfies(sent -> {
            assertThat(sent.to()).isEqualTo(3);
            assertThat(sent.message().type).isEqualTo(PONG);
            assertThat(sent.message().subjectGuid).isEqualTo(OneNode.guid(10));
            assertThat(sent.message().observerSlot).isEqualTo(3);
        });
    }

    @Test
    void shouldAskTwoNeighboursOfTheSuspectBeforeItAccuses() {
        OneNode node = watching(OPINIONS);

        node.passUntil(590);
        assertThat(node.takeReceivers(PING)).isEmpty();
        node.passAnswered(999);

        List<Integer> asked = node.takeReceivers(PING);
        assertThat(asked).hasSizeGreaterThanOrEqualTo(4).doesNotContain(9, 10);
        assertThat(asked)
                .as("neighbours of the suspect in the overlay, and one more")
                .allMatch(slot ->
                        slot == 8 || IntStream.of(Overlay.neighbours(9, 20)).anyMatch(other -> other == slot));
        assertThat(node.passAnswered(1_000).heard)
                .as("silence is not prolonged")
                .hasSize(1);
    }

    @Test
    void shouldAskOthersNothingInCalm() {
        OneNode node = watching(OPINIONS);

        node.passHearing(9, 20_000);

        assertThat(node.takeReceivers(PING)).isEmpty();
    }

    @Test
    void shouldSpareASuspectThatAnotherVouchesFor() {
        OneNode node = watching(OPINIONS);
        node.passUntil(900);

        node.receive(node.pong(11, 9, 1, 10));

        assertThat(node.detector.vouched()).isEqualTo(1);
        assertThat(node.passAnswered(1_899).heard).isEmpty();
        assertThat(node.passAnswered(1_900).heard).as("a word holds for δ").containsExactly("silent 9.1 by 10 hops 0");
    }

    @Test
    void shouldNotSpareTheSuspectForAWordAboutItsEarlierLife() {
        OneNode node = watching(OPINIONS);
        node.passAnswered(900);

        node.receive(node.pong(11, 9, 0, 10));

        assertThat(node.passAnswered(1_000).heard).hasSize(1);
    }

    /** A relay keeps nothing in mind, and passes nothing on twice. */
    @Test
    void shouldPingForAnotherAndPassTheAnswerOn() {
        OneNode node = watching(OPINIONS);

        node.receive(node.ping(3, 14, 3));
        assertThat(node.takeSent()).singleElement().satisfies(sent -> {
            assertThat(sent.to()).isEqualTo(14);
            assertThat(sent.message().type).isEqualTo(PING);
            assertThat(sent.message().observerSlot).isEqualTo(3);
        });
        node.receive(node.pong(14, 14, 1, 3));
        assertThat(node.takeReceivers(PONG)).containsExactly(3);

        node.receive(node.ping(4, 14, 3));
        node.receive(node.pong(4, 14, 1, 3));
        assertThat(node.takeSent()).isEmpty();
    }

    /** The question was asked in an earlier epoch, and the slot it names is another one's now. */
    @Test
    void shouldPassAnAnswerOfAnotherEpochOnToNobodyButWhoAsked() {
        OneNode node = watching(OPINIONS);
        RingMessage answer = node.pong(14, 14, 1, 3);
        answer.epoch = OneNode.EPOCH - 1;
        answer.observerHash = OneNode.guidHash(7);

        node.receive(answer);
        assertThat(node.takeReceivers(PONG)).isEmpty();

        answer.observerHash = OneNode.guidHash(3);
        node.receive(answer);
        assertThat(node.takeReceivers(PONG)).containsExactly(3);
    }

    /** It would think that others hear it, and accuse, though it is mute. */
    @Test
    void shouldNotTakeWhatAnotherOneAskedInAnotherEpochForAnAnswer() {
        OneNode node = watching(OPINIONS);
        node.passUntil(900);
        RingMessage answer = node.pong(11, 9, 1, 10);
        answer.epoch = OneNode.EPOCH - 1;

        answer.observerHash = OneNode.guidHash(3);
        node.receive(answer);
        assertThat(node.detector.vouched()).isZero();

        answer.observerHash = OneNode.guidHash(10);
        node.receive(answer);
        assertThat(node.detector.vouched()).isEqualTo(1);
    }

    /** Others have answered before the second stop: that says nothing of now. */
    @Test
    void shouldExcuseEachStopOfADelta() {
        OneNode node = watching(OPINIONS);
        node.now = 1_200;
        node.detector.tick(node.now);
        node.passAnswered(1_390);

        node.now = 4_000;
        node.detector.tick(node.now);

        assertThat(node.passAnswered(4_190).heard).isEmpty();
        assertThat(node.detector.lateWakeUps()).isEqualTo(2);
        assertThat(node.passAnswered(4_300).heard)
                .as("others answer, the emitter does not")
                .containsExactly("silent 9.1 by 10 hops 0");
    }

    @Test
    void shouldStretchItsDeltaOnlyFromTheSecondLateWakeUpOn() {
        OneNode node = watching(RingRules.published(100, 1_000));
        wakeLate(node);
        assertThat(node.detector.selfScore()).isEqualTo(1);
        node.receive(node.from(9, HEARTBEAT));
        long heard = node.now;
        assertThat(node.passUntil(heard + 999).heard).isEmpty();
        node.receive(node.from(9, HEARTBEAT));

        for (int i = 0; i < 20; i++) {
            wakeLate(node);
            node.receive(node.from(9, HEARTBEAT));
        }

        assertThat(node.detector.selfScore()).isEqualTo(8);
        heard = node.now;
        assertThat(node.passUntil(heard + 1_999).heard).isEmpty();
        assertThat(node.passUntil(heard + 2_000).heard).hasSize(1);
    }

    @Test
    void shouldTrustItselfAgainAfterSomeQuietDelta() {
        OneNode node = watching(RingRules.published(100, 1_000));
        for (int i = 0; i < 3; i++) {
            wakeLate(node);
            node.receive(node.from(9, HEARTBEAT));
        }

        node.passHearing(9, node.now + 3_500);

        assertThat(node.detector.selfScore()).isZero();
    }

    /** A6: 3 δ + 2 η for f ring neighbours that die together; the published form takes (2 f - 1) δ. */
    @ParameterizedTest
    @CsvSource({"64, 5", "64, 9", "1024, 9"})
    void shouldFindABurstInThreeDelta(int n, int f) {
        VirtualNetwork network = new VirtualNetwork(n, f, VIRTUAL).start();
        network.runFor(3 * DELTA);
        network.kill(IntStream.range(20, 20 + f).toArray());

        network.runFor(3 * DELTA + 2 * ETA);

        assertThat(network.faults()).isEmpty();
        assertThat(network.live())
                .allSatisfy(node -> assertThat(node.refutations).isZero());
    }

    /** The way from one node to its observer is cut, everything else works: others speak for it. */
    @Test
    void shouldNotAccuseOverABrokenWay() {
        VirtualNetwork network = new VirtualNetwork(32, 1, RingRules.standard(ETA, DELTA, 32)).start();
        network.runFor(3 * DELTA);

        network.cutWay(9, 10);
        network.runFor(30 * DELTA);

        assertThat(network.faults()).isEmpty();
        assertThat(network.nodes[10].detector.vouched()).isGreaterThan(20);
        assertThat(network.nodes[9].refutations).isZero();
        network.kill(9);
        network.runFor(DELTA + 2 * ETA);
        assertThat(network.faults()).as("and its death is found in time").isEmpty();
    }

    private static OneNode watching(RingRules rules) {
        OneNode node = new OneNode(10, 20, rules);
        node.receive(node.from(9, HEARTBEAT));
        node.takeSent();
        return node;
    }

    private static void wakeLate(OneNode node) {
        node.now = node.detector.nextDeadline() + 101;
        node.detector.tick(node.now);
    }

    private static List<Integer> receivers(List<OneNode.Sent> sent, MessageType type) {
        return sent.stream()
                .filter(s -> s.message().type == type)
                .map(OneNode.Sent::to)
                .toList();
    }
}
