package io.dmodc.routing;

import java.util.Arrays;

/**
 * What changes from one table to another, in blocks of {@link #BLOCK} entries: the unit in which tables travel, as in
 * InfiniBand.
 */
public final class LftDelta {
    /** Entries of a block. */
    public static final int BLOCK = 64;

    private LftDelta() {}

    /** Blocks a table of this many entries has. */
    public static int blockCount(int entryCount) {
        return (entryCount + BLOCK - 1) / BLOCK;
    }

    /**
     * Finds the blocks in which two tables differ.
     *
     * @param from what a switch has; where it is shorter it counts as {@link LftSet#NO_ROUTE}
     * @param to what it should have; never shorter than {@code from}
     * @return block indices, ascending
     */
    public static int[] changedBlocks(byte[] from, byte[] to) {
        if (from.length > to.length) {
            throw new IllegalArgumentException("a table of " + from.length + " entries cannot shrink to " + to.length);
        }
        int[] changed = new int[8];
        int count = 0;
        int at = firstDifference(from, to, 0);
        while (at < to.length) {
            if (count == changed.length) {
                changed = Arrays.copyOf(changed, 2 * count);
            }
            changed[count++] = at / BLOCK;
            at = firstDifference(from, to, (at / BLOCK + 1) * BLOCK);
        }
        return Arrays.copyOf(changed, count);
    }

    private static int firstDifference(byte[] from, byte[] to, int start) {
        if (start < from.length) {
            int at = Arrays.mismatch(from, start, from.length, to, start, from.length);
            if (at >= 0) {
                return start + at;
            }
        }
        int at = Math.max(start, from.length);
        while (at < to.length && to[at] == (byte) LftSet.NO_ROUTE) {
            at++;
        }
        return at;
    }
}
