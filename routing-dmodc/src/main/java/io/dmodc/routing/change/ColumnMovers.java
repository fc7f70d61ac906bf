package io.dmodc.routing.change;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.change.ChangePlan.Delay;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whom those wait for that take entries away: all who may send the same column somewhere, and shall send it elsewhere, wherever they are.
 *
 * <p><b>Idea.</b> A span of columns is a set of {@value LftRow#SPAN_COLUMNS} bits. Switches that move the same columns of a span are one
 * class, and so are those that lose the same: who waits for whom is asked once for two classes. Which columns move is found once for
 * switches that hold and get the same parts.
 *
 * <p>O(switches that differ) for a span with lost columns, and O(moving × losing classes); nearly always there are few.
 */
final class ColumnMovers {
    private static final int COLUMNS = LftRow.SPAN_COLUMNS;

    private final SpanDifferences differences;
    private final RowsInForce inForce;
    private final LftSet tables;
    private final @Nullable Delay[] delays;
    private final byte[] now = new byte[COLUMNS];
    private final byte[] held = new byte[COLUMNS];

    // What moved at the switch that was looked at last, and of which rows.
    private long[] moves = {};
    private @Nullable LftRow lastHeld;
    private @Nullable LftRow lastRow;

    ColumnMovers(SpanDifferences differences, RowsInForce inForce, LftSet tables, @Nullable Delay[] delays) {
        this.differences = differences;
        this.inForce = inForce;
        this.tables = tables;
        this.delays = delays;
    }

    /** Columns of a span, by content. */
    private record Columns(long[] words) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Columns columns && Arrays.equals(words, columns.words);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(words);
        }

        boolean meets(Columns other) {
            for (int w = 0; w < words.length; w++) {
                if ((words[w] & other.words[w]) != 0) {
                    return true;
                }
            }
            return false;
        }
    }

    /**
     * By switch, whom it waits for; some have one set together.
     *
     * @param lost columns that some switch loses
     */
    BitSet[] awaited(BitSet lost) {
        BitSet[] awaited = new BitSet[delays.length];
        Arrays.fill(awaited, new BitSet());
        for (int d = lost.nextSetBit(0); d >= 0; ) {
            int k = d / COLUMNS;
            Map<Columns, BitSet> movers = movers(k, lost);
            Map<Columns, BitSet> found = new HashMap<>();
            for (int i = differences.start(k); !movers.isEmpty() && i < differences.start(k + 1); i++) {
                int s = differences.at(i);
                Delay delay = delays[s];
                if (delay != null && !delay.lost.isEmpty()) {
                    BitSet more = found.computeIfAbsent(columns(delay.lost, k), own -> meeting(own, movers));
                    awaited[s] = union(awaited[s], more);
                }
            }
            d = lost.nextSetBit((k + 1) * COLUMNS);
        }
        return awaited;
    }

    private static BitSet meeting(Columns own, Map<Columns, BitSet> movers) {
        BitSet all = new BitSet();
        movers.forEach((moved, switches) -> {
            if (own.meets(moved)) {
                all.or(switches);
            }
        });
        return all;
    }

    private static BitSet union(BitSet one, BitSet other) {
        if (one.isEmpty() || other.isEmpty() || one.equals(other)) {
            return one.isEmpty() ? other : one;
        }
        BitSet union = (BitSet) one.clone();
        union.or(other);
        return union;
    }

    /** By which of the lost columns they move and do not lose themselves, the switches. */
    private Map<Columns, BitSet> movers(int k, BitSet lost) {
        Map<Columns, BitSet> movers = new HashMap<>();
        Columns wanted = columns(lost, k);
        lastRow = null;
        for (int i = differences.start(k); i < differences.start(k + 1); i++) {
            int s = differences.at(i);
            long[] moved = moves(s, k).clone();
            Delay delay = delays[s];
            long[] own = delay == null || delay.lost.isEmpty() ? null : columns(delay.lost, k).words;
            long any = 0;
            for (int w = 0; w < moved.length; w++) {
                moved[w] &= wanted.words[w] & (own == null ? -1 : ~own[w]);
                any |= moved[w];
            }
            if (any != 0) {
                movers.computeIfAbsent(new Columns(moved), columns -> new BitSet())
                        .set(s);
            }
        }
        return movers;
    }

    /** Columns of the span that a switch may send somewhere, and shall send elsewhere. */
    private long[] moves(int s, int k) {
        LftRow row = tables.row(s);
        LftRow[] rows = inForce.of(s);
        LftRow last = lastRow;
        LftRow other = lastHeld;
        boolean same = last != null
                && other != null
                && rows.length == 1
                && row.sharesSpan(k, last)
                && rows[0].sharesSpan(k, other);
        if (!same) {
            moves = new long[COLUMNS / Long.SIZE];
            row.copyTo(k * COLUMNS, Math.min(row.entryCount(), (k + 1) * COLUMNS), now, 0);
            for (LftRow possible : rows) {
                addMoves(possible, k);
            }
            lastRow = rows.length == 1 ? row : null;
            lastHeld = rows.length == 1 ? rows[0] : null;
        }
        return moves;
    }

    private void addMoves(LftRow row, int k) {
        int count = Math.min(row.entryCount() - k * COLUMNS, COLUMNS);
        row.copyTo(k * COLUMNS, k * COLUMNS + count, held, 0);
        for (int c = Arrays.mismatch(held, 0, count, now, 0, count); c >= 0 && c < count; ) {
            if ((held[c] & 0xff) != LftSet.NO_ROUTE) {
                moves[c >> 6] |= 1L << c;
            }
            int further = Arrays.mismatch(held, c + 1, count, now, c + 1, count);
            c = further < 0 ? -1 : c + 1 + further;
        }
    }

    private static Columns columns(BitSet set, int k) {
        long[] words = new long[COLUMNS / Long.SIZE];
        int from = k * COLUMNS;
        for (int d = set.nextSetBit(from); d >= 0 && d < from + COLUMNS; d = set.nextSetBit(d + 1)) {
            words[(d - from) >> 6] |= 1L << d;
        }
        return new Columns(words);
    }
}
