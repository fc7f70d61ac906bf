package io.dmodc.routing.check;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Looks whether the entries of a span are right, a run at a time: all homes of its columns must be among those for
 * which every port of its pattern is right, and columns of no home must be without a route. Where that is not so, or the homes do not ascend, or the pattern has more
 * ports than the run columns, each entry is looked at. O(runs × ports), at most O(columns). Not thread-safe.
 */
final class RowProof implements LftRow.PortsVisitor {
    private final ColumnHomes columns;
    private final byte[] entries = new byte[LftRow.SPAN_COLUMNS];
    private LftRow row = LftRow.noRoutes(0);
    private RightPorts right;
    private int span;
    private int s;
    private boolean allRight;
    private @Nullable BitSet suspects;

    RowProof(ColumnHomes columns, RightPorts right) {
        this.columns = columns;
        this.right = right;
    }

    /**
     * True if all entries of span {@code k} are right for the switches {@code right} tells of; none of them may be the
     * home of a column.
     */
    boolean holds(LftRow row, int k, RightPorts ports) {
        return prove(row, k, ports, ColumnHomes.NOWHERE, null);
    }

    /**
     * True if all entries of span {@code k} are right for switch {@code s}.
     *
     * @param wrong takes the columns with an entry that is not
     */
    boolean holds(LftRow row, int k, RightPorts ports, int self, BitSet wrong) {
        return prove(row, k, ports, columns.homeOfSwitch(self), wrong);
    }

    private boolean prove(LftRow looked, int k, RightPorts ports, int self, @Nullable BitSet wrong) {
        row = looked;
        right = ports;
        span = k;
        s = self;
        suspects = wrong;
        allRight = true;
        row.forEachPorts(columns.spanStart(k), columns.spanEnd(k), this);
        return allRight;
    }

    @Override
    public void run(int from, int to, byte[] ports, int count) {
        if ((allRight || suspects != null) && !isRight(from, to, ports, count)) {
            lookAtEach(from, to);
        }
    }

    private boolean isRight(int from, int to, byte[] ports, int count) {
        if (!columns.ascending(span)) {
            return false;
        }
        int nowhere = columns.nextNowhere(from);
        if (nowhere >= 0 && nowhere < to) {
            boolean noRoute = count == 1 && (ports[0] & 0xff) == LftSet.NO_ROUTE;
            return noRoute && areRight(from, to, ports, count);
        }
        return areRight(from, to, ports, count);
    }

    /** Of the columns that are somewhere. */
    private boolean areRight(int start, int end, byte[] ports, int count) {
        int from = start;
        int to = end;
        while (from < to && columns.home(from) < 0) {
            from++;
        }
        while (from < to && columns.home(to - 1) < 0) {
            to--;
        }
        if (from == to) {
            return true;
        }
        int first = columns.home(from);
        int last = columns.home(to - 1);
        int words = (last >> 6) - (first >> 6) + 1;
        if ((long) words * count > to - from) {
            return false;
        }
        for (int w = first >> 6; w <= last >> 6; w++) {
            long homes = columns.mask(span, w);
            homes &= w == first >> 6 ? -1L << first : -1L;
            homes &= w == last >> 6 ? -1L >>> ~last : -1L;
            if (homes != 0 && !areRight(homes, w, ports, count)) {
                return false;
            }
        }
        return true;
    }

    private boolean areRight(long homes, int w, byte[] ports, int count) {
        if (count == 1) {
            return (homes & ~right.word(w, ports[0] & 0xff)) == 0;
        }
        long[] rightByEntry = right.word(w);
        long all = homes;
        for (int i = 0; i < count; i++) {
            all &= rightByEntry[ports[i] & 0xff];
        }
        return all == homes;
    }

    private void lookAtEach(int from, int to) {
        row.copyTo(from, to, entries, 0);
        for (int d = from; d < to; d++) {
            if (!isRight(d, entries[d - from] & 0xff)) {
                allRight = false;
                if (suspects == null) {
                    return;
                }
                suspects.set(d);
            }
        }
    }

    private boolean isRight(int d, int port) {
        int home = columns.home(d);
        if (home < 0) {
            return port == LftSet.NO_ROUTE;
        }
        return (right.word(home >> 6)[port] >>> home & 1) != 0 || (home == s && port == columns.exit(d));
    }
}
