package io.dmodc.routing;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What changed from one table to another, in blocks of {@link #BLOCK} entries: the unit in which tables travel, as in
 * InfiniBand.
 *
 * <p>Spans that both rows share are passed over by reference, and so are runs of equal patterns; only where the patterns
 * differ are entries compared. Tables made from nothing share no object with those before, but most of their patterns are equal.
 * What changed in a list of spans is found once for all rows that share it before and after, one behind the other, as those
 * of a pod's leaves are; of each of these only the runs that changed are looked at. For one thread.
 */
public final class LftDelta {
    /** Entries of a block. */
    public static final int BLOCK = 64;

    private static final int STRETCH = 5;

    private static final int[] NONE = {};

    /** Of the last two lists that were compared a row each that has it. */
    private @Nullable LftRow listFrom;

    private @Nullable LftRow listTo;

    /** Runs of the lists that are not the same: {@value #STRETCH} numbers each, span, run before, run after, first column, end. */
    private int[] stretches = new int[8 * STRETCH];

    private int stretchCount;

    /** The blocks in which the lists differ where they are read as they are; null until they are asked for. */
    private int @Nullable [] listBlocks;

    /** A block of entries; empty until it is needed. */
    private byte[] written = {};

    private int[] blocks = new int[8];
    private int count;

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
    public static int[] changedBlocks(LftRow from, LftRow to) {
        return new LftDelta().blocks(from, to);
    }

    /** The same, for one switch after the other: the array is read only, as others may get it, too. */
    @SuppressWarnings("ReferenceEquality") // a shared row needs no look
    public int[] blocks(LftRow from, LftRow to) {
        if (from == to) {
            return NONE;
        }
        if (from.entryCount() > to.entryCount()) {
            throw new IllegalArgumentException(
                    "a table of " + from.entryCount() + " entries cannot shrink to " + to.entryCount());
        }
        if (to.changedInListAlone(from)) {
            return listBlocks(from, to);
        }
        count = 0;
        compare(from, to);
        return Arrays.copyOf(blocks, count);
    }

    private int[] listBlocks(LftRow from, LftRow to) {
        if (listFrom == null || listTo == null || !from.hasListOf(listFrom) || !to.hasListOf(listTo)) {
            findStretches(from, to);
        }
        boolean plain = !from.isReadByOthers();
        if (plain && listBlocks != null) {
            return listBlocks;
        }
        count = 0;
        for (int i = 0; i < stretchCount * STRETCH; i += STRETCH) {
            RowSpan before = from.listed(stretches[i]);
            RowSpan after = to.listed(stretches[i]);
            if (!before.hasPattern(stretches[i + 1], after, stretches[i + 2])) {
                compare(before, stretches[i + 1], after, stretches[i + 2], stretches[i + 3], stretches[i + 4]);
            }
        }
        int[] found = Arrays.copyOf(blocks, count);
        listBlocks = plain ? found : listBlocks;
        return found;
    }

    private void findStretches(LftRow from, LftRow to) {
        listFrom = from;
        listTo = to;
        listBlocks = null;
        stretchCount = 0;
        for (int k = 0; k < to.spanCount(); k++) {
            if (!from.hasListedOf(k, to)) {
                int base = k * RowSpan.COLUMNS;
                findStretches(k, from.inList(k), to.inList(k), base, Math.min(base + RowSpan.COLUMNS, to.entryCount()));
            }
        }
    }

    private void findStretches(int k, RowSpan from, RowSpan to, int base, int end) {
        int i = 0;
        int j = 0;
        for (int at = base; at < end; ) {
            int stop = Math.min(base + Math.min(from.ends[i], to.ends[j]), end);
            if (!from.hasRun(i, to, j)) {
                addStretch(k, i, j, at, stop);
            }
            i += from.ends[i] == stop - base ? 1 : 0;
            j += to.ends[j] == stop - base ? 1 : 0;
            at = stop;
        }
    }

    private void addStretch(int... stretch) {
        int next = stretchCount++ * STRETCH;
        if (next == stretches.length) {
            stretches = Arrays.copyOf(stretches, 2 * next);
        }
        System.arraycopy(stretch, 0, stretches, next, STRETCH);
    }

    private void compare(LftRow from, LftRow to) {
        for (int k = 0; k < to.spanCount(); k++) {
            int base = k * RowSpan.COLUMNS;
            int end = Math.min(base + RowSpan.COLUMNS, to.entryCount());
            int known = Math.max(base, Math.min(end, from.entryCount()));
            if (known > base && !from.sharesSpan(k, to)) {
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
