package io.dmodc.detector;

import static io.dmodc.detector.VirtualNetwork.DELTA;
import static io.dmodc.detector.VirtualNetwork.ETA;
import static io.dmodc.detector.VirtualNetwork.TAU;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Whole rings on a bad network: whatever happens, the live end up agreeing on who is dead. */
@ParameterizedClass
@EnumSource(RingNetworkTest.Form.class)
class RingNetworkTest {
    /** Each must hold for the published algorithm and with all that was added to it. */
    enum Form {
        PUBLISHED,
        STANDARD,
        HYPERCUBE
    }

    @Parameter
    private Form form = Form.PUBLISHED;

    private VirtualNetwork network(int slotCount, long seed) {
        RingRules rules = switch (form) {
            case PUBLISHED -> RingRules.published(ETA, DELTA);
            case STANDARD -> RingRules.standard(ETA, DELTA, slotCount);
            case HYPERCUBE -> new RingRules(ETA, DELTA, RingRules.askingWidthFor(slotCount), 2, Overlay.Kind.HYPERCUBE);
        };
        return new VirtualNetwork(slotCount, seed, rules);
    }

    /** The published form, which sends NewObserver once, ends with a live node held dead in about 1 of 16 seeds. */
    @Test
    void shouldSurviveLossDuringABurst() {
        for (int seed = 0; seed < 40; seed++) {
            VirtualNetwork network =
                    network(64, seed).losing(0.05).duplicating(0.05).start();
            network.runFor(3 * DELTA);
            network.kill(20, 21, 22, 23, 24);

            network.runFor(12 * DELTA);

            assertThat(network.faults()).as("seed %d", seed).isEmpty();
            assertThat(network.live().stream()
                            .mapToLong(node -> node.refutations)
                            .sum())
                    .as("live nodes ever accused, seed %d", seed)
                    .isZero();
        }
    }

    @Test
    void shouldSettleEvenWhenAFifthIsLost() {
        for (int seed = 0; seed < 20; seed++) {
            VirtualNetwork network =
                    network(32, seed).losing(0.20).duplicating(0.1).start();
            network.runFor(3 * DELTA);
            network.kill(7, 8, 20);
            network.runFor(12 * DELTA);
            network.losing(0);

            network.runFor(4 * DELTA);

            assertThat(network.faults()).as("seed %d", seed).isEmpty();
        }
    }

    @Test
    void shouldTakeARestartedNodeBackAndWatchItAgain() {
        VirtualNetwork network = network(64, 1).start();
        network.runFor(3 * DELTA);
        for (int round = 1; round <= 10; round++) {
            network.kill(30);
            network.runFor(2 * DELTA);
            assertThat(network.faults()).as("dead in round %d", round).isEmpty();

            network.restart(30, round);
            network.runFor(ETA + 16 * TAU);

            int incarnation = round;
            assertThat(network.live())
                    .allSatisfy(
                            node -> assertThat(node.detector.incarnation(30)).isEqualTo(incarnation));
            assertThat(network.faults()).as("back in round %d", round).isEmpty();
        }
        assertThat(network.live())
                .allSatisfy(node -> assertThat(node.refutations).isZero());
    }

    /** Its counter was lost with its disk: the others' memory of it brings it above the incarnation they hold dead. */
    @Test
    void shouldTakeBackANodeThatForgotItsIncarnation() {
        VirtualNetwork network = network(16, 1).start();
        network.runFor(3 * DELTA);
        network.kill(5);
        network.runFor(2 * DELTA);
        network.restart(5, 4);
        network.runFor(DELTA);
        network.kill(5);
        network.runFor(2 * DELTA);

        network.restart(5, 0);
        network.runFor(DELTA);

        assertThat(network.faults()).isEmpty();
        assertThat(network.nodes[5].detector.ownIncarnation()).isEqualTo(5);
    }

    @Test
    void shouldHoldAliveWhoWasOnlyCutOff() {
        VirtualNetwork network = network(32, 2).start();
        network.runFor(3 * DELTA);
        network.cutOff(slot -> slot == 9);
        network.runFor(5 * DELTA);
        assertThat(network.nodes[0].detector.isDead(9)).isTrue();
        network.cutOff(slot -> false);

        network.runFor(3 * DELTA);

        assertThat(network.faults()).isEmpty();
        assertThat(network.nodes[9].refutations).isPositive();
    }

    @ParameterizedTest
    @CsvSource({"16, 8", "33, 11", "2, 1"})
    void shouldHealASplitNetwork(int n, int half) {
        for (int seed = 0; seed < 10; seed++) {
            VirtualNetwork network = network(n, seed).start();
            network.runFor(3 * DELTA);
            network.cutOff(slot -> slot < half);
            network.runFor(2L * n * DELTA);
            assertThat(network.nodes[0].detector.isDead(n - 1)).isTrue();
            network.cutOff(slot -> false);

            network.runFor(8 * DELTA);

            assertThat(network.faults()).as("seed %d", seed).isEmpty();
        }
    }

    /** A new epoch reaches the members spread over 3 δ: nobody may be accused in between, and a death is still found. */
    @Test
    void shouldAccuseNobodyWhileAMembershipSpreads() {
        for (int seed = 0; seed < 20; seed++) {
            VirtualNetwork network = network(24, seed).losing(0.02).start();
            network.runFor(3 * DELTA);

            network.installEverywhere(network.membership(2), 3 * DELTA);
            network.runFor(4 * DELTA);

            assertThat(network.live())
                    .allSatisfy(node -> assertThat(node.suspicions).isZero());
            network.kill(11);
            network.runFor(2 * DELTA);
            assertThat(network.faults()).as("seed %d", seed).isEmpty();
        }
    }

    /** The flood of a death in the old epoch passes by those in the new one; the hash in the heartbeats finds out. */
    @Test
    void shouldCarryADeathAcrossAnEpochChange() {
        for (int seed = 0; seed < 20; seed++) {
            VirtualNetwork network = network(24, seed).start();
            network.runFor(3 * DELTA);
            network.kill(11);
            network.installEverywhere(network.membership(2), 2 * DELTA);

            network.runFor(6 * DELTA);

            assertThat(network.faults()).as("seed %d", seed).isEmpty();
        }
    }

    @Test
    void shouldRunTheSameTwiceWithTheSameSeed() {
        assertThat(fingerprint(7)).isEqualTo(fingerprint(7)).isNotEqualTo(fingerprint(8));
    }

    private String fingerprint(long seed) {
        VirtualNetwork network = network(32, seed).losing(0.1).start();
        network.runFor(3 * DELTA);
        network.kill(3, 4, 5);
        network.runFor(8 * DELTA);
        StringBuilder text = new StringBuilder();
        for (MessageType type : MessageType.values()) {
            text.append(type).append(network.sent(type)).append(' ');
        }
        network.live().forEach(node -> text.append(node.silentAt));
        return text.toString();
    }
}
