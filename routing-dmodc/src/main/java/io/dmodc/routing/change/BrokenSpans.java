package io.dmodc.routing.change;

import io.dmodc.routing.LftRow;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Which switches may not deliver some column of a span: those with an entry that leads nowhere, and all from which packets for one of the
 * columns may come to such. After a fault that is hardly any, so hardly any packet need be followed.
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

    /** By switch, the spans with an entry that leads nowhere; null for none. */
    private final long[] @Nullable [] dead;

    /** By switch, the spans with columns whose home is below it, or is it. */
    private final long[][] below;

    /** Switches with such spans. */
    private int[] deadSwitches = {};

    /** By switch, the question of which it was an answer. */
    private final int[] marked;

    private final int[] queue;
    private FabricView works;
    private int question;

    BrokenSpans(FabricView works, SuspectHomes cabling, int entryCount) {
        this.works = works;
        spanCount = (entryCount + LftRow.SPAN_COLUMNS - 1) / LftRow.SPAN_COLUMNS;
        seen = new LftRow[works.switchCount()][];
        Arrays.fill(seen, NOT_SEEN);
        dead = new long[seen.length][];
        below = new long[seen.length][(spanCount + 63) / 64];
        marked = new int[seen.length];
        queue = new int[seen.length];
        for (int d = 0; d < works.nodeCount(); d++) {
            int home = works.nodeSwitch(d);
            if (home >= 0) {
                int k = d / LftRow.SPAN_COLUMNS;
                below[home][k >> 6] |= 1L << k;
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
     */
    void update(FabricView newWorks, RowsInForce inForce, int[] relinked) {
        works = newWorks;
        for (int s : relinked) {
            seen[s] = NOT_SEEN;
        }
        int count = 0;
        for (int s = 0; s < seen.length; s++) {
            LftRow[] rows = inForce.of(s);
            if (!Arrays.equals(seen[s], rows) || rows.length == 0) {
                dead[s] = findDead(s, rows);
                seen[s] = rows;
            }
            if (dead[s] != null) {
                queue[count++] = s;
            }
        }
        deadSwitches = Arrays.copyOf(queue, count);
    }

    private long @Nullable [] findDead(int s, LftRow[] rows) {
        long[] found = new long[(spanCount + 63) / 64];
        if (rows.length == 0) {
            Arrays.fill(found, -1);
            return found;
        }
        long[] live = livePorts(s);
        LftRow before = seen[s].length == 1 && rows.length == 1 ? seen[s][0] : null;
        long[] deadBefore = dead[s];
        boolean any = false;
        for (int k = 0; k < spanCount; k++) {
            if (before != null && before.sharesSpan(k, rows[0])) {
                long known = deadBefore == null ? 0 : deadBefore[k >> 6] & 1L << k;
                found[k >> 6] |= known;
                any |= known != 0;
                continue;
            }
            long nowhere = 0;
            for (LftRow row : rows) {
                long[] entries = row.entrySet(k);
                for (int w = 0; w < PORT_WORDS; w++) {
                    nowhere |= entries[w] & ~live[w];
                }
            }
            if (nowhere != 0) {
                found[k >> 6] |= 1L << k;
                any = true;
            }
        }
        return any ? found : null;
    }

    private long[] livePorts(int s) {
        long[] ports = new long[PORT_WORDS];
        for (int port = 1; works.alive(s) && port <= works.portCount(s); port++) {
            if (works.peerSwitch(s, port) >= 0 || works.peerNode(s, port) >= 0) {
                ports[port >> 6] |= 1L << port;
            }
        }
        return ports;
    }

    /** Turns to columns {@code k * SPAN_COLUMNS} and following. */
    void turnTo(int k) {
        question++;
        int count = 0;
        for (int s : deadSwitches) {
            long[] spans = dead[s];
            if (spans != null && (spans[k >> 6] >>> k & 1) != 0) {
                marked[s] = question;
                queue[count++] = s;
            }
        }
        for (int i = 0; i < count; i++) {
            int s = queue[i];
            boolean homesBelow = hasHomesBelow(s, k);
            for (int g = works.groupStart(s); g < works.groupStart(s + 1); g++) {
                int remote = works.groupRemote(g);
                // Nobody sends down to where no home of the span is, and nobody up to a leaf.
                boolean passes =
                        works.isUp(s, remote) ? homesBelow : works.rank(remote) > 0 || hasHomesBelow(remote, k);
                if (passes && marked[remote] != question && leadsBack(s, g, remote, k)) {
                    marked[remote] = question;
                    queue[count++] = remote;
                }
            }
        }
    }

    private boolean hasHomesBelow(int s, int k) {
        return (below[s][k >> 6] >>> k & 1) != 0;
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
        return marked[s] == question;
    }

    /** False if every column of the span is delivered if it leaves a switch by the entries of this row. */
    boolean mayBreakBy(int s, LftRow row, int k) {
        long[] entries = row.entrySet(k);
        for (int w = 0; w < PORT_WORDS; w++) {
            for (long rest = entries[w]; rest != 0; rest &= rest - 1) {
                int port = 64 * w + Long.numberOfTrailingZeros(rest);
                boolean known = port >= 1 && port <= works.portCount(s);
                int next = known ? works.peerSwitch(s, port) : -1;
                if (!known || (next < 0 ? works.peerNode(s, port) < 0 : mayBreak(next))) {
                    return true;
                }
            }
        }
        return false;
    }
}
