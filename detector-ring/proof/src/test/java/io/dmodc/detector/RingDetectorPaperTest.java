package io.dmodc.detector;

import static io.dmodc.detector.MessageType.DEAD;
import static io.dmodc.detector.MessageType.HEARTBEAT;
import static io.dmodc.detector.MessageType.NEW_OBSERVER;
import static io.dmodc.detector.VirtualNetwork.DELTA;
import static io.dmodc.detector.VirtualNetwork.ETA;
import static io.dmodc.detector.VirtualNetwork.TAU;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Claim by claim: Bosilca, Bouteiller, Guermouche, Herault, Robert, Sens, Dongarra, "Failure Detection and Propagation
 * in HPC Systems", SC16. Where a claim is met in changed form, the test says so.
 */
class RingDetectorPaperTest {
    private final OneNode node = new OneNode(4, 10);

    /** "Initialization: emitter_i := (i - 1) mod N, observer_i := (i + 1) mod N, D_i := empty". */
    @Test
    void shouldStartBetweenItsRingNeighbours() {
        OneNode first = new OneNode(0, 10);

        assertThat(first.detector.emitter()).isEqualTo(9);
        assertThat(first.detector.observer()).isEqualTo(1);
        assertThat(IntStream.range(0, 10)).noneMatch(first.detector::isDead);
    }

    /** "T1: when HB-Timeout expires, HB-Timeout := η, send heartbeat(i) to observer_i". */
    @Test
    void t1_shouldSendAHeartbeatEachPeriodToTheObserver() {
        node.takeSent();

        node.passUntil(500);

        assertThat(node.takeReceivers(HEARTBEAT)).containsExactly(5, 5, 5, 5, 5);
    }

    /** "T2: upon reception of heartbeat(emitter_i), Susp-Timeout := δ". */
    @Test
    void t2_shouldSuspectOneDeltaAfterTheLastHeartbeat() {
        node.passUntil(70).receive(node.from(3, HEARTBEAT));

        assertThat(node.passUntil(1_069).heard).isEmpty();
        assertThat(node.passUntil(1_070).heard).containsExactly("silent 3.1 by 4 hops 0");
    }

    /** Only the emitter's heartbeat counts: anyone else's proves nothing about the emitter. */
    @Test
    void t2_shouldIgnoreHeartbeatsOfOthers() {
        node.receive(node.from(3, HEARTBEAT));

        for (long time = 100; time <= 900; time += 100) {
            node.passUntil(time).receive(node.from(7, HEARTBEAT));
        }

        assertThat(node.passUntil(1_000).heard).containsExactly("silent 3.1 by 4 hops 0");
    }

    /**
     * "T3: when Susp-Timeout expires, Susp-Timeout := 2δ, D_i := D_i + emitter_i, emitter_i := FindEmitter(D_i), send
     * NewObserver(i) to emitter_i, send BcastMsg to Neighbors".
     */
    @Test
    void t3_shouldCloseTheRingThenTellTheOverlay() {
        node.receive(node.from(3, HEARTBEAT));
        node.passUntil(999).takeSent();

        node.passUntil(1_000);

        assertThat(node.detector.emitter()).isEqualTo(2);
        assertThat(node.detector.isDead(3)).isTrue();
        var sent = node.takeSent();
        assertThat(sent.stream().filter(s -> s.message().type != HEARTBEAT).findFirst())
                .hasValueSatisfying(s -> {
                    assertThat(s.message().type).isEqualTo(NEW_OBSERVER);
                    assertThat(s.to()).isEqualTo(2);
                });
        assertThat(sent.stream().filter(s -> s.message().type == DEAD).map(OneNode.Sent::to))
                .containsExactlyInAnyOrder(
                        Arrays.stream(Overlay.neighbours(4, 10)).boxed().toArray(Integer[]::new));
        node.passUntil(2_999);
        assertThat(node.heard).containsExactly("silent 3.1 by 4 hops 0");
        node.passUntil(3_000);
        assertThat(node.heard).endsWith("silent 2.1 by 4 hops 0");
    }

    /** "T4: upon reception of NewObserver(j), observer_i := j, HB-Timeout := 0". */
    @Test
    void t4_shouldSendItsHeartbeatsToWhoeverAskedAtOnce() {
        node.takeSent();

        node.receive(node.from(7, NEW_OBSERVER));

        assertThat(node.detector.observer()).isEqualTo(7);
        assertThat(node.takeReceivers(HEARTBEAT)).containsExactly(7);
        node.passUntil(200);
        assertThat(node.takeReceivers(HEARTBEAT)).containsExactly(7, 7);
    }

