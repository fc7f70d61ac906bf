package io.dmodc.routing.change;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Plans one change of tables after the other, and keeps what it found of the cabling, so that a fault costs what it changes.
 *
 * <p>Finds the columns in which rows may turn, or lead round in a circle, while they are mixed: all others have Theorem 1. A column is one of them if
 * its home is suspect ({@link SuspectHomes}), if its host moved or was taken away, if an entry of it is not right in the tables
 * before or after, or if a cable that a row still leads to goes elsewhere now; and it stays one while a switch may have another entry of it than was
 * planned last; of a switch of which nothing is known that shows once something is. All are where ranks changed. For one thread at a time.
 */
public final class ChangeWatch {
    private FabricView view;
    private LftSet tables;

    /** Columns of the last tables with an entry that is not right. */
    private BitSet notRightBefore;

    /** Columns of the last change that are not proven by the cabling alone, homes aside. */
    private BitSet doubtful;

    /** Rows that are not those of the last tables may have been made for other cables, or never have been right. */
    private boolean anything;

    private SuspectHomes homes;
    private BrokenSpans broken;
    private Sides sides;

    /** What was planned last; null before the first change. */
    private @Nullable SpanDifferences planned;

    /**
     * Begins with tables that are in force everywhere, and with no others.
     *
     * @param notRight columns of theirs with an entry that is not right
     */
    public ChangeWatch(FabricView view, LftSet tables, BitSet notRight) {
        this(view, tables, notRight, false);
    }

    /**
     * Begins with tables that should be in force.
     *
     * @param notRight columns of theirs with an entry that is not right
     * @param anything whether a switch that does not surely hold its row of them may hold one that was made for any fabric
     */
    public ChangeWatch(FabricView view, LftSet tables, BitSet notRight, boolean anything) {
        this.view = view;
        this.tables = tables;
        this.anything = anything;
        notRightBefore = (BitSet) notRight.clone();
        doubtful = new BitSet();
        homes = new SuspectHomes(view);
        broken = new BrokenSpans(view, homes, tables.entryCount());
        sides = new Sides(view);
    }

    /** Plans the next change, however long it takes: as {@link #plan(FabricView, RowsInForce, LftSet, BitSet, ChangeTerms)}. */
    public ChangePlan plan(FabricView works, RowsInForce inForce, LftSet next, BitSet notRight) {
        return plan(works, inForce, next, notRight, ChangeTerms.UNBOUNDED);
    }

    /**
     * Plans the next change. A switch that was not there, or dead, in the view before may hold anything, whatever {@code inForce} says.
     *
     * @param works the links that work now
     * @param inForce by which rows the switches of this view may forward, as long as {@code next}
     * @param next what they shall hold; not looked at for switches that cannot be told anything
     * @param notRight columns of {@code next} with an entry that is not right
     * @param terms what the plan may cost
     * @throws IllegalArgumentException if rows and columns are not as many; nothing has changed then
     */
    public ChangePlan plan(FabricView works, RowsInForce inForce, LftSet next, BitSet notRight, ChangeTerms terms) {
        ChangePlanner.requireSizes(works, inForce, next);
        int[] was = placesBefore(works);
        boolean sameSwitches = was.length == view.switchCount()
                && IntStream.range(0, was.length).allMatch(s -> was[s] == s);
        BitSet unsettled = unsettled(works, was, inForce);
        anything &= !unsettled.isEmpty();
        RowsInForce known = inForce.without(returned(works, was));
        BitSet suspects = (BitSet) notRight.clone();
        suspects.or(notRightBefore);
        suspects.or(openDoubts(was, inForce, unsettled));
        BitSet unanswered = unsettled.stream().anyMatch(s -> inForce.of(s).length == 0) ? doubtful : new BitSet();
        BitSet moved = sameSwitches ? nodesMoved(works) : null;
        int[] relinked = moved == null ? IntStream.range(0, was.length).toArray() : relinked(works, moved);
        boolean sameCabling = homes.fits(works, was);
        if (sameCabling) {
            addMoved(works, was, suspects);
            if (addRecabled(works, was, relinked, known, suspects)) {
                homes = new SuspectHomes(view);
                sameCabling = false;
            }
            if (!sameSwitches) {
                homes = new SuspectHomes(works, homes, was);
                sameCabling = false;
            }
            sameCabling &= !homes.add(works, relinked);
        } else {
            suspects.set(0, works.nodeCount());
            homes = new SuspectHomes(works);
        }
        if (anything) {
            WrongWays wrong = new WrongWays(works, homes.homesBelow(), next.entryCount());
            unsettled.stream().forEach(s -> wrong.addTo(suspects, s, known.of(s)));
        }
        doubtful = (BitSet) suspects.clone();
        doubtful.or(unanswered);
        addSuspectHomes(works, suspects);
        if (!sameCabling || moved == null || !broken.fits(next.entryCount())) {
            broken = new BrokenSpans(works, homes, next.entryCount());
            sides = new Sides(works);
        } else if (!moved.isEmpty()) {
            broken.findHomes(works, homes);
        }
        broken.update(works, known, relinked, planned, suspects.isEmpty());
        sides.update(works, relinked);
        LftSet held = known.withUntold(next);
        SpanDifferences differences = new SpanDifferences(works, known, held, sides);
        planned = differences;
        ChangePlan plan = ChangePlanner.plan(works, known, held, suspects, broken, differences, terms);
        view = works;
        notRightBefore = (BitSet) notRight.clone();
        tables = next;
        return plan;
    }

