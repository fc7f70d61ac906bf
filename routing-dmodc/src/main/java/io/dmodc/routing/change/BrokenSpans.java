package io.dmodc.routing.change;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Which switches may not deliver some column of a span: those with an entry that leads nowhere, and all from which packets for one of the
 * columns may come to such. After a fault that is hardly any, so hardly any packet need be followed.
 *
 * <p>Columns at home below a switch, or at it, and all others are told apart: an entry for the ones leads down, for the others up. A switch that
 * lost a way up is no harm to those above it, which send it only what is at home below. Columns of indices that nobody has are none at all: rows have
 * no route for them, and nothing is sent there.
 *
 * <p>Where an entry leads nowhere is kept from one change to the next, for rows that are the same objects at switches whose links
 * are the same. Not for columns in which packets may turn. A bit per switch and span, another one for what is below; not
 * thread-safe.
 */
final class BrokenSpans {
    private static final LftRow[] NOT_SEEN = {};
    private static final int PORT_WORDS = 4;

    private final int spanCount;

    /** By switch, the rows that were looked at. */
    private final LftRow[][] seen;

    /** By switch, that row if it was one. */
    private final @Nullable LftRow[] seenOnly;

    /** By switch, the spans with a column below that leads nowhere, and behind these those with another one; null for none. */
    private final long[] @Nullable [] dead;

    /** By switch, the ports that lead somewhere; null until they are asked for. */
    private final long[] @Nullable [] live;

    /** By switch, the ports that led up when they last led anywhere, and behind these those that led down or to a host. */
    private final long[][] ways;

    /** By switch, the spans with columns whose home is below it, or is it. */
    private final long[][] below;

    /** The nodes at home at a switch are from {@code homeStart[s]} on. */
    private final int[] homeStart;

    private int[] homeNodes = {};

    /** Columns that somebody is at home in. */
    private BitSet homed = new BitSet();

    /** Spans in which these are others than at the last {@link #update}. */
    private final BitSet rehomed = new BitSet();

    /** By span, the row looked at last for columns without a route, and whether it had any. */
    private final @Nullable LftRow[] routedRow;

    private final boolean[] lacking;
    private final byte[] columns = new byte[LftRow.SPAN_COLUMNS];

    /** Switches with such spans. */
    private int[] deadSwitches = {};

    /** By switch, the question of which it was an answer: for columns below, and for others. */
    private final int[] markedBelow;

    private final int[] markedElsewhere;

    /** A switch, once for each kind of columns. */
    private final int[] queue;

    // Sets of spans: none, all there are; and of both kinds of columns, none and those of the switch at hand.
    private final long[] none;
    private final long[] all;
    private final long[] noneDead;
    private final long[] found;
    private FabricView works;
    private boolean allRight;
    private int question;

    BrokenSpans(FabricView works, SuspectHomes cabling, int entryCount) {
        this.works = works;
        spanCount = (entryCount + LftRow.SPAN_COLUMNS - 1) / LftRow.SPAN_COLUMNS;
        routedRow = new LftRow[spanCount];
        lacking = new boolean[spanCount];
        seen = new LftRow[works.switchCount()][];
        Arrays.fill(seen, NOT_SEEN);
        seenOnly = new LftRow[seen.length];
        dead = new long[seen.length][];
        live = new long[seen.length][];
        none = new long[(spanCount + 63) / 64];
        all = none.clone();
        noneDead = new long[2 * none.length];
        found = noneDead.clone();
        ways = new long[seen.length][2 * PORT_WORDS];
        for (int k = 0; k < spanCount; k++) {
            all[k >> 6] |= 1L << k;
        }
        below = new long[seen.length][none.length];
        markedBelow = new int[seen.length];
        markedElsewhere = new int[seen.length];
        queue = new int[2 * seen.length];
        homeStart = new int[seen.length + 1];
        findHomes(works, cabling);
        for (int s = 0; s < seen.length; s++) {
            livePorts(s);
        }
    }

