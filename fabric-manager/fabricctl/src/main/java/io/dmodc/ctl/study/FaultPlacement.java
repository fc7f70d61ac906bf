package io.dmodc.ctl.study;

import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;

/**
 * Where dead leaves stand in a grid: the placements that the VTFTR paper compares (section 3, figures 7 to 9).
 *
 * <p>All leave some row or some column without a fault, so that also with the paper's spares no pair is lost. Lists that
 * are longer than a line go on in the next one.
 */
enum FaultPlacement {
    /** Different rows and different columns, as long as there are any. */
    DIAGONAL,
    /** In one row. */
    ROW,
    /** In one column. */
    COLUMN,
    /** Drawn; again if every row and every column is hit. */
    RANDOM;

    /**
     * Places faults.
     *
     * @param count how many, at most {@code (rows − 1) · (columns − 1)}
     * @param seed which draw; only for {@link #RANDOM}
     * @return leaves, {@code row · columns + column}, each once
     */
    int[] leaves(int count, int rows, int columns, long seed) {
        if (count > (rows - 1) * (columns - 1)) {
            throw new IllegalArgumentException(
                    count + " faults; expected at most " + (rows - 1) * (columns - 1) + " of " + rows + "x" + columns);
        }
        int[] leaves = new int[count];
        int across = Math.min(rows, columns) - 1;
        switch (this) {
            case DIAGONAL -> Arrays.setAll(leaves, i -> i % across * columns + (i + i / across) % across);
            case ROW -> Arrays.setAll(leaves, i -> i / (columns - 1) * columns + i % (columns - 1));
            case COLUMN -> Arrays.setAll(leaves, i -> i % (rows - 1) * columns + i / (rows - 1));
            case RANDOM -> draw(leaves, rows, columns, new SplittableRandom(seed));
        }
        return leaves;
    }

    private static void draw(int[] leaves, int rows, int columns, SplittableRandom random) {
        do {
            BitSet drawn = new BitSet();
            for (int i = 0; i < leaves.length; i++) {
                do {
                    leaves[i] = random.nextInt(rows * columns);
                } while (drawn.get(leaves[i]));
                drawn.set(leaves[i]);
            }
        } while (hitsAll(leaves, rows, columns));
    }

    private static boolean hitsAll(int[] leaves, int rows, int columns) {
        return Arrays.stream(leaves).map(leaf -> leaf / columns).distinct().count() == rows
                && Arrays.stream(leaves).map(leaf -> leaf % columns).distinct().count() == columns;
    }
}