    /** Node indices that are elsewhere than before; {@code null} if more than nodes may be numbered otherwise. */
    private @Nullable BitSet nodesMoved(FabricView works) {
        return works.hasTargetsOf(view) && works.nodeCount() >= view.nodeCount() ? works.nodesMovedSince(view) : null;
    }

    /** Switches with other links, or other ports with a host. */
    private int[] relinked(FabricView works, BitSet moved) {
        int[] links = works.switchesLinkedOtherwiseThan(view);
        if (moved.isEmpty()) {
            return links;
        }
        BitSet both = new BitSet();
        Arrays.stream(links).forEach(both::set);
        moved.stream().forEach(d -> {
            addHome(works, d, both);
            addHome(view, d, both);
        });
        return both.stream().toArray();
    }

    private static void addHome(FabricView of, int d, BitSet homes) {
        int home = d < of.nodeCount() ? of.nodeSwitch(d) : -1;
        if (home >= 0) {
            homes.set(home);
        }
    }

    /** By switch, its index in the view before; −1 if it was not there, had other ports or no rank. */
    private int[] placesBefore(FabricView works) {
        int[] was = new int[works.switchCount()];
        boolean comparable = works.comparableTo(view);
        for (int s = 0; s < was.length; s++) {
            if (comparable) {
                was[s] = view.rank(s) >= 0 || works.rank(s) < 0 ? s : -1;
                continue;
            }
            boolean same = s < view.switchCount() && view.switchGuid(s) == works.switchGuid(s);
            int before = same ? s : view.switchOf(works.switchGuid(s));
            boolean known = before >= 0
                    && view.portCount(before) == works.portCount(s)
                    && (view.rank(before) >= 0 || works.rank(s) < 0);
            was[s] = known ? before : -1;
        }
        return was;
    }

    /** Live switches that may not hold what was planned for them last. */
    private BitSet unsettled(FabricView works, int[] was, RowsInForce inForce) {
        BitSet unsettled = new BitSet();
        for (int s = 0; s < works.switchCount(); s++) {
            LftRow row = inForce.only(s);
            if (was[s] >= 0 && works.alive(s) && view.alive(was[s])) {
                LftRow planned = tables.row(was[s]);
                boolean holds = row != null && (row == planned || row.sameParts(planned.fittedTo(row.entryCount())));
                unsettled.set(s, !holds);
            }
        }
        return unsettled;
    }

    /** Doubtful columns in which some switch may have another entry than was planned last, and one that leads somewhere. */
    private BitSet openDoubts(int[] was, RowsInForce inForce, BitSet unsettled) {
        BitSet open = new BitSet();
        if (!doubtful.isEmpty()) {
            unsettled.stream()
                    .forEach(s -> inForce.addOthers(s, tables.row(was[s]).fittedTo(inForce.entryCount()), open));
            open.and(doubtful);
        }
        return open;
    }

    private BitSet returned(FabricView works, int[] was) {
        BitSet returned = new BitSet();
        for (int s = 0; s < works.switchCount(); s++) {
            if (works.alive(s) && (was[s] < 0 || !view.alive(was[s]))) {
                returned.set(s);
            }
        }
        return returned;
    }

    private void addMoved(FabricView works, int[] was, BitSet suspects) {
        if (works.sharesHosts(view)) {
            return;
        }
        for (int d = 0; d < Math.min(view.nodeCount(), works.nodeCount()); d++) {
            int home = works.nodeSwitch(d);
            boolean stays = home >= 0 && was[home] == view.nodeSwitch(d) && works.nodePort(d) == view.nodePort(d);
            if (view.nodeSwitch(d) >= 0 && !stays) {
                suspects.set(d);
            }
        }
    }

    private void addSuspectHomes(FabricView works, BitSet suspects) {
        if (!homes.suspects().isEmpty()) {
            for (int d = 0; d < works.nodeCount(); d++) {
                int home = works.nodeSwitch(d);
                if (home >= 0 && homes.suspects().get(home)) {
                    suspects.set(d);
                }
            }
        }
    }

    /** Adds the columns that may be sent through a port which leads elsewhere than it did; true if there is such a port. */
    private boolean addRecabled(FabricView works, int[] was, int[] relinked, RowsInForce inForce, BitSet suspects) {
        boolean found = false;
        for (int s : relinked) {
            long[] elsewhere = null;
            for (int port = 1; was[s] >= 0 && port <= works.portCount(s); port++) {
                int now = works.peerSwitch(s, port);
                int before = view.peerSwitch(was[s], port);
                if (now >= 0 && (before < 0 || was[now] != before)) {
                    found |= before >= 0;
                    elsewhere = elsewhere == null ? new long[4] : elsewhere;
                    elsewhere[port >> 6] |= 1L << port;
                }
            }
            if (elsewhere != null) {
                addThrough(elsewhere, inForce.of(s), suspects);
            }
        }
        return found;
    }

    private static void addThrough(long[] ports, LftRow[] rows, BitSet suspects) {
        for (LftRow row : rows) {
            for (int from = 0; from < row.entryCount(); from += LftRow.SPAN_COLUMNS) {
                int to = Math.min(row.entryCount(), from + LftRow.SPAN_COLUMNS);
                boolean used = meets(row.entrySet(from / LftRow.SPAN_COLUMNS), ports);
                for (int d = from; used && d < to; d++) {
                    if (contains(ports, row.port(d))) {
                        suspects.set(d);
                    }
                }
            }
        }
    }

    private static boolean meets(long[] entries, long[] ports) {
        boolean meets = false;
        for (int w = 0; w < ports.length; w++) {
            meets |= (entries[w] & ports[w]) != 0;
        }
        return meets;
    }

    private static boolean contains(long[] ports, int port) {
        return (ports[port >> 6] >>> port & 1) != 0;
    }
}
