package io.dmodc.topology.grid;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * For one kind of lines, which of them each leaf belongs to: the one whose roots most of its cables lead to, the first
 * of several. Index spaces: leaf target, line of this kind.
 */
final class LeafLines {
    static final int NONE = -1;

    private final List<GridLine> lines;
    private final int[] line;

    LeafLines(List<GridLine> lines, BitSet[] leavesOfRoot, int leafCount) {
        this.lines = lines;
        this.line = new int[leafCount];
        Arrays.fill(line, NONE);
        int[] cablesMax = new int[leafCount];
        int[] cables = new int[leafCount];
        for (int i = 0; i < lines.size(); i++) {
            int now = i;
            forEachCable(i, leavesOfRoot, leaf -> cables[leaf]++);
            forEachCable(i, leavesOfRoot, leaf -> {
                if (cables[leaf] > cablesMax[leaf]) {
                    cablesMax[leaf] = cables[leaf];
                    line[leaf] = now;
                }
                cables[leaf] = 0;
            });
        }
    }

    private void forEachCable(int i, BitSet[] leavesOfRoot, IntConsumer visitor) {
        for (int root : lines.get(i).roots()) {
            BitSet leaves = leavesOfRoot[root];
            for (int leaf = leaves.nextSetBit(0); leaf >= 0; leaf = leaves.nextSetBit(leaf + 1)) {
                visitor.accept(leaf);
            }
        }
    }

    int count() {
        return lines.size();
    }

    GridLine line(int i) {
        return lines.get(i);
    }

    int leafCount() {
        return line.length;
    }

    /** Line of a leaf, or {@link #NONE}. */
    int of(int leaf) {
        return line[leaf];
    }

    /** Leaves of a line, ascending. */
    List<Integer> leaves(int i) {
        List<Integer> leaves = new ArrayList<>();
        for (int leaf = 0; leaf < line.length; leaf++) {
            if (line[leaf] == i) {
                leaves.add(leaf);
            }
        }
        return leaves;
    }
}
