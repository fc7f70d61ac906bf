package io.dmodc.detector.sim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Holds against each other what is true and what the nodes find out, while the ring runs: when who knew of which death,
 * return and revocation, and who was held dead although it lived.
 *
 * <p>Whoever holds a living node dead is counted, whether it accused it or believed another one. Excused is only what no
 * detector could know better: that node was itself stopped, deaf, mute or alone; or the network was really split between
 * it and who holds it dead, or who accused it. All of that until a time of grace after it ended. A node that cannot hear,
 * or is heard by nobody, is no excuse for what it does to others.
 *
 * <p>The script says what becomes true, before it does it to the ring; the ring reports what it hears. One bit per node
 * and fact; O(1) per thing heard, O(facts) per node that goes or comes.
 */
final class KnowledgeTracker implements VirtualRingListener {
    private static final int REVOCATION = -1;

    /** What a node reads after a stop may be older than the times of grace are long. */
    private static final int STOPPED_GRACES = 2;

    private final Map<Integer, FactSpread> facts = new HashMap<>();
    private final KnowledgeTimes deaths = new KnowledgeTimes();
    private final KnowledgeTimes returns = new KnowledgeTimes();
    private final KnowledgeTimes revocations = new KnowledgeTimes();
    private final BitSet down = new BitSet();
    private final BitSet outdated = new BitSet();
    private final List<Disturbance> disturbances = new ArrayList<>();
    private final Map<Long, Long> accusations = new HashMap<>();
    private final long[] deadIncarnation;
    private final int nodeCount;
    private final long graceNanos;
    private final long freshNanos;
    private int hopsMax;
    private int falseSuspicions;
    private String firstFalse = "";
    private int disturbedSuspicions;
    private int refutations;

    /** A node that suffers something itself, or a split; over at {@code until} if that is set. */
    private static final class Disturbance {
        final int node;
        final @Nullable Cut split;
        final boolean stopped;
        long until = Long.MAX_VALUE;

        Disturbance(int node, @Nullable Cut split, boolean stopped) {
            this.node = node;
            this.split = split;
            this.stopped = stopped;
        }
    }

    /**
     * Knows of nothing yet.
     *
     * @param graceNanos how long what was cut or stopped is an excuse after it has ended
     * @param freshNanos how long others may believe an accusation whose observer cannot hear the accused
     */
    KnowledgeTracker(int nodeCount, long graceNanos, long freshNanos) {
        this.nodeCount = nodeCount;
        this.graceNanos = graceNanos;
        this.freshNanos = freshNanos;
        deadIncarnation = new long[nodeCount];
        Arrays.fill(deadIncarnation, -1);
    }

    /** A node dies in this incarnation. */
    void dies(long now, int node, int incarnation) {
        down.set(node);
        deadIncarnation[node] = Math.max(deadIncarnation[node], Integer.toUnsignedLong(incarnation));
        forget(now, node);
        facts.values().forEach(fact -> {
            boolean waited = !fact.isKnownToAll();
            fact.leaves(node);
            if (waited && fact.isKnownToAll()) {
                times(fact.kind).knownToAll(now, fact);
            }
        });
        FactSpread death = begin(now, node, FactSpread.Kind.DEATH, Integer.toUnsignedLong(incarnation));
        outdated.stream().filter(other -> !down.get(other)).forEach(other -> {
            death.leaves(other);
            death.excuses(other);
        });
    }

    /** A node starts anew in this incarnation. */
    void returns(long now, int node, int incarnation) {
        resumes(now, node);
        forget(now, node);
        facts.values().forEach(fact -> fact.excuses(node));
        if (Integer.toUnsignedLong(incarnation) > deadIncarnation[node]) {
            begin(now, node, FactSpread.Kind.RETURN, Integer.toUnsignedLong(incarnation))
                    .excuses(node);
        } // else nobody can tell, until it hears of its death and outbids it
        down.clear(node);
    }

