package io.dmodc.topology.grid;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Gives leaves that have a row and no column, or a column and no row, places that no other leaf has: as many as there are empty ones in
 * their line (a largest matching, by augmenting paths), and those left over places of new lines, which have no roots.
 *
 * <p>Index spaces: leaf target; row and column as numbered so far. O(such leaves · places of their lines) as a rule, times such leaves at worst.
 */
final class OneLineLeaves {
    private static final int EMPTY = -1;

    private final int[] row;
    private final int[] column;
    private int rowCount;
    private int columnCount;

    /** By place, {@code row · columns + column}: who stands there, as far as only one line is known of him; else {@link #EMPTY}. */
    private int[] takenBy = {};

    /** By place: a leaf that has both lines stands there. */
    private final BitSet taken = new BitSet();

    /** @param row by target, or {@link LeafLines#NONE}; filled in, like {@code column} */
    OneLineLeaves(int[] row, int rowCount, int[] column, int columnCount) {
        this.row = row;
        this.rowCount = rowCount;
        this.column = column;
        this.columnCount = columnCount;
    }

    /** Returns how many rows and how many columns there are then; at most twice as many. */
    int[] place() {
        List<Integer> leaves = oneLine();
        clear();
        List<Integer> left = unmatched(leaves);
        if (!left.isEmpty()) {
            int rows = Math.min(rowCount, mostOfOneLine(left, row, column, columnCount));
            columnCount += Math.min(columnCount, mostOfOneLine(left, column, row, rowCount));
            rowCount += rows;
            clear();
            unmatched(leaves);
        }
        for (int place = 0; place < takenBy.length; place++) {
            if (takenBy[place] != EMPTY) {
                row[takenBy[place]] = place / columnCount;
                column[takenBy[place]] = place % columnCount;
            }
        }
        return new int[] {rowCount, columnCount};
    }

    /** How many of some leaves lack a line and are in one other line, at most. */
    private static int mostOfOneLine(List<Integer> leaves, int[] lack, int[] have, int haveCount) {
        int[] lacking = new int[haveCount];
        leaves.stream().filter(leaf -> lack[leaf] == LeafLines.NONE).forEach(leaf -> lacking[have[leaf]]++);
        return Arrays.stream(lacking).max().orElse(0);
    }

    private List<Integer> oneLine() {
        List<Integer> leaves = new ArrayList<>();
        for (int leaf = 0; leaf < row.length; leaf++) {
            boolean hasRow = row[leaf] != LeafLines.NONE;
            if (hasRow != (column[leaf] != LeafLines.NONE)) {
                leaves.add(leaf);
            }
        }
        return leaves;
    }

    private void clear() {
        takenBy = new int[rowCount * columnCount];
        Arrays.fill(takenBy, EMPTY);
        taken.clear();
        for (int leaf = 0; leaf < row.length; leaf++) {
            if (row[leaf] != LeafLines.NONE && column[leaf] != LeafLines.NONE) {
                taken.set(row[leaf] * columnCount + column[leaf]);
            }
        }
    }

    private List<Integer> unmatched(List<Integer> leaves) {
        List<Integer> left = new ArrayList<>();
        for (int leaf : leaves) {
            if (!takes(leaf, new BitSet())) {
                left.add(leaf);
            }
        }
        return left;
    }

    /** True if the leaf has a place now: an empty one, or that of another who has moved on to one. */
    private boolean takes(int leaf, BitSet tried) {
        boolean inRow = row[leaf] != LeafLines.NONE;
        for (int i = 0; i < (inRow ? columnCount : rowCount); i++) {
            int place = inRow ? row[leaf] * columnCount + i : i * columnCount + column[leaf];
            if (!taken.get(place) && !tried.get(place)) {
                tried.set(place);
                if (takenBy[place] == EMPTY || takes(takenBy[place], tried)) {
                    takenBy[place] = leaf;
                    return true;
                }
            }
        }
        return false;
    }
}
