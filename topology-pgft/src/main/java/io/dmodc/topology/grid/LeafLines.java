package io.dmodc.topology.grid;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * For one kind of lines, which of them each leaf belongs to: the one whose roots most of its cables lead to, the first
 * of several. Index spaces: leaf target, line of this kind.
 */
final class LeafLines {
    static final int NONE = -1;

    private final List<GridLine> lines;
    private final BitSet[] leavesOfRoot;
    private final int[] line;

    LeafLines(List<GridLine> lines, BitSet[] leavesOfRoot, int leafCount) {
        this.lines = lines;
        this.leavesOfRoot = leavesOfRoot;
        this.line = new int[leafCount];
        Arrays.setAll(line, this::mostCabled);
    }

    private int mostCabled(int leaf) {
        int most = NONE;
        int cablesMax = 0;
        for (int i = 0; i < lines.size(); i++) {
            int cables = 0;
            for (int root : lines.get(i).roots()) {
                cables += leavesOfRoot[root].get(leaf) ? 1 : 0;
            }
            if (cables > cablesMax) {
                cablesMax = cables;
                most = i;
            }
        }
        return most;
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