    /** A node revokes tables older than this epoch. */
    void revokes(long now, int node, long fabricEpoch) {
        forget(now, REVOCATION);
        begin(now, REVOCATION, FactSpread.Kind.REVOCATION, fabricEpoch);
        revoked(now, node, 0, fabricEpoch, 0);
    }

    /** From now on whoever holds this node dead is excused. It must not blame others for what it suffers itself. */
    void disturbs(int node) {
        disturbances.add(new Disturbance(node, null, false));
    }

    /** The same; the node does not run. */
    void stops(int node) {
        disturbances.add(new Disturbance(node, null, true));
    }

    /** A node that was deaf, mute or alone is so no more. */
    void calms(long now, int node) {
        ends(now, each -> each.split == null && each.node == node && !each.stopped);
    }

    /** A node that was stopped runs again. */
    void resumes(long now, int node) {
        ends(now, each -> each.node == node && each.stopped);
    }

    /** The network is really split there from now on. */
    void splits(Cut split) {
        disturbances.add(new Disturbance(-1, split, false));
    }

    void heals(long now, Cut split) {
        ends(now, each -> split.equals(each.split));
    }

    private void ends(long now, Predicate<Disturbance> which) {
        disturbances.stream()
                .filter(each -> each.until == Long.MAX_VALUE)
                .filter(which)
                .reduce((earlier, later) -> later)
                .ifPresent(last -> last.until = now + graceNanos);
    }

    /** From now on nobody waits until this node knows of a death: it has not heard of the newest membership. */
    void falls(int node) {
        outdated.set(node);
    }

    void catchesUp(int node) {
        outdated.clear(node);
    }

    /** What such a node reads lay in its socket. */
    private boolean wasStopped(long now, int node) {
        return disturbances.stream().anyMatch(each -> each.node == node && each.stopped && each.until >= now);
    }

    private boolean isExcused(long now, int node, int observer, int subject, int incarnation) {
        if (Integer.toUnsignedLong(incarnation) <= deadIncarnation[subject]) {
            return true; // it did die in that life
        }
        disturbances.removeIf(each -> each.until < now - STOPPED_GRACES * graceNanos);
        boolean wasStopped = wasStopped(now, node);
        long since = wasStopped ? now - STOPPED_GRACES * graceNanos : now;
        long accused = accusations.getOrDefault((long) observer << 32 | subject, Long.MIN_VALUE);
        boolean isFresh = now - freshNanos <= accused || wasStopped;
        for (Disturbance each : disturbances) {
            Cut split = each.split;
            if (each.until < since) {
                continue;
            }
            if (split == null
                    ? each.node == subject
                    : split.separates(subject, node) || (isFresh && split.separates(subject, observer))) {
                return true;
            }
        }
        return false;
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
    public void silent(long now, int node, int subject, int incarnation, int observer, int hops) {
        if (hops == 0) {
            accusations.put((long) node << 32 | subject, now);
        }
        if (!down.get(subject)) {
            boolean excused = isExcused(now, node, observer, subject, incarnation);
            falseSuspicions += excused ? 0 : 1;
            disturbedSuspicions += excused ? 1 : 0;
            if (!excused && firstFalse.isEmpty()) {
                firstFalse = "at " + now / 1_000_000 + " ms " + node + " held " + subject
                        + " dead, which lived; accused by " + observer + ", " + hops + " hops";
            }
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

    /** How often a node held one dead that lived, without an excuse. */
    int falseSuspicions() {
        return falseSuspicions;
    }

    /** The first of them; empty without one. */
    String firstFalse() {
        return firstFalse;
    }

    /** How often a node held one dead that lived, but was disturbed itself or on the other side of a split. */
    int disturbedSuspicions() {
        return disturbedSuspicions;
    }

    /** How often a node raised its own incarnation. */
    int refutations() {
        return refutations;
    }
}
