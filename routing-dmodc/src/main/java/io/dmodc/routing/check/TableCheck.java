package io.dmodc.routing.check;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.check.CheckReport.Failure;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Proves tables right or says what is wrong, whoever made them: each row may come from another engine or epoch.
 *
 * <p><b>Idea.</b> Per destination, a switch that can descend to it must do so to a switch that can as well; any other
 * must climb to one whose shortest legal path turns at the same rank as its own ({@link TurnRanks}); a switch without
 * legal path must have no entry. Where all entries of a destination are so ({@link ColumnScan}), every packet climbs
 * rank by rank, then descends rank by rank, over a minimal legal path: delivered, without loop or turn. Only other
 * destinations are followed hop by hop ({@link ColumnWalk}), which decides what really is wrong with them.
 *
 * <p><b>Deadlock.</b> As long as no packet turns up after going down, all dependencies lead from lower to higher up
 * channels, from up to down, and from higher to lower down channels: they are acyclic. Only when some packet does turn
 * are the dependencies of all destinations collected and searched ({@link ChannelDependencies}).
 *
 * <p>O(switches × destinations + links × switches with hosts) time, 2 KiB per switch of memory while no property fails.
 * Stateless; the result does not depend on {@code parallel}.
 */
public final class TableCheck {
    /** A piece of work reads some cache lines of a row at once, which pays for the walk from row to row … */
    private static final int COLUMNS_PER_PIECE = 256;

    /** … but not so many bundles that their turn ranks leave the cache. */
    private static final int BUNDLES_PER_PIECE = 32;

    private final FabricView view;
    private final LftSet tables;
    private final Destinations destinations;
    private final Surplus surplus;
    private final Parallel parallel;
    private final Wiring wiring;
    private final Findings findings = new Findings();

    private TableCheck(FabricView view, LftSet tables, Destinations destinations, Surplus surplus, Parallel parallel) {
        this.view = view;
        this.tables = tables;
        this.destinations = destinations;
        this.surplus = surplus;
        this.parallel = parallel;
        this.wiring = new Wiring(view);
    }

    /**
     * Checks tables that route to nodes, strictly: no entry where no legal path exists.
     *
     * @throws IllegalArgumentException if the tables have not one row per switch and one column per node of the view
     */
    public static CheckReport check(FabricView view, LftSet tables, Parallel parallel) {
        return check(view, tables, Surplus.FORBIDDEN, parallel);
    }

    /**
     * Checks tables that route to nodes.
     *
     * @throws IllegalArgumentException if the tables have not one row per switch and one column per node of the view
     */
    public static CheckReport check(FabricView view, LftSet tables, Surplus surplus, Parallel parallel) {
        requireSize(view, tables, view.nodeCount(), "node");
        BitSet all = new BitSet();
        all.set(0, view.nodeCount());
        return new TableCheck(view, tables, Destinations.nodes(view, all), surplus, parallel).run();
    }

    /**
     * Checks tables of which only some columns can be wrong, because all others were proved before and no legal path to
     * their destinations came, went or became shorter since. Of the others it is only made sure that no entry points to
     * a dead port; they count when channel dependencies are collected.
     *
     * @param nodes the columns to check in full
     * @throws IllegalArgumentException if the tables have not one row per switch and one column per node of the view,
     *     or a node is outside them
     */
    public static CheckReport checkDestinations(FabricView view, LftSet tables, BitSet nodes, Parallel parallel) {
        requireSize(view, tables, view.nodeCount(), "node");
        if (nodes.length() > view.nodeCount()) {
            throw new IllegalArgumentException(
                    "node " + (nodes.length() - 1) + " to check; expected at most " + (view.nodeCount() - 1));
        }
        Destinations destinations = Destinations.nodes(view, nodes);
        TableCheck check = new TableCheck(view, tables, destinations, Surplus.FORBIDDEN, parallel);
        check.scanOthers(nodes);
        return check.run();
    }

    /**
     * Checks tables that route to switches; every live switch sends to every other. An entry for a switch itself is 0.
     *
     * @throws IllegalArgumentException if the tables have not one row and one column per switch of the view
     */
    public static CheckReport checkSwitchTables(FabricView view, LftSet tables, Parallel parallel) {
        requireSize(view, tables, view.switchCount(), "switch");
        return new TableCheck(view, tables, Destinations.switches(view), Surplus.FORBIDDEN, parallel).run();
    }

    private static void requireSize(FabricView view, LftSet tables, int columns, String kind) {
        if (tables.switchCount() != view.switchCount() || tables.entryCount() != columns) {
            throw new IllegalArgumentException("tables of " + tables.switchCount() + " rows and " + tables.entryCount()
                    + " columns; expected " + view.switchCount() + ", one per switch, and " + columns + ", one per "
                    + kind);
        }
    }

    private CheckReport run() {
        int[] pieces = pieces();
        Findings[] found = new Findings[pieces.length - 1];
        parallel.forEach(
                found.length,
                i -> found[i] = ColumnScan.check(wiring, tables, destinations, surplus, pieces[i], pieces[i + 1]));
        for (Findings piece : found) {
            findings.add(piece);
        }
        long entries = (long) liveSwitches() * destinations.column.length;
        return CheckReport.of(view, failures(), CutOff.of(wiring), findings, entries);
    }

    /** Bundle indices at which pieces of work start; the last ends the last piece. */
    private int[] pieces() {
        int[] starts = new int[destinations.bundleCount + 1];
        int count = 0;
        for (int bundle = 0; bundle < destinations.bundleCount; bundle++) {
            int start = count == 0 ? 0 : starts[count - 1];
            int columns = destinations.bundleStart[bundle] - destinations.bundleStart[start];
            if (count == 0 || columns >= COLUMNS_PER_PIECE || bundle - start >= BUNDLES_PER_PIECE) {
                starts[count++] = bundle;
            }
        }
        starts[count++] = destinations.bundleCount;
        return Arrays.copyOf(starts, count);
    }

    private int liveSwitches() {
        int live = 0;
        for (int s = 0; s < view.switchCount(); s++) {
            live += view.alive(s) ? 1 : 0;
        }
        return live;
    }

    private List<Failure> failures() {
        Story story = new Story(wiring, tables, destinations);
        List<Failure> failures = new ArrayList<>();
        for (Property property : Property.values()) {
            if (findings.count(property) > 0) {
                List<String> examples = findings.places(property).stream()
                        .map(place -> story.tell(property, place.s(), place.d()))
                        .toList();
                failures.add(new Failure(property, findings.count(property), examples));
            }
        }
        if (findings.count(Property.NO_DOWN_UP_TURN) > 0) {
            addCycles(failures);
        }
        return failures;
    }

    private void addCycles(List<Failure> failures) {
        Failure cycles =
                ChannelCycles.find(new ChannelDependencies(wiring, tables, destinations.source, parallel), view);
        if (cycles.count() > 0) {
            failures.add(cycles);
        }
    }

    private void scanOthers(BitSet checked) {
        Findings[] found = new Findings[view.switchCount()];
        parallel.forEach(found.length, s -> found[s] = DeadPortScan.check(wiring, tables, destinations, checked, s));
        for (Findings row : found) {
            findings.add(row);
        }
    }
}
