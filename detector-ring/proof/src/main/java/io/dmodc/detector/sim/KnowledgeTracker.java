package io.dmodc.detector.sim;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * Holds against each other what is true and what the nodes find out, while the ring runs: when who knew of which death,
 * return and revocation, and who was accused although it lived.
 *
 * <p>The script says what becomes true, before it does it to the ring; the ring reports what it hears. One bit per node
 * and fact; O(1) per thing heard, O(facts) per node that goes or comes.
 */
final class KnowledgeTracker implements VirtualRingListener {
    private static final int REVOCATION = -1;

    private final Map<Integer, FactSpread> facts = new HashMap<>();
    private final KnowledgeTimes deaths = new KnowledgeTimes();
    private final KnowledgeTimes returns = new KnowledgeTimes();
    private final KnowledgeTimes revocations = new KnowledgeTimes();
    private final BitSet down = new BitSet();
    private final BitSet stopped = new BitSet();
    private final BitSet cutOff = new BitSet();
    private final int nodeCount;
    private int hopsMax;
    private int falseSuspicions;
    private int disturbedSuspicions;
    private int refutations;

    KnowledgeTracker(int nodeCount) {
        this.nodeCount = nodeCount;
    }

    /** A node dies in this incarnation. */
    void dies(long now, int node, int incarnation) {
        down.set(node);
        forget(now, node);
        facts.values().forEach(fact -> {
            boolean waited = !fact.isKnownToAll();
            fact.leaves(node);
            if (waited && fact.isKnownToAll()) {
                times(fact.kind).knownToAll(now, fact);
            }
        });
        begin(now, node, FactSpread.Kind.DEATH, Integer.toUnsignedLong(incarnation));
    }

    /** A node starts anew in this incarnation. */
    void returns(long now, int node, int incarnation) {
        forget(now, node);
        facts.values().forEach(fact -> fact.excuses(node));
        begin(now, node, FactSpread.Kind.RETURN, Integer.toUnsignedLong(incarnation))
                .excuses(node);
        down.clear(node);
    }

    /** A node revokes tables older than this epoch. */
    void revokes(long now, int node, long fabricEpoch) {
        forget(now, REVOCATION);
        begin(now, REVOCATION, FactSpread.Kind.REVOCATION, fabricEpoch);
        revoked(now, node, 0, fabricEpoch, 0);
    }

    /** From now on whoever accuses this node is excused. It must not blame its stop on others itself. */
    void stops(int node) {
        stopped.set(node);
    }

    /** From now on whoever accuses this node is excused, and so is the node, which hears nobody. */
    void cutsOff(int node) {
        cutOff.set(node);
    }

    private void forget(long now, int subject) {
        FactSpread old = facts.remove(subject);
        if (old != null && !old.isKnownToAll()) {
            times(old.kind).overtaken(now);
        }
    }

    private FactSpread begin(long now, int subject, FactSpread.Kind kind, long number) {
        FactSpread fact = new FactSpread(kind, number, now, nodeCount - down.cardinality());
        facts.put(subject, fact);
        times(kind).begins(now);
        return fact;
    }

    private void learns(long now, int node, int subject, FactSpread.Kind kind, long number, int hops) {
        FactSpread fact = facts.get(subject);
        if (fact == null || fact.kind != kind || number < fact.number) {
            return;
        }
        if (fact.firstKnown() < 0) {
            times(kind).firstKnown(now - fact.since);
        }
        if (fact.learns(now, node)) {
            hopsMax = Math.max(hopsMax, hops);
            if (fact.isKnownToAll()) {
                times(kind).knownToAll(now, fact);
            }
        }
    }

    @Override
    public void silent(long now, int node, int subject, int incarnation, int hops) {
        if (!down.get(subject) && hops == 0) {
            boolean excused = stopped.get(subject) || cutOff.get(subject) || cutOff.get(node);
            falseSuspicions += excused ? 0 : 1;
            disturbedSuspicions += excused ? 1 : 0;
        }
        learns(now, node, subject, FactSpread.Kind.DEATH, Integer.toUnsignedLong(incarnation), hops);
    }

    @Override
    public void alive(long now, int node, int subject, int incarnation, int hops) {
        learns(now, node, subject, FactSpread.Kind.RETURN, Integer.toUnsignedLong(incarnation), hops);
    }

    @Override
    public void ownIncarnation(long now, int node, int incarnation) {
        refutations++;
        forget(now, node);
        begin(now, node, FactSpread.Kind.RETURN, Integer.toUnsignedLong(incarnation));
        learns(now, node, node, FactSpread.Kind.RETURN, Integer.toUnsignedLong(incarnation), 0);
    }

    @Override
    public void revoked(long now, int node, long leaderEpoch, long fabricEpoch, int hops) {
        learns(now, node, REVOCATION, FactSpread.Kind.REVOCATION, fabricEpoch, hops);
    }

    KnowledgeTimes times(FactSpread.Kind kind) {
        return switch (kind) {
            case DEATH -> deaths;
            case RETURN -> returns;
            case REVOCATION -> revocations;
        };
    }

    /** True if all live nodes know all that has become true. */
    boolean isComplete() {
        return deaths.pending() == 0 && returns.pending() == 0 && revocations.pending() == 0;
    }

    /** Most hops a first copy of something true has travelled. */
    int hopsMax() {
        return hopsMax;
    }

    /** Accusations of nodes that lived, for which there was no excuse. */
    int falseSuspicions() {
        return falseSuspicions;
    }

    /** Accusations of nodes that lived, of or by one that was stopped or cut off at some time. */
    int disturbedSuspicions() {
        return disturbedSuspicions;
    }

    /** How often a node raised its own incarnation. */
    int refutations() {
        return refutations;
    }
}
