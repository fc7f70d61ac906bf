package io.dmodc.detector.sim;

import java.util.BitSet;

/** Something that became true at a time, and which nodes know it: one bit a node. */
final class FactSpread {
    /** What a fact is about. */
    enum Kind {
        DEATH,
        RETURN,
        REVOCATION
    }

    final Kind kind;
    /** Incarnation in which the subject died or returned; for a revocation its fabric epoch. */
    final long number;

    final long since;
    private final BitSet knowers = new BitSet();
    private int missing;
    private long firstKnown = -1;

    /** @param live how many nodes there are to learn of it */
    FactSpread(Kind kind, long number, long since, int live) {
        this.kind = kind;
        this.number = number;
        this.since = since;
        missing = live;
    }

    /** True if the node did not know before. */
    boolean learns(long now, int node) {
        if (knowers.get(node)) {
            return false;
        }
        knowers.set(node);
        missing--;
        firstKnown = firstKnown < 0 ? now : firstKnown;
        return true;
    }

    /** A node has died: nobody waits for it any more. */
    void leaves(int node) {
        if (knowers.get(node)) {
            knowers.clear(node);
        } else {
            missing--;
        }
    }

    /** A node has started anew; it is told in its own time, so nobody waits for it. */
    void excuses(int node) {
        knowers.set(node);
    }

    boolean isKnownToAll() {
        return missing == 0;
    }

    /** -1 while nobody knows. */
    long firstKnown() {
        return firstKnown;
    }
}
