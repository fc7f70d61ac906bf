package io.dmodc.detector;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.detector.sim.Cut;
import io.dmodc.detector.sim.NetworkConditions;
import io.dmodc.detector.sim.RingInspection;
import io.dmodc.detector.sim.VirtualRing;
import io.dmodc.detector.sim.VirtualRingListener;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The simulator's ring with a note for each node of what it has heard. Times are nanoseconds; η = 100 ms, δ = 1 s,
 * delay up to τ = 1 ms, sending takes no time. Same seed, same run.
 */
final class VirtualNetwork {
    static final long MILLI = 1_000_000L;
    static final RingRules PUBLISHED = RingRules.published(100 * MILLI, 1_000 * MILLI);
    static final long ETA = PUBLISHED.heartbeatNanos();
    static final long DELTA = PUBLISHED.suspicionNanos();
    static final long TAU = MILLI;

    final Node[] nodes;
    long now;

    private final VirtualRing ring;
    private final List<Cut> cuts = new ArrayList<>();
    private NetworkConditions conditions = new NetworkConditions((int) (TAU / 1_000), 0, 0, 0, 0, false);

    VirtualNetwork(int slotCount, long seed) {
        this(slotCount, seed, PUBLISHED);
    }

    VirtualNetwork(int slotCount, long seed, RingRules rules) {
        ring = new VirtualRing(slotCount, rules, conditions, seed, new Notes());
        nodes = IntStream.range(0, slotCount).mapToObj(Node::new).toArray(Node[]::new);
    }

    VirtualNetwork losing(double share) {
        conditions = conditions.losing(share);
        ring.conditions(conditions);
        return this;
    }

    VirtualNetwork duplicating(double share) {
        conditions = conditions.duplicating(share);
        ring.conditions(conditions);
        return this;
    }

    /** All members learn the first membership within one η, in random order. */
    VirtualNetwork start() {
        installEverywhere(membership(1), ETA);
        return this;
    }

    Membership membership(long epoch) {
        return VirtualRing.membership(nodes.length, epoch);
    }

    /** Installs at each node at a random moment within the spread. */
    void installEverywhere(Membership membership, long spread) {
        ring.installEverywhere(membership, spread);
    }

    void kill(int... slots) {
        ring.kill(slots);
        for (int slot : slots) {
            nodes[slot].up = false;
        }
    }

    /** The agent starts anew: it has forgotten everything but its incarnation counter. */
    void restart(int slot, int incarnation) {
        ring.restart(slot, incarnation);
        nodes[slot] = new Node(slot);
    }

    /** Nothing passes between the slots of the island and the others; an island of nobody heals the network. */
    void cutOff(IntPredicate slots) {
        cuts.forEach(ring::mend);
        cuts.clear();
        BitSet island = new BitSet();
        BitSet others = new BitSet();
        IntStream.range(0, nodes.length).forEach(slot -> (slots.test(slot) ? island : others).set(slot));
        cut(new Cut(island, others, true));
        cut(new Cut(others, island, true));
    }

    private void cut(Cut cut) {
        cuts.add(cut);
        ring.cut(cut);
    }

    /** What one slot sends to another, this way round, is lost from now on. */
    void cutWay(int from, int to) {
        cut(new Cut(Cut.only(from), Cut.only(to), false));
    }

    void runFor(long nanos) {
        ring.runFor(nanos);
        now = ring.now();
    }

    long sent(MessageType type) {
        return ring.sent(type);
    }

    List<Node> live() {
        return IntStream.range(0, nodes.length)
                .mapToObj(slot -> nodes[slot])
                .filter(node -> node.up)
                .toList();
    }

    /**
     * What is not as it should be once the network is calm: empty when all live nodes know all dead and no others. The
     * obvious twin of {@link RingInspection}, which must see it the same way.
     */
    List<String> faults() {
        List<String> faults = new ArrayList<>();
        for (Node node : live()) {
            for (Node other : nodes) {
                if (node.detector.isDead(other.slot) == other.up) {
                    faults.add(node.slot + " holds " + other.slot + (other.up ? " dead" : " alive"));
                } else if (other.up && node.detector.incarnation(other.slot) != other.detector.ownIncarnation()) {
                    faults.add(node.slot + " knows " + other.slot + " in another incarnation");
                }
            }
            Node emitter = nodes[node.detector.emitter()];
            if (node.detector.emitter() != liveBefore(node.slot) || emitter.detector.observer() != node.slot) {
                faults.add("ring open at " + node.slot + ": emitter " + emitter.slot + ", whose observer is "
                        + emitter.detector.observer());
            }
        }
        assertThat(RingInspection.of(ring).faults().isEmpty())
                .as(faults.toString())
                .isEqualTo(faults.isEmpty());
        return faults;
    }

    private int liveBefore(int slot) {
        int found = slot;
        do {
            found = Math.floorMod(found - 1, nodes.length);
        } while (!nodes[found].up);
        return found;
    }

    final class Node {
        final int slot;
        final RingDetector detector;
        boolean up = true;
        final Map<Integer, Long> silentAt = new HashMap<>();
        int suspicions;
        long refutations;
        long revokedAt = Long.MAX_VALUE;

        Node(int slot) {
            this.slot = slot;
            detector = ring.detector(slot);
        }

        /** When this node learnt of that death; far in the future if it has not. */
        long heardOf(int subject) {
            return silentAt.getOrDefault(subject, Long.MAX_VALUE);
        }
    }

    private final class Notes implements VirtualRingListener {
        @Override
        public void silent(long nowNanos, int node, int subject, int incarnation, int observer, int hops) {
            nodes[node].silentAt.putIfAbsent(subject, nowNanos);
            nodes[node].suspicions += hops == 0 ? 1 : 0;
        }

        @Override
        public void alive(long nowNanos, int node, int subject, int incarnation, int hops) {
            nodes[node].silentAt.remove(subject);
        }

        @Override
        public void ownIncarnation(long nowNanos, int node, int incarnation) {
            nodes[node].refutations++;
        }

        @Override
        public void revoked(long nowNanos, int node, long leaderEpoch, long fabricEpoch, int hops) {
            nodes[node].revokedAt = nowNanos;
        }
    }
}
