package io.dmodc.routing.vtftr;

import java.util.Arrays;

/**
 * One row or one column: which of its leaves are alive, and which roots each of them has a live cable to. Immutable.
 *
 * <p>Two leaves are joined when some root has a cable to both; usually that is so for all that are alive, and the line is
 * whole. Leaves are numbered by their place in the line.
 */
final class LineState {
    private final long[] alive;
    private final long[][] roots;
    private final boolean whole;

    /** @param roots for each leaf of the line its live roots; none for a dead leaf */
    LineState(long[] alive, long[][] roots) {
        this.alive = alive;
        this.roots = roots;
        this.whole = isWhole();
    }

    private boolean isWhole() {
        for (int a = 0; a < roots.length; a++) {
            for (int b = 0; b < a; b++) {
                if (isAlive(a) && isAlive(b) && !Bits.meet(roots[a], roots[b])) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Not to be changed. */
    long[] alive() {
        return alive;
    }

    boolean isAlive(int leaf) {
        return Bits.get(alive, leaf);
    }

    /** All leaves that are alive are joined. */
    boolean whole() {
        return whole;
    }

    /** Both are alive and some root has a cable to both. */
    boolean joined(int a, int b) {
        return isAlive(a) && isAlive(b) && (whole || Bits.meet(roots[a], roots[b]));
    }

    /** Roots with a live cable to a leaf; not to be changed. */
    long[] roots(int leaf) {
        return roots[leaf];
    }

    /** True if a leaf has live cables to the very same roots in another state of the line. */
    boolean sameRoots(LineState other, int leaf) {
        return Arrays.equals(roots[leaf], other.roots[leaf]);
    }

    /** Alive and joined to every other leaf that is alive. */
    boolean sound(int leaf) {
        for (int other = 0; !whole && other < roots.length; other++) {
            if (isAlive(other) && other != leaf && !joined(leaf, other)) {
                return false;
            }
        }
        return isAlive(leaf);
    }

    /** This one if nothing differs, so that what is alike is shared. */
    LineState orSame(LineState newer) {
        return Arrays.equals(alive, newer.alive) && Arrays.deepEquals(roots, newer.roots) ? this : newer;
    }
}
