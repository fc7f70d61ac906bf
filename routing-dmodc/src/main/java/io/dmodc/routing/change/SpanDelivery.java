package io.dmodc.routing.change;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.check.PortPeers;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * From where packets arrive by the rows in force, over the links that work: one span of columns after the other.
 *
 * <p>A switch of which several rows are possible delivers if each of them does, wherever else packets may go on the way; one of which nothing is
 * known does not. What was found of a switch and a column is kept while the span is looked at. One load a hop; 2 KiB a
 * switch. Not thread-safe.
 */
final class SpanDelivery {
    private static final int COLUMNS = LftRow.SPAN_COLUMNS;
    private static final byte UNKNOWN = 0;
    private static final byte DELIVERS = 1;
    private static final byte BROKEN = 2;

    private final FabricView view;
    private final PortPeers peers;
    private final RowsInForce rows;
    private final BrokenSpans broken;
    private final byte[] @Nullable [] entries;
    private final byte[] @Nullable [] ends;
    private final int[] readFor;
    private int span = -1;
    private int base;
    private int end;

    SpanDelivery(FabricView view, PortPeers peers, RowsInForce rows, BrokenSpans broken) {
        this.view = view;
        this.peers = peers;
        this.rows = rows;
        this.broken = broken;
        entries = new byte[view.switchCount()][];
        ends = new byte[view.switchCount()][];
        readFor = new int[view.switchCount()];
        Arrays.fill(readFor, -1);
    }

    /** Turns to columns {@code k * SPAN_COLUMNS} and following. */
    void turnTo(int k) {
        span = k;
        base = k * COLUMNS;
        end = Math.min(rows.entryCount(), base + COLUMNS);
        broken.turnTo(k);
    }

    /** False if all columns of the span arrive of which packets can come to {@code s} from another switch. */
    boolean mayBreak(int s) {
        return broken.mayBreak(s);
    }

    /** False if all columns of the span arrive if they leave {@code s} by the entries of this row. */
    boolean mayBreakBy(int s, LftRow row) {
        return broken.mayBreakBy(s, row, span);
    }

    /** As {@link BrokenSpans#gatherBreaking}. */
    void gatherBreaking(int s, LftRow row, long[] ports) {
        broken.gatherBreaking(s, row, span, ports);
    }

    /** True if nothing is behind a port of {@code s}; any byte is a valid port here. */
    boolean leadsNowhere(int s, int port) {
        return broken.leadsNowhere(s, port);
    }

    /** True if packets for column {@code d} of the span that come to {@code s} from another switch arrive whichever of the rows are in force. */
    boolean deliversOn(int s, int d) {
        return !mayBreak(s) || delivers(s, d);
    }

    /** True if packets for column {@code d} of the span that begin at {@code s} arrive whichever of the rows are in force. */
    boolean delivers(int s, int d) {
        byte[] known = ends[s];
        if (known == null || readFor[s] != span) {
            known = read(s);
        }
        int c = d - base;
        if (known[c] == UNKNOWN) {
            known[c] = BROKEN;
            known[c] = allArrive(s, d) ? DELIVERS : BROKEN;
        }
        return known[c] == DELIVERS;
    }

    private byte[] read(int s) {
        byte[] known = ends[s];
        byte[] row = entries[s];
        if (known == null || row == null) {
            known = new byte[COLUMNS];
            row = new byte[COLUMNS];
            ends[s] = known;
            entries[s] = row;
        }
        readFor[s] = span;
        Arrays.fill(known, UNKNOWN);
        if (rows.of(s).length > 0) {
            rows.of(s)[0].copyTo(base, end, row, 0);
        }
        return known;
    }

    private boolean allArrive(int s, int d) {
        LftRow[] possible = rows.of(s);
        byte[] row = entries[s];
        if (possible.length == 0 || row == null || !view.alive(s) || !arrives(s, row[d - base] & 0xff, d)) {
            return false;
        }
        for (int i = 1; i < possible.length; i++) {
            if (!arrives(s, possible[i].port(d), d)) {
                return false;
            }
        }
        return true;
    }

    /** True if packets for {@code d} that leave {@code s} by this port arrive. */
    boolean arrives(int s, int port, int d) {
        int home = view.nodeSwitch(d);
        if (home < 0 || s == home) {
            return home >= 0 && port == view.nodePort(d);
        }
        int next = peers.peer(s, port);
        return next >= 0 && deliversOn(next, d);
    }
}
