package io.dmodc.routing;

import java.util.Arrays;

/**
 * What changed from one table to another, in blocks of {@link #BLOCK} entries: the unit in which tables travel, as in
 * InfiniBand.
 *
 * <p>Spans that both rows share are passed over by reference, and so are runs of equal patterns; only where the patterns
 * differ are entries compared. Tables made from nothing share no object with those before, but most of their patterns are equal.
 */
public final class LftDelta {
    /** Entries of a block. */
    public static final int BLOCK = 64;

    /** A block of entries; empty until it is needed. */
    private byte[] written = {};

    private int[] blocks = new int[8];
    private int count;

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
    @SuppressWarnings("ReferenceEquality") // a shared row needs no look
    public static int[] changedBlocks(LftRow from, LftRow to) {
        if (from == to) {
            return new int[0];
        }
        if (from.entryCount() > to.entryCount()) {
            throw new IllegalArgumentException(
                    "a table of " + from.entryCount() + " entries cannot shrink to " + to.entryCount());
        }
        LftDelta delta = new LftDelta();
        delta.compare(from, to);
        return Arrays.copyOf(delta.blocks, delta.count);
    }

    @SuppressWarnings("ReferenceEquality") // a shared span needs no look
    private void compare(LftRow from, LftRow to) {
        for (int k = 0; k < to.spanCount(); k++) {
            int base = k * RowSpan.COLUMNS;
            int end = Math.min(base + RowSpan.COLUMNS, to.entryCount());
            int known = Math.max(base, Math.min(end, from.entryCount()));
            if (known > base && from.span(k) != to.span(k)) {
                compare(from.span(k), to.span(k), base, base, known);
            }
            if (known < end) {
                compare(PortPattern.NO_ROUTE.wholeSpan(), to.span(k), base, known, end);
            }
        }
    }

    /** Columns {@code start .. end − 1} of spans that begin at {@code base}. */
    private void compare(RowSpan from, RowSpan to, int base, int start, int end) {
        int i = from.runAt(start - base);
        int j = to.runAt(start - base);
        for (int at = start; at < end; ) {
            int stop = Math.min(base + Math.min(from.ends[i], to.ends[j]), end);
            if (!from.hasPattern(i, to, j)) {
                compare(from, i, to, j, at, stop);
            }
            i += from.ends[i] == stop - base ? 1 : 0;
            j += to.ends[j] == stop - base ? 1 : 0;
            at = stop;
        }
    }

    /** Where a run has another pattern its first column mostly has another entry: then no more need be written out. */
    private void compare(RowSpan from, int i, RowSpan to, int j, int start, int end) {
        for (int at = start; at < end; ) {
            int block = at / BLOCK;
            int stop = Math.min((block + 1) * BLOCK, end);
            boolean known = count > 0 && blocks[count - 1] == block;
            if (!known && (from.port(i, at) != to.port(j, at) || differ(from.pattern(i), to.pattern(j), at, stop))) {
                add(block);
            }
            at = stop;
        }
    }

    private boolean differ(PortPattern from, PortPattern to, int start, int end) {
        if (written.length == 0) {
            written = new byte[BLOCK];
        }
        from.copyTo(start, end, written, 0);
        return !to.has(start, written, 0, end - start);
    }

    private void add(int block) {
        if (count == blocks.length) {
            blocks = Arrays.copyOf(blocks, 2 * count);
        }
        blocks[count++] = block;
    }
}
