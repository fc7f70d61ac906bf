package io.dmodc.routing.check;

import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricView;
import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * The switches by whose wanted entries packets to a destination may come to one that forwards otherwise; it is one of them, too.
 *
 * <p>In a column whose entries are all right ({@link TableCheck#notRight}), all others deliver as wanted, or have no legal path, whatever those
 * do. The concerned ones are found backwards, from neighbour to neighbour that sends there: from above only to a switch that sends on down, and
 * to one without a route from nowhere. In any other column all switches are concerned.
 *
 * <p>So a leaf that sends its packets otherwise than it should concerns itself alone, and a switch above it, for most destinations, some of those
 * below. O(neighbours of concerned switches + held rows) per destination. Not thread-safe; its set is used again.
 */
public final class ConcernedSwitches {
    private final FabricView view;
    private final TableColumn wanted;
    private final HeldRows held;
    private final BitSet notRight;

    /** Those that carry packets, and no route leads through. */
    private final int[] unused;

    private final BitSet concerned = new BitSet();

    /** Switches whose neighbours were not looked at yet: a stack. */
    private final int[] open;

    private int openCount;

    /**
     * @param works the same fabric with switches and links that carry packets and are not to be used
     * @param notRight columns of the wanted tables with an entry that is not right
     */
    public ConcernedSwitches(FabricView view, FabricView works, TableColumn wanted, HeldRows held, BitSet notRight) {
        this.view = view;
        this.wanted = wanted;
        this.held = held;
        this.notRight = notRight;
        unused = IntStream.range(0, view.switchCount())
                .filter(s -> works.alive(s) && !view.alive(s))
                .toArray();
        open = new int[view.switchCount()];
    }

    /** Those of the column that {@code wanted} is turned to, by switch index; until the next call. */
    public BitSet find() {
        int d = wanted.destination();
        concerned.clear();
        if (notRight.get(d)) {
            concerned.set(0, view.switchCount());
            return concerned;
        }
        for (int s : held.switches()) {
            if (held.differs(s, d, wanted.port(s))) {
                add(s);
            }
        }
        for (int s : unused) {
            add(s);
        }
        while (openCount > 0) {
            addWhoSendTo(open[--openCount]);
        }
        return concerned;
    }

    private void addWhoSendTo(int s) {
        if (wanted.port(s) == LftSet.NO_ROUTE) {
            return;
        }
        int next = wanted.next(s);
        boolean climbs = next >= 0 && view.isUp(s, next);
        for (int group = view.groupStart(s); group < view.groupEnd(s); group++) {
            int sender = view.groupRemote(group);
            if ((!climbs || view.isUp(sender, s)) && wanted.next(sender) == s) {
                add(sender);
            }
        }
    }

    private void add(int s) {
        if (!concerned.get(s)) {
            concerned.set(s);
            open[openCount++] = s;
        }
    }
}
