package io.dmodc.routing.change;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * In which spans rows in force may differ from those that switches shall hold, looked up once a change, row by row, as they are in
 * memory.
 *
 * <p>O(switches × spans) for switches with another row; a bit for each of these, and 4 bytes a span that differs. Immutable.
 */
final class SpanDifferences {
    private final RowsInForce inForce;
    private final LftSet tables;
    private final Sides sides;

    /** Live switches that can be told what to hold, and may hold something else; in order of their sides. */
    private final int[] due;

    /** By switch, the spans that are not the very same part, as bits; {@code null} if it is not due. */
    private final long[] @Nullable [] spans;

    /** The due ones that differ in span k, in their order, are from {@code starts[k]} on. */
    private final int[] starts;

    private final int[] differing;

    /** @param tables what they shall hold; of a switch that cannot be told anything, anything */
    SpanDifferences(FabricView works, RowsInForce inForce, LftSet tables, Sides sides) {
        this.inForce = inForce;
        this.tables = tables;
        this.sides = sides;
        int spanCount = (tables.entryCount() + LftRow.SPAN_COLUMNS - 1) / LftRow.SPAN_COLUMNS;
        spans = new long[works.switchCount()][];
        due = findDue(works, spanCount);
        sides.sort(due);
        starts = new int[spanCount + 1];
        for (int s : due) {
            forEachSpan(s, k -> starts[k + 1]++);
        }
        for (int k = 0; k < spanCount; k++) {
            starts[k + 1] += starts[k];
        }
        differing = new int[starts[spanCount]];
        int[] next = Arrays.copyOf(starts, spanCount);
        for (int s : due) {
            forEachSpan(s, k -> differing[next[k]++] = s);
        }
    }

    /** Receives spans. */
    private interface SpanVisitor {
        void span(int k);
    }

    private int[] findDue(FabricView works, int spanCount) {
        int[] found = new int[spans.length];
        int count = 0;
        long[] others = new long[(spanCount + 63) / 64];
        for (int s = 0; s < found.length; s++) {
            if (inForce.only(s) != tables.row(s)
                    && works.alive(s)
                    && !inForce.isUntold(s)
                    && mayDiffer(s, others, spanCount)) {
                spans[s] = others;
                others = new long[others.length];
                found[count++] = s;
            }
        }
        return Arrays.copyOf(found, count);
    }

    /** Of several rows, or none, any span may differ. */
    private boolean mayDiffer(int s, long[] others, int spanCount) {
        LftRow[] rows = inForce.of(s);
        LftRow row = tables.row(s);
        if (rows.length != 1) {
            for (int k = 0; k < spanCount; k++) {
                others[k >> 6] |= 1L << k;
            }
            return inForce.mayDiffer(s, row);
        }
        Arrays.fill(others, 0);
        return rows[0].addOtherSpans(row, others);
    }

    private void forEachSpan(int s, SpanVisitor visitor) {
        long[] words = spans[s];
        for (int w = 0; words != null && w < words.length; w++) {
            for (long rest = words[w]; rest != 0; rest &= rest - 1) {
                visitor.span(64 * w + Long.numberOfTrailingZeros(rest));
            }
        }
    }

    int[] due() {
        return due;
    }

    /** Where in {@link #at} those begin that may differ in span k; those of the next follow. */
    int start(int k) {
        return starts[k];
    }

    int at(int i) {
        return differing[i];
    }

    /** Switches of one number lead to the same neighbours above through the same ports: see {@link Sides}. */
    int side(int s) {
        return sides.of(s);
    }

    /** Spans that are not the very same part in these rows of a switch, as bits; {@code null} if that was not asked for here. */
    long @Nullable [] between(int s, LftRow before, LftRow after) {
        LftRow[] rows = inForce.of(s);
        return rows.length == 1 && rows[0] == before && tables.row(s) == after ? spans[s] : null;
    }
}
