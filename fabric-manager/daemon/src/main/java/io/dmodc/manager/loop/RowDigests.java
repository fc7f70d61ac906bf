package io.dmodc.manager.loop;

import io.dmodc.manager.core.RowDigest;
import io.dmodc.routing.LftDelta;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.Tables;
import io.dmodc.southbound.TableDigest;
import java.util.Arrays;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Digests of the rows of successive tables. A row that is the same object as before keeps its digest, one of the same
 * length gets the changed blocks exchanged, and rows that switches share are added up once. For one thread.
 */
public final class RowDigests {
    /** How a digest comes about. */
    public static final RowDigest RULE = new RowDigest() {
        @Override
        public long of(LftRow row) {
            return TableDigest.of(row.toBytes());
        }

        @Override
        public long exchanged(long digest, LftRow from, LftRow to) {
            return RowDigests.exchanged(digest, from, to);
        }
    };

    /** Switches that a thread takes at a time: rows of a pod are beside each other. */
    private static final int PIECE = 32;

    private @Nullable Tables last;
    private long[] digests = {};

    /** @return one per switch, by switch index; not changed afterwards */
    long[] of(Tables tables, Parallel parallel) {
        Tables before = last;
        boolean comparable = before != null
                && before.switchCount() == tables.switchCount()
                && before.entryCount() == tables.entryCount();
        digests = before != null && comparable ? updated(before, digests, tables, parallel) : anew(tables, parallel);
        last = tables;
        return digests;
    }

    private static long[] updated(Tables before, long[] old, Tables tables, Parallel parallel) {
        long[] now = old.clone();
        int[] changed = new int[now.length];
        int count = 0;
        for (int s = 0; s < now.length; s++) {
            if (tables.row(s) != before.row(s)) {
                changed[count++] = s;
            }
        }
        int total = count;
        parallel.forEach((count + PIECE - 1) / PIECE, piece -> {
            LftDelta delta = new LftDelta();
            for (int i = piece * PIECE; i < Math.min(total, (piece + 1) * PIECE); i++) {
                int s = changed[i];
                now[s] = exchanged(old[s], before.row(s), tables.row(s), delta);
            }
        });
        return now;
    }

    /** Digest of a row that is as long as another one, given that one's. */
    static long exchanged(long digest, LftRow from, LftRow to) {
        return exchanged(digest, from, to, new LftDelta());
    }

    private static long exchanged(long digest, LftRow from, LftRow to, LftDelta delta) {
        byte[] entries = new byte[LftDelta.BLOCK];
        long result = digest;
        for (int block : delta.blocks(from, to)) {
            result = TableDigest.replace(result, ofBlock(from, block, entries), ofBlock(to, block, entries));
        }
        return result;
    }

    private static long ofBlock(LftRow row, int block, byte[] entries) {
        int start = block * LftDelta.BLOCK;
        int end = Math.min(start + LftDelta.BLOCK, row.entryCount());
        row.copyTo(start, end, entries, 0);
        return TableDigest.range(entries, 0, block, end - start);
    }

    private static long[] anew(Tables tables, Parallel parallel) {
        int switchCount = tables.switchCount();
        IdentityHashMap<LftRow, Integer> first = new IdentityHashMap<>();
        int[] sameAs = new int[switchCount];
        for (int s = 0; s < switchCount; s++) {
            Integer earlier = first.putIfAbsent(tables.row(s), s);
            sameAs[s] = earlier == null ? s : earlier;
        }
        long[] all = new long[switchCount];
        parallel.forEach(switchCount, s -> {
            if (sameAs[s] == s) {
                all[s] = TableDigest.of(tables.row(s).toBytes());
            }
        });
        Arrays.setAll(all, s -> all[sameAs[s]]);
        return all;
    }
}
