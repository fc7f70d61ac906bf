package io.dmodc.routing.dmodc;

import io.dmodc.routing.PortPattern;
import io.dmodc.topology.FabricView;
import java.util.Arrays;

/**
 * What is routed to: which switches are targets, and which columns of a table belong to each.
 *
 * <p>Costs depend only on the target, so candidates are found once per target for all its columns. The columns of a
 * target are kept as runs {@code runFrom[r] .. runTo[r] − 1}, {@code r} in {@code runBase[t] .. runBase[t + 1] − 1}:
 * nearly always one run a leaf. Immutable once made.
 */
final class TargetColumns {
    /** Entries of a row. */
    final int columnCount;

    /** What is added to a column to get the d of the formulas. */
    final int formulaOffset;

    final int[] targetSwitch;

    /** Target of each switch, or −1. */
    final int[] switchTarget;

    final int[] runBase;
    final int[] runFrom;
    final int[] runTo;

    /** Bit set of the targets whose columns are one run that begins where that of the target before ends. */
    final long[] adjoins;

    private final boolean ascending;

    /** Entry of each column at the switch of its own target. */
    private final byte[] ownPort;

    private TargetColumns(int formulaOffset, int[] targetSwitch, int[] columnTarget, byte[] ownPort, int switchCount) {
        this.columnCount = columnTarget.length;
        this.formulaOffset = formulaOffset;
        this.targetSwitch = targetSwitch;
        this.ownPort = ownPort;
        switchTarget = new int[switchCount];
        Arrays.fill(switchTarget, -1);
        for (int target = 0; target < targetSwitch.length; target++) {
            switchTarget[targetSwitch[target]] = target;
        }
        runBase = countRuns(columnTarget, targetSwitch.length);
        runFrom = new int[runBase[targetSwitch.length]];
        runTo = new int[runFrom.length];
        fillRuns(columnTarget);
        adjoins = findAdjoining();
        ascending = runsAscend();
    }

    /** Columns are node indices, targets the view's own. */
    static TargetColumns nodes(FabricView view) {
        int[] targetSwitch = new int[view.targetCount()];
        Arrays.setAll(targetSwitch, view::targetSwitch);
        int[] columnTarget = new int[view.nodeCount()];
        byte[] ownPort = new byte[view.nodeCount()];
        for (int node = 0; node < columnTarget.length; node++) {
            int s = view.nodeSwitch(node);
            columnTarget[node] = s < 0 ? -1 : view.targetOfSwitch(s);
            ownPort[node] = (byte) view.nodePort(node);
        }
        return new TargetColumns(0, targetSwitch, columnTarget, ownPort, view.switchCount());
    }

    /** Columns are switch indices; each switch is a target of its own, at its port 0. */
    static TargetColumns switches(FabricView view) {
        int[] identity = new int[view.switchCount()];
        Arrays.setAll(identity, s -> s);
        return new TargetColumns(view.nodeCount(), identity, identity, new byte[identity.length], identity.length);
    }

    /** The targets there are among the 64 of a word. */
    long targetsOfWord(int w) {
        int left = targetSwitch.length - (w << 6);
        return left >= 64 ? -1 : (1L << left) - 1;
    }

    /** Adds the columns of a target with the ports that its nodes are cabled to, in ascending order. */
    void addOwnRuns(int target, RunList runs) {
        for (int r = runBase[target]; r < runBase[target + 1]; r++) {
            runs.add(runFrom[r], runTo[r], PortPattern.literal(ownPort, runFrom[r], runTo[r] - runFrom[r], runFrom[r]));
        }
    }

    /** True if the columns of each target come after those of the target before. */
    boolean ascending() {
        return ascending;
    }

    int targetCount() {
        return targetSwitch.length;
    }

    private static int[] countRuns(int[] columnTarget, int targetCount) {
        int[] base = new int[targetCount + 1];
        for (int column = 0; column < columnTarget.length; column++) {
            if (startsRun(columnTarget, column)) {
                base[columnTarget[column] + 1]++;
            }
        }
        for (int target = 0; target < targetCount; target++) {
            base[target + 1] += base[target];
        }
        return base;
    }

    private void fillRuns(int[] columnTarget) {
        int[] next = runBase.clone();
        for (int column = 0; column < columnTarget.length; column++) {
            int target = columnTarget[column];
            if (startsRun(columnTarget, column)) {
                runFrom[next[target]++] = column;
            }
            if (target >= 0) {
                runTo[next[target] - 1] = column + 1;
            }
        }
    }

    private long[] findAdjoining() {
        long[] adjoining = new long[(targetSwitch.length + 63) / 64];
        for (int target = 1; target < targetSwitch.length; target++) {
            int r = runBase[target];
            if (runBase[target + 1] == r + 1 && r > runBase[target - 1] && runTo[r - 1] == runFrom[r]) {
                adjoining[target >> 6] |= 1L << target;
            }
        }
        return adjoining;
    }

    private boolean runsAscend() {
        for (int r = 1; r < runFrom.length; r++) {
            if (runFrom[r] < runTo[r - 1]) {
                return false;
            }
        }
        return true;
    }

    private static boolean startsRun(int[] columnTarget, int column) {
        return columnTarget[column] >= 0 && (column == 0 || columnTarget[column - 1] != columnTarget[column]);
    }
}
