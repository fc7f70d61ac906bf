package io.dmodc.detector;

import static io.dmodc.detector.MessageType.HEARTBEAT;
import static io.dmodc.detector.MessageType.REVOKE;
import static io.dmodc.detector.MessageType.SYNC;
import static io.dmodc.detector.VirtualNetwork.DELTA;
import static io.dmodc.detector.VirtualNetwork.ETA;
import static io.dmodc.detector.VirtualNetwork.TAU;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** ULFM's revoke as it maps here: "apply no table older than this one" reaches every agent, and stays known. */
class RevocationTest {
    private final OneNode node = new OneNode(4, 10);

    @Test
    void shouldTellEachHigherRevocationOnceAndPassItOn() {
        node.takeSent();

        node.receive(revoke(7, 3, 12));
        node.receive(revoke(8, 3, 12));
        node.receive(revoke(8, 2, 99));
        node.receive(revoke(8, 3, 11));

        assertThat(node.heard).containsExactly("revoked 3/12 hops 1");
        assertThat(node.takeSent()).hasSize(Overlay.neighbours(4, 10).length).allSatisfy(sent -> {
            assertThat(sent.message().type).isEqualTo(REVOKE);
            assertThat(sent.message().leaderEpoch).isEqualTo(3);
            assertThat(sent.message().fabricEpoch).isEqualTo(12);
            assertThat(sent.message().hops).isEqualTo(2);
        });
        node.receive(revoke(8, 3, 13));
        node.receive(revoke(8, 4, 0));
        assertThat(node.heard).endsWith("revoked 3/13 hops 1", "revoked 4/0 hops 1");
    }

    /** A number out of the air must not be the last one for ever. */
    @Test
    void shouldRefuseEpochsThatCannotBe() {
        node.receive(revoke(7, -1, 0));
        node.receive(revoke(7, 1L << 31, 0));
        node.receive(revoke(7, 1, -1));
        node.receive(revoke(7, 1, (1L << 62) + 1));
        assertThat(node.heard).isEmpty();

        node.receive(revoke(7, 7, 0));
        node.receive(revoke(7, 7 + (1 << 22) + 1, 0));
        assertThat(node.heard).containsExactly("revoked 7/0 hops 1");
        node.receive(revoke(7, 7 + (1 << 22), 0));
        assertThat(node.heard).endsWith("revoked 4194311/0 hops 1");
    }

    /** Whoever is still in another manager's ring is who must hear of it. */
    @Test
    void shouldHonourARevocationOfAnotherEpochAndFloodItInItsOwn() {
        RingMessage foreign = revoke(7, 3, 12);
        foreign.epoch++;
        foreign.fromSlot = 1;
        node.takeSent();

        node.receive(foreign);

        assertThat(node.heard).containsExactly("revoked 3/12 hops 1");
        assertThat(node.takeReceivers(REVOKE)).hasSizeGreaterThan(4);
    }

    @Test
    void shouldNotTellItselfWhatItRevoked() {
        node.takeSent();

        node.detector.revoke(2, 5);
        node.detector.revoke(2, 4);

        assertThat(node.heard).isEmpty();
        assertThat(node.takeReceivers(REVOKE)).containsExactlyInAnyOrder(2, 3, 5, 6, 8, 0);
    }

    /** A joiner that missed the flood shows another hash than its observer, and is told. */
    @Test
    void shouldTellWhoMissedIt() {
        node.receive(revoke(7, 3, 12));
        RingMessage unaware = node.from(3, HEARTBEAT);
        unaware.setHash = 0;
        unaware.recordCount = 0;
        node.takeSent();

        node.receive(unaware);
        node.receive(unaware);

        assertThat(node.takeSent()).extracting(sent -> sent.message().type).containsExactly(SYNC, REVOKE);
    }

    @Test
    void shouldKeepItInANewerMembership() {
        node.receive(revoke(7, 3, 12));

        node.install(6, 4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
        node.receive(revoke(7, 3, 12));

        assertThat(node.heard).hasSize(1);
    }

    /** Any node may begin; nodes die while it travels, and one tenth of all datagrams is lost. */
    @ParameterizedTest
    @EnumSource(Overlay.Kind.class)
    void shouldReachEverySurvivorThoughNodesDieMeanwhile(Overlay.Kind overlay) {
        RingRules rules = new RingRules(ETA, DELTA, 12, 2, overlay);
        for (int seed = 0; seed < 30; seed++) {
            VirtualNetwork network =
                    new VirtualNetwork(48, seed, rules).losing(0.1).start();
            network.runFor(3 * DELTA);
            network.nodes[seed].detector.revoke(9, seed);
            network.runFor(TAU / 2);
            network.kill(1, 17, 33);

            network.runFor(6 * DELTA);

            int source = seed;
            assertThat(network.live())
                    .filteredOn(node -> node.slot != source)
                    .as("seed %d", seed)
                    .allSatisfy(node -> assertThat(node.revokedAt).isLessThan(network.now));
        }
    }

    /** Without loss it is there within the time of a broadcast, long before any heartbeat could carry it. */
    @ParameterizedTest
    @EnumSource(Overlay.Kind.class)
    void shouldArriveWithinTheTimeOfABroadcast(Overlay.Kind overlay) {
        RingRules rules = new RingRules(ETA, DELTA, 0, 0, overlay);
        VirtualNetwork network = new VirtualNetwork(100, 3, rules).start();
        network.runFor(3 * DELTA);
        long begun = network.now;

        network.nodes[42].detector.revoke(1, 1);
        network.runFor(8 * TAU * 7);

        assertThat(network.live())
                .filteredOn(node -> node.slot != 42)
                .allSatisfy(node -> assertThat(node.revokedAt).isBetween(begun, begun + 8 * TAU * 7));
    }

    /** The hypercube carries deaths, joins and refutations as well as the flood does. */
    @Test
    void shouldCarryDeathsAndRejoinsOverTheHypercube() {
        RingRules rules = new RingRules(ETA, DELTA, 10, 2, Overlay.Kind.HYPERCUBE);
        for (int n : new int[] {5, 16, 21, 48, 64}) {
            VirtualNetwork network =
                    new VirtualNetwork(n, n, rules).duplicating(0.05).start();
            network.runFor(3 * DELTA);
            network.kill(1, n - 2);
            network.runFor(DELTA + ETA);
            assertThat(network.faults()).as("n %d, two dead", n).isEmpty();

            network.restart(1, 1);
            network.runFor(DELTA + 3 * ETA); // the one that is back doubts for δ what it is told of the dead

            assertThat(network.faults()).as("n %d, one back", n).isEmpty();
        }
    }

    private RingMessage revoke(int from, long leaderEpoch, long fabricEpoch) {
        RingMessage message = node.from(from, REVOKE);
        message.leaderEpoch = leaderEpoch;
        message.fabricEpoch = fabricEpoch;
        return message;
    }
}