    /** "T5: upon reception of BcastMsg(dead, s, D), D_i := D_i + dead, send BcastMsg to Neighbors". */
    @Test
    void t5_shouldBelieveAndForwardNews() {
        node.takeSent();

        node.receive(node.dead(8, 9, 1, 0, 2));

        assertThat(node.detector.isDead(9)).isTrue();
        assertThat(node.heard).containsExactly("silent 9.1 by 0 hops 2");
        var forwarded = node.takeSent();
        assertThat(forwarded).extracting(OneNode.Sent::to).containsExactly(0, 2, 3, 5, 6);
        assertThat(forwarded).allSatisfy(s -> assertThat(s.message().hops).isEqualTo(3));
    }

    /**
     * Slide "Worst-case analysis": a single failure is found within (δ - η, δ + τ] by its observer. All others know it
     * a few τ later: a flood over the binomial graph needs about log2(n) / 2 hops.
     */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 16, 64, 256})
    void shouldDetectOneFailureWithinDelta(int n) {
        for (int seed = 0; seed < 10; seed++) {
            VirtualNetwork network = new VirtualNetwork(n, seed).start();
            network.runFor(3 * DELTA + seed * ETA / 10);
            long killed = network.now;
            network.kill(n / 2);

            network.runFor(2 * DELTA);

            int observer = (n / 2 + 1) % n;
            long detection = network.nodes[observer].heardOf(n / 2) - killed;
            assertThat(detection)
                    .as("seed %d", seed)
                    .isGreaterThan(DELTA - ETA - 1)
                    .isLessThanOrEqualTo(DELTA + TAU);
            assertThat(network.faults()).as("seed %d", seed).isEmpty();
            assertThat(network.live())
                    .allSatisfy(
                            peer -> assertThat(peer.heardOf(n / 2) - killed).isLessThanOrEqualTo(detection + 8 * TAU));
        }
    }

    /**
     * Slide "Ring reconnection": f neighbours that die together are found one after the other, δ for the first and 2δ
     * for each further one: (2f - 1) δ, well inside T(f) = f (f + 1) δ + f τ + f (f + 1) / 2 * 8 τ log2 n.
     */
    @ParameterizedTest
    @CsvSource({"64, 2", "64, 5", "128, 6"})
    void shouldCloseTheRingOverABurst(int n, int f) {
        for (int seed = 0; seed < 5; seed++) {
            VirtualNetwork network = new VirtualNetwork(n, seed).start();
            network.runFor(3 * DELTA);
            network.kill(IntStream.range(10, 10 + f).toArray());
            long killed = network.now;

            network.runFor((2L * f - 1) * DELTA + 2 * ETA);

            assertThat(network.faults()).as("seed %d", seed).isEmpty();
            assertThat(network.live().stream().mapToInt(peer -> peer.suspicions).sum())
                    .as("each death is found once")
                    .isEqualTo(f);
            assertThat(network.now - killed).isLessThan(f * (f + 1L) * DELTA);
        }
    }

    /** "Less messages": one heartbeat per node and period is all the steady traffic, whatever the number of nodes. */
    @ParameterizedTest
    @ValueSource(ints = {16, 256})
    void shouldSendOneHeartbeatPerNodeAndPeriod(int n) {
        VirtualNetwork network = new VirtualNetwork(n, 1).start();
        network.runFor(3 * DELTA);
        long heartbeats = network.sent(HEARTBEAT);
        long others = network.sent(NEW_OBSERVER) + network.sent(DEAD);

        network.runFor(10 * DELTA);

        assertThat(network.sent(HEARTBEAT) - heartbeats).isEqualTo(100L * n);
        assertThat(network.sent(NEW_OBSERVER) + network.sent(DEAD) - others).isZero();
    }

    /** "f failures spread over the ring": each has its own observer, so all are found as fast as one. */
    @Test
    void shouldDetectSpreadFailuresAsFastAsOne() {
        VirtualNetwork network = new VirtualNetwork(64, 3).start();
        network.runFor(3 * DELTA);
        network.kill(5, 20, 33, 47, 60);

        network.runFor(DELTA + 10 * TAU);

        assertThat(network.faults()).isEmpty();
    }
}
