package io.dmodc.routing.dmodc;

import io.dmodc.routing.PortPattern;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * What is routed to: which switches are targets, and which columns of a table belong to each.
 *
 * <p>Costs depend only on the target, so candidates are found once per target for all its columns. Immutable once made.
 */
final class TargetColumns {
    /** Entries of a row. */
    final int columnCount;

    /** What is added to a column to get the d of the formulas. */
    final int formulaOffset;

    final int[] targetSwitch;

    /** Target of each switch, or −1. */
    final int[] switchTarget;

    final ColumnStretches stretches;

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
        stretches = new ColumnStretches(columnTarget, targetSwitch.length);
    }

    /** Columns are node indices, targets the view's own. */
    static TargetColumns nodes(FabricView view) {
        return nodes(view, node -> true);
    }

    /** The same with some columns alone: the others belong to no target. */
    static TargetColumns nodes(FabricView view, IntPredicate some) {
        int[] targetSwitch = new int[view.targetCount()];
        Arrays.setAll(targetSwitch, view::targetSwitch);
        int[] columnTarget = new int[view.nodeCount()];
        byte[] ownPort = new byte[view.nodeCount()];
        for (int node = 0; node < columnTarget.length; node++) {
            int s = view.nodeSwitch(node);
            columnTarget[node] = s < 0 || !some.test(node) ? -1 : view.targetOfSwitch(s);
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
        stretches.forEachRun(
                target, (from, to) -> runs.add(from, to, PortPattern.literal(ownPort, from, to - from, from)));
    }

    int targetCount() {
        return targetSwitch.length;
    }
}