    /** Takes in where hosts are now. Of switches at which one came or went, the links are others, too. */
    void findHomes(FabricView view, SuspectHomes cabling) {
        Arrays.fill(homeStart, 0);
        for (long[] spans : below) {
            Arrays.fill(spans, 0);
        }
        BitSet before = homed;
        homed = new BitSet(view.nodeCount());
        Arrays.fill(routedRow, null);
        for (int d = 0; d < view.nodeCount(); d++) {
            int home = view.nodeSwitch(d);
            if (home >= 0) {
                int k = d / LftRow.SPAN_COLUMNS;
                below[home][k >> 6] |= 1L << k;
                homeStart[home + 1]++;
                homed.set(d);
            }
        }
        before.xor(homed);
        before.stream().forEach(d -> rehomed.set(d / LftRow.SPAN_COLUMNS));
        for (int s = 0; s < seen.length; s++) {
            homeStart[s + 1] += homeStart[s];
        }
        homeNodes = new int[homeStart[seen.length]];
        int[] next = homeStart.clone();
        for (int d = 0; d < view.nodeCount(); d++) {
            if (view.nodeSwitch(d) >= 0) {
                homeNodes[next[view.nodeSwitch(d)]++] = d;
            }
        }
        cabling.gatherBelow(below);
    }

    /** True if this many columns are in the spans. */
    boolean fits(int entryCount) {
        return spanCount == (entryCount + LftRow.SPAN_COLUMNS - 1) / LftRow.SPAN_COLUMNS;
    }

    /**
     * Takes in where rows lead now.
     *
     * @param relinked switches with other links than at the last call
     * @param expected between the rows of the last call and those that were planned then; {@code null} if nothing was
     * @param allRight no row leads otherwise than a right one
     */
    void update(
            FabricView newWorks,
            RowsInForce inForce,
            int[] relinked,
            @Nullable SpanDifferences expected,
            boolean allRight) {
        works = newWorks;
        this.allRight = allRight;
        for (int s : relinked) {
            seen[s] = NOT_SEEN;
            seenOnly[s] = null;
            live[s] = null;
        }
        int count = 0;
        for (int s = 0; s < seen.length; s++) {
            LftRow row = inForce.only(s);
            if (row == null || row != seenOnly[s] || !rehomed.isEmpty()) {
                LftRow[] rows = inForce.of(s);
                dead[s] = findDead(s, rows, expected);
                seen[s] = rows;
                seenOnly[s] = row;
            }
            if (dead[s] != null) {
                queue[count++] = s;
            }
        }
        deadSwitches = Arrays.copyOf(queue, count);
        rehomed.clear();
    }

    /** Where rows do not differ from those looked at last, what was found then holds. */
    private long @Nullable [] findDead(int s, LftRow[] rows, @Nullable SpanDifferences expected) {
        if (rows.length == 0) {
            Arrays.fill(found, -1);
            return found.clone();
        }
        long[] known = dead[s];
        if (seen[s].length == 1 && rows.length == 1) {
            System.arraycopy(known == null ? noneDead : known, 0, found, 0, found.length);
            if (seen[s][0] != rows[0]) {
                findDead(s, rows, otherSpans(s, seen[s][0], rows[0], expected));
            }
            rehomed.stream().forEach(k -> findDead(s, rows, k));
        } else {
            Arrays.fill(found, 0);
            findDead(s, rows, all);
        }
        return Arrays.equals(found, noneDead) ? null : Arrays.equals(found, known) ? known : found.clone();
    }

    private void findDead(int s, LftRow[] rows, long[] spans) {
        for (int w = 0; w < spans.length; w++) {
            for (long rest = spans[w]; rest != 0; rest &= rest - 1) {
                findDead(s, rows, 64 * w + Long.numberOfTrailingZeros(rest));
            }
        }
    }

