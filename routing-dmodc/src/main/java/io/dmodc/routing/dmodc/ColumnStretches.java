package io.dmodc.routing.dmodc;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Which columns of a table belong to which target, as stretches: columns without gaps that belong to successive targets.
 *
 * <p>Where nodes are numbered leaf by leaf there is one; where they are numbered by type there is one for each, and
 * for a node with a number out of order one of its own. What all targets have is found once, target by target
 * ({@link CandidateSetRuns}), and then written out stretch by stretch, in ascending order of columns. Immutable.
 */
final class ColumnStretches {
    /** Targets without columns that a stretch may pass over: leaves that have no node of its type. */
    private static final int SKIPPED_MAX = 16;

    /** With so few it is not asked which of them are concerned. */
    private static final int FEW = 8;

    /** Receives the columns of runs of targets. */
    interface SetVisitor {
        /**
         * Columns {@code from .. to − 1}.
         *
         * @param set number of the run's candidate set
         */
        void columns(int set, int from, int to);
    }

    private int count;
    private int[] firstTarget = new int[4];

    /** Columns of target {@code firstTarget[i] + k} start at {@code bounds[boundBase[i] + k]}, and end before the next. */
    private int[] boundBase = new int[5];

    private int[] bounds = new int[64];

    /** Stretches with columns of a target: {@code stretches[stretchBase[t] .. stretchBase[t + 1] − 1]}. */
    private final int[] stretchBase;

    private final int[] stretches;

    /**
     * @param columnTarget −1 where a column belongs to no target
     */
    ColumnStretches(int[] columnTarget, int targetCount) {
        int last = -1;
        for (int column = 0; column < columnTarget.length; column++) {
            int target = columnTarget[column];
            if (target != last) {
                if (last >= 0 && (target < last || target > last + 1 + SKIPPED_MAX)) {
                    close(column);
                    last = -1;
                }
                if (target >= 0 && last < 0) {
                    open(target);
                    last = target - 1;
                }
                for (; last < target; last++) {
                    bound(column);
                }
            }
        }
        if (last >= 0) {
            close(columnTarget.length);
        }
        stretchBase = new int[targetCount + 1];
        forEachTarget((target, stretch) -> stretchBase[target + 1]++);
        for (int target = 0; target < targetCount; target++) {
            stretchBase[target + 1] += stretchBase[target];
        }
        stretches = new int[stretchBase[targetCount]];
        int[] next = stretchBase.clone();
        forEachTarget((target, stretch) -> stretches[next[target]++] = stretch);
    }

    private void open(int target) {
        if (count == firstTarget.length) {
            firstTarget = Arrays.copyOf(firstTarget, 2 * count);
            boundBase = Arrays.copyOf(boundBase, 2 * count + 1);
        }
        firstTarget[count] = target;
        boundBase[count + 1] = boundBase[count];
    }

    private void bound(int column) {
        int at = boundBase[count + 1]++;
        if (at == bounds.length) {
            bounds = Arrays.copyOf(bounds, 2 * at);
        }
        bounds[at] = column;
    }

    private void close(int column) {
        bound(column);
        count++;
    }

    private interface TargetVisitor {
        void target(int target, int stretch);
    }

    private void forEachTarget(TargetVisitor visitor) {
        for (int i = 0; i < count; i++) {
            for (int at = boundBase[i]; at + 1 < boundBase[i + 1]; at++) {
                if (bounds[at] < bounds[at + 1]) {
                    visitor.target(firstTarget[i] + at - boundBase[i], i);
                }
            }
        }
    }

    /** Stretches there are. */
    int count() {
        return count;
    }

    /** Visits the columns of a target, ascending. */
    void forEachRun(int target, ColumnVisitor visitor) {
        for (int i = stretchBase[target]; i < stretchBase[target + 1]; i++) {
            int at = boundBase[stretches[i]] + target - firstTarget[stretches[i]];
            visitor.columns(bounds[at], bounds[at + 1]);
        }
    }

    interface ColumnVisitor {
        /** Columns {@code from .. to − 1}. */
        void columns(int from, int to);
    }

    /**
     * Visits the columns of runs of targets, ascending. O(runs) a stretch, less where it meets few of them; of many
     * stretches only those are asked that have columns of these targets.
     */
    void forEachRun(CandidateSetRuns runs, SetVisitor visitor) {
        if (count <= FEW || runs.targetCount() >= count) {
            for (int i = 0; i < count; i++) {
                forEachRun(i, runs, visitor);
            }
        } else {
            concerned(runs).stream().forEach(i -> forEachRun(i, runs, visitor));
        }
    }

    private BitSet concerned(CandidateSetRuns runs) {
        BitSet concerned = new BitSet(count);
        for (int run = 0; run < runs.count(); run++) {
            for (int i = stretchBase[runs.from(run)]; i < stretchBase[runs.to(run)]; i++) {
                concerned.set(stretches[i]);
            }
        }
        return concerned;
    }

    private void forEachRun(int stretch, CandidateSetRuns runs, SetVisitor visitor) {
        int first = firstTarget[stretch];
        int base = boundBase[stretch];
        int targets = boundBase[stretch + 1] - base - 1;
        for (int run = runs.firstEndingAfter(first); run < runs.count() && runs.from(run) < first + targets; run++) {
            int from = bounds[base + Math.max(runs.from(run) - first, 0)];
            int to = bounds[base + Math.min(runs.to(run) - first, targets)];
            if (from < to) {
                visitor.columns(runs.set(run), from, to);
            }
        }
    }
}
