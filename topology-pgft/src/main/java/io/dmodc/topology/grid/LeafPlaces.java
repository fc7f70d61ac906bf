package io.dmodc.topology.grid;

import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Rows and columns of the leaves, by their two lines, and of those with one line by what is left.
 *
 * <p>A line without any root that works is still a line: of each of the lines that cross it one leaf has no other line.
 * Where most of the crossing lines have such leaves they make a line of their own; other such leaves take empty places of
 * the line they have, so that as many as possible get one, and where there are too few, places of one more line. Which one it is
 * decides nothing: they have no cable to what crosses there. Dead leaves, which have no cable at all, are placed when just one is dead
 * and one place empty.
 *
 * <p>Index spaces: targets inside, {@code at[row][column]} a target or −1.
 */
final class LeafPlaces {
    private final FabricView view;
    private final int[] row;
    private final int[] column;
    private final List<int[]> doubles = new ArrayList<>();
    private int[][] at = {};
    private final int[] rowNumber;
    private final int[] columnNumber;

    LeafPlaces(FabricView view, LeafLines rows, LeafLines columns) {
        this.view = view;
        this.row = lines(rows);
        this.column = lines(columns);
        decide(rows, row, column, columns.count());
        decide(columns, column, row, rows.count());
        int rowCount = completed(column, row, columns.count(), rows.count());
        int columnCount = completed(row, column, rows.count(), columns.count());
        int[] counts = new OneLineLeaves(row, rowCount, column, columnCount).place();
        rowCount = counts[0];
        columnCount = counts[1];
        this.rowNumber = numbers(row, rowCount, column, columnCount);
        this.columnNumber = numbers(column, columnCount, row, rowCount);
        put(rows, columns);
        placeOneDeadLeaf();
    }

    private int[] lines(LeafLines lines) {
        int[] line = new int[view.leafCount()];
        Arrays.setAll(line, lines::of);
        return line;
    }

    /** A leaf with as many cables to one line as to another belongs where nobody else stands. */
    private static void decide(LeafLines lines, int[] own, int[] crossing, int crossingCount) {
        BitSet taken = new BitSet();
        List<Integer> undecided = new ArrayList<>();
        for (int leaf = 0; leaf < own.length; leaf++) {
            if (own[leaf] != LeafLines.NONE && crossing[leaf] != LeafLines.NONE) {
                if (lines.isTied(leaf)) {
                    undecided.add(leaf);
                } else {
                    taken.set(own[leaf] * crossingCount + crossing[leaf]);
                }
            }
        }
        for (int leaf : undecided) {
            own[leaf] = lines.mostCabledOf(leaf).stream()
                    .filter(line -> !taken.get(line * crossingCount + crossing[leaf]))
                    .findFirst()
                    .orElse(own[leaf]);
            taken.set(own[leaf] * crossingCount + crossing[leaf]);
        }
    }

    /**
     * Gives a crossing line without roots to leaves that have none, where most of the lines they have know such leaves.
     *
     * @param have lines of the leaves of the kind they have
     * @param lack lines of the other kind; filled in
     * @return how many lines of the other kind there are then
     */
    private static int completed(int[] have, int[] lack, int haveCount, int lackCount) {
        List<List<Integer>> waiting = new ArrayList<>();
        for (int line = 0; line < haveCount; line++) {
            waiting.add(new ArrayList<>());
        }
        for (int leaf = 0; leaf < have.length; leaf++) {
            if (have[leaf] != LeafLines.NONE && lack[leaf] == LeafLines.NONE) {
                waiting.get(have[leaf]).add(leaf);
            }
        }
        int rootless = 0;
        while (manyWait(waiting, rootless)) {
            rootless++;
        }
        for (int line = 0; line < haveCount; line++) {
            List<Integer> leaves = waiting.get(line);
            for (int i = 0; i < Math.min(rootless, leaves.size()); i++) {
                lack[leaves.get(i)] = lackCount + i;
            }
        }
        return lackCount + rootless;
    }

    private static boolean manyWait(List<List<Integer>> waiting, int more) {
        return 2 * waiting.stream().filter(leaves -> leaves.size() > more).count() > waiting.size();
    }

    /**
     * Numbers of the lines by where their leaves stand in the lines that cross them, most of them, so that an empty place
     * moves no line; lines without any leaf come last.
     */
    private static int[] numbers(int[] line, int count, int[] crossing, int crossingCount) {
        List<List<Integer>> positions = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            positions.add(new ArrayList<>());
        }
        int[] passed = new int[crossingCount];
        for (int leaf = 0; leaf < line.length; leaf++) {
            if (line[leaf] != LeafLines.NONE && crossing[leaf] != LeafLines.NONE) {
                positions.get(line[leaf]).add(passed[crossing[leaf]]++);
            }
        }
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            order.add(i);
        }
        order.sort(Comparator.comparing(i -> middle(positions.get(i))));
        int[] number = new int[count];
        for (int i = 0; i < count; i++) {
            number[order.get(i)] = i;
        }
        return number;
    }

    private static int middle(List<Integer> positions) {
        return positions.isEmpty()
                ? Integer.MAX_VALUE
                : positions.stream().sorted().toList().get(positions.size() / 2);
    }

    /** Of two with one place he has it who has more cables there: not one that was cabled here by mistake. */
    private void put(LeafLines rows, LeafLines columns) {
        at = new int[rowNumber.length][columnNumber.length];
        for (int[] places : at) {
            Arrays.fill(places, -1);
        }
        IntStream.range(0, row.length)
                .filter(leaf -> row[leaf] != LeafLines.NONE && column[leaf] != LeafLines.NONE)
                .boxed()
                .sorted(Comparator.comparing(leaf -> -rows.cables(leaf) - columns.cables(leaf)))
                .forEach(this::put);
    }

    private void put(int leaf) {
        int r = rowNumber[row[leaf]];
        int c = columnNumber[column[leaf]];
        if (at[r][c] < 0) {
            at[r][c] = leaf;
        } else {
            doubles.add(new int[] {at[r][c], leaf});
        }
    }

    private void placeOneDeadLeaf() {
        int[] dead = leaves(false);
        int holes = 0;
        int hole = 0;
        for (int i = 0; i < rowNumber.length * columnNumber.length; i++) {
            if (at[i / columnNumber.length][i % columnNumber.length] < 0) {
                holes++;
                hole = i;
            }
        }
        if (dead.length == 1 && holes == 1) {
            at[hole / columnNumber.length][hole % columnNumber.length] = dead[0];
        }
    }

    private int[] leaves(boolean alive) {
        return IntStream.range(0, row.length)
                .filter(leaf -> view.alive(view.targetSwitch(leaf)) == alive)
                .toArray();
    }

    int rows() {
        return rowNumber.length;
    }

    int columns() {
        return columnNumber.length;
    }

    /** Target of a place, or −1. */
    int at(int row, int column) {
        return at[row][column];
    }

    int rowNumber(int line) {
        return rowNumber[line];
    }

    int columnNumber(int line) {
        return columnNumber[line];
    }

    /** Leaves that would stand where another one stands: {that one, this one}. */
    List<int[]> doubles() {
        return doubles;
    }
}
