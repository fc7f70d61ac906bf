package io.dmodc.manager.core;

import io.dmodc.manager.state.KeptRow;
import io.dmodc.routing.LftDelta;
import io.dmodc.routing.LftRow;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Makes of rows what is kept of them, and rows of that. */
final class KeptRows {
    private KeptRows() {}

    /** Keeps all of a row. */
    static KeptRow whole(LftRow row, long digest) {
        return differing(row, digest, LftRow.noRoutes(row.entryCount()), 0);
    }

    /** Keeps in what a row differs from a known one that is at least as long. */
    static KeptRow differing(LftRow row, long digest, LftRow base, long baseDigest) {
        int[] changed = LftDelta.changedBlocks(row, base);
        int inside = 0;
        int size = 0;
        for (int block : changed) {
            if (block * KeptRow.BLOCK < row.entryCount()) {
                inside++;
                size += KeptRow.end(block, row.entryCount()) - block * KeptRow.BLOCK;
            }
        }
        int[] blocks = Arrays.copyOf(changed, inside);
        byte[] entries = new byte[size];
        int at = 0;
        for (int block : blocks) {
            int end = KeptRow.end(block, row.entryCount());
            row.copyTo(block * KeptRow.BLOCK, end, entries, at);
            at += end - block * KeptRow.BLOCK;
        }
        return new KeptRow(row.entryCount(), digest, baseDigest, blocks, entries);
    }

    /**
     * @param base the wanted row as it was computed again
     * @return {@code null} if the row was kept as a difference from another one
     */
    static @Nullable LftRow row(KeptRow kept, LftRow base, long baseDigest) {
        return kept.whole()
                ? row(kept)
                : kept.base() == baseDigest && kept.entryCount() <= base.entryCount() ? onto(kept, base) : null;
    }

    /** The row of one that is kept whole. */
    static LftRow row(KeptRow kept) {
        return onto(kept, LftRow.noRoutes(kept.entryCount()));
    }

    private static LftRow onto(KeptRow kept, LftRow base) {
        byte[] entries = new byte[kept.entryCount()];
        base.copyTo(0, entries.length, entries, 0);
        int at = 0;
        for (int block : kept.blocks()) {
            int start = block * KeptRow.BLOCK;
            int size = KeptRow.end(block, entries.length) - start;
            System.arraycopy(kept.entries(), at, entries, start, size);
            at += size;
        }
        return LftRow.of(entries);
    }
}