    private void findDead(int s, LftRow[] rows, int k) {
        long[] live = livePorts(s);
        long[] led = ways[s];
        long below = 0;
        long elsewhere = 0;
        for (LftRow row : rows) {
            long[] entries = row.entrySet(k);
            for (int p = 0; p < PORT_WORDS; p++) {
                long nowhere = entries[p] & ~live[p];
                if (p == LftSet.NO_ROUTE >> 6 && nowhere < 0 && !lacksRoute(row, k)) {
                    nowhere &= Long.MAX_VALUE;
                }
                below |= nowhere & ~led[p];
                elsewhere |= nowhere & ~led[PORT_WORDS + p];
            }
        }
        put(found, k, below != 0);
        put(found, 64 * none.length + k, elsewhere != 0);
    }

    /** True if a row has no route for a column of the span that somebody is at home in; switches often share spans. */
    private boolean lacksRoute(LftRow row, int k) {
        LftRow last = routedRow[k];
        if (last == null || !row.sharesSpan(k, last)) {
            int from = k * LftRow.SPAN_COLUMNS;
            int to = Math.min(row.entryCount(), from + LftRow.SPAN_COLUMNS);
            row.copyTo(from, to, columns, 0);
            boolean lacks = false;
            for (int d = homed.nextSetBit(from); !lacks && d >= 0 && d < to; d = homed.nextSetBit(d + 1)) {
                lacks = (columns[d - from] & 0xff) == LftSet.NO_ROUTE;
            }
            routedRow[k] = row;
            lacking[k] = lacks;
        }
        return lacking[k];
    }

    private static void put(long[] set, int bit, boolean in) {
        long mask = 1L << bit;
        set[bit >> 6] = in ? set[bit >> 6] | mask : set[bit >> 6] & ~mask;
    }

    private static boolean has(long[] set, int bit) {
        return (set[bit >> 6] >>> bit & 1) != 0;
    }

    private long[] otherSpans(int s, LftRow before, LftRow now, @Nullable SpanDifferences expected) {
        long[] others = expected == null ? null : expected.between(s, before, now);
        if (others == null) {
            others = none.clone();
            now.addOtherSpans(before, others);
        }
        return others;
    }

    /** True if nothing is behind a port; any byte is a valid port here. */
    boolean leadsNowhere(int s, int port) {
        return !has(livePorts(s), port);
    }

    private long[] livePorts(int s) {
        long[] ports = live[s];
        if (ports != null) {
            return ports;
        }
        ports = new long[PORT_WORDS];
        for (int port = 1; works.alive(s) && port <= works.portCount(s); port++) {
            int far = works.peerSwitch(s, port);
            if (far >= 0 || works.peerNode(s, port) >= 0) {
                put(ports, port, true);
                put(ways[s], port, far >= 0 && works.isUp(s, far));
                put(ways[s], 64 * PORT_WORDS + port, far < 0 || works.isDown(s, far));
            }
        }
        live[s] = ports;
        return ports;
    }

    /** Turns to columns {@code k * SPAN_COLUMNS} and following. */
    void turnTo(int k) {
        question++;
        int count = 0;
        for (int s : deadSwitches) {
            long[] spans = dead[s];
            if (spans != null) {
                count = mark(s, k, has(spans, k), has(spans, 64 * none.length + k), count);
            }
        }
        for (int i = 0; i < count; i++) {
            int s = queue[i] >> 1;
            // Nobody sends down to where no home of the span is.
            boolean toAbove = (queue[i] & 1) == 0 && hasHomesBelow(s, k);
            for (int g = works.groupStart(s); g < works.groupEnd(s); g++) {
                int remote = works.groupRemote(g);
                boolean up = works.isUp(s, remote);
                boolean below = up && toAbove && markedBelow[remote] != question;
                boolean elsewhere = !up && markedElsewhere[remote] != question && !isLowest(remote);
                if ((below || elsewhere) && leadsBack(s, g, remote, k)) {
                    count = mark(remote, k, below, elsewhere, count);
                }
            }
        }
    }

