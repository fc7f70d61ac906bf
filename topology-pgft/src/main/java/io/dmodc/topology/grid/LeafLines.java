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
    private final BitSet[] leavesOfRoot;
    private final int[] line;
    private final BitSet tied = new BitSet();

    LeafLines(List<GridLine> lines, BitSet[] leavesOfRoot, int leafCount) {
        this.lines = lines;
        this.leavesOfRoot = leavesOfRoot;
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
                    tied.clear(leaf);
                } else if (cables[leaf] == cablesMax[leaf]) {
                    tied.set(leaf);
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

    /** True for a leaf that has as many cables to another line as to its own. */
    boolean isTied(int leaf) {
        return tied.get(leaf);
    }

    /** The lines that a leaf has most cables to: more than one where it has as many to each; none if it has no cable. */
    BitSet mostCabledOf(int leaf) {
        BitSet most = new BitSet();
        int cablesMax = 1;
        for (int i = 0; i < lines.size(); i++) {
            int cables = cables(leaf, i);
            if (cables > cablesMax) {
                most.clear();
                cablesMax = cables;
            }
            most.set(i, cables == cablesMax);
        }
        return most;
    }

    private int cables(int leaf, int i) {
        int cables = 0;
        for (int root : lines.get(i).roots()) {
            cables += leavesOfRoot[root].get(leaf) ? 1 : 0;
        }
        return cables;
    }

    /** How many roots of its line a leaf has a cable to; 0 without a line. */
    int cables(int leaf) {
        return line[leaf] == NONE ? 0 : cables(leaf, line[leaf]);
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