    /**
     * Notes what may not be delivered, and queues it: both kinds where rows may lead otherwise than right ones, and of the lowest only what is
     * sent there.
     *
     * @return how many are queued
     */
    private int mark(int s, int k, boolean below, boolean elsewhere, int queued) {
        boolean lowest = isLowest(s);
        boolean either = below || elsewhere;
        int count = queued;
        if ((lowest ? either && mayLose(s, k) : allRight ? below : either) && markedBelow[s] != question) {
            markedBelow[s] = question;
            queue[count++] = s << 1;
        }
        if (!lowest && (allRight ? elsewhere : either) && markedElsewhere[s] != question) {
            markedElsewhere[s] = question;
            queue[count++] = s << 1 | 1;
        }
        return count;
    }

    /** True if other switches send a switch only what is for its own hosts. */
    private boolean isLowest(int s) {
        return allRight && works.rank(s) == 0;
    }

    /**
     * False if one of the lowest switches hands all its hosts what is for them. Its entries upward are for packets that begin there.
     */
    private boolean mayLose(int s, int k) {
        boolean loses = seen[s].length == 0 && hasHomesBelow(s, k);
        for (int i = homeStart[s]; !loses && i < homeStart[s + 1]; i++) {
            int d = homeNodes[i];
            for (LftRow row : seen[s]) {
                loses |= d / LftRow.SPAN_COLUMNS == k && row.port(d) != works.nodePort(d);
            }
        }
        return loses;
    }

    /** True if a column of the span is at home at a switch, or below it. */
    boolean hasHomesBelow(int s, int k) {
        return has(below[s], k);
    }

    /** True if the switch behind a port group may send columns of the span through it. */
    private boolean leadsBack(int s, int group, int remote, int k) {
        for (int i = 0; i < works.groupSize(group); i++) {
            int port = works.peerPort(s, works.groupPort(group, i));
            for (LftRow row : seen[remote]) {
                if ((row.entrySet(k)[port >> 6] >>> port & 1) != 0) {
                    return true;
                }
            }
        }
        return false;
    }

    /** False if every column of the span is delivered of which packets can come there from another switch. */
    boolean mayBreak(int s) {
        return markedBelow[s] == question || markedElsewhere[s] == question;
    }

    /** False if every column of the span is delivered if it leaves a switch by the entries of this row. */
    boolean mayBreakBy(int s, LftRow row, int k) {
        long[] entries = row.entrySet(k);
        for (int w = 0; w < PORT_WORDS; w++) {
            for (long rest = entries[w]; rest != 0; rest &= rest - 1) {
                if (mayBreakBy(s, 64 * w + Long.numberOfTrailingZeros(rest))) {
                    return true;
                }
            }
        }
        return false;
    }

    /** False if every column of the span is delivered that leaves a switch through this port. Down go only columns at home below. */
    private boolean mayBreakBy(int s, int port) {
        boolean known = port >= 1 && port <= works.portCount(s);
        int next = known ? works.peerSwitch(s, port) : -1;
        if (next < 0) {
            return !known || works.peerNode(s, port) < 0;
        }
        return works.isDown(s, next) ? markedBelow[next] == question : mayBreak(next);
    }

    /**
     * The ports in use through which some column of the span may leave a switch by this row and not be delivered.
     *
     * @param ports set of 256 bits, written whole
     */
    void gatherBreaking(int s, LftRow row, int k, long[] ports) {
        long[] entries = row.entrySet(k);
        for (int w = 0; w < PORT_WORDS; w++) {
            ports[w] = 0;
            for (long rest = entries[w]; rest != 0; rest &= rest - 1) {
                long port = Long.lowestOneBit(rest);
                ports[w] |= mayBreakBy(s, 64 * w + Long.numberOfTrailingZeros(rest)) ? port : 0;
            }
        }
    }
}
