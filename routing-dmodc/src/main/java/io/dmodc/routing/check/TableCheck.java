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
 * must climb to one whose shortest legal path turns at the same rank as its own ({@link TurnSets}); a switch without
 * legal path must have no entry. Where all entries of a destination are so ({@link CheckedRows}), every packet climbs
 * rank by rank, then descends rank by rank, over a minimal legal path: delivered, without loop or turn. Only other
 * destinations are followed hop by hop ({@link ColumnWalk}), which decides what really is wrong with them.
 *
 * <p><b>Runs.</b> Rows are runs of port patterns, and which destinations an entry is right for is a set ({@link
 * RightPorts}). So a run is proved by taking the intersection over its ports, 64 homes at a time, and a span that many
 * switches share is proved once. Entries are looked at one by one only where that fails.
 *
 * <p><b>Deadlock.</b> As long as no packet turns up after going down, all dependencies lead from lower to higher up
 * channels, from up to down, and from higher to lower down channels: they are acyclic. Only when some packet does turn
 * are the dependencies of all destinations collected and searched ({@link ChannelDependencies}).
 *
 * <p>O(different spans × runs × ports) time for tables that are right, O(switches × destinations + links × switches
 * with hosts) at most. Stateless; {@link TableWatch} keeps what it found. The result does not depend on
 * {@code parallel}.
 */
public final class TableCheck {
    private final FabricView view;
    private final LftSet tables;
    private final CheckedRows rows;
    private final Destinations destinations;
    private final SurplusEntryRule surplus;
    private final Parallel parallel;
    private final PortPeers peers;
    private final Findings findings = new Findings();

    private TableCheck(
            CheckedRows rows, LftSet tables, Destinations destinations, SurplusEntryRule surplus, Parallel parallel) {
        this.view = rows.view();
        this.tables = tables;
        this.rows = rows;
        this.destinations = destinations;
        this.surplus = surplus;
        this.parallel = parallel;
        this.peers = new PortPeers(view);
    }

    /**
     * Checks tables that route to nodes, strictly: no entry where no legal path exists.
     *
     * @throws IllegalArgumentException if the tables have not one row per switch and one column per node of the view
     */
    public static CheckReport check(FabricView view, LftSet tables, Parallel parallel) {
        return check(view, tables, SurplusEntryRule.FORBIDDEN, parallel);
    }

    /**
     * Checks tables that route to nodes.
     *
     * @throws IllegalArgumentException if the tables have not one row per switch and one column per node of the view
     */
    public static CheckReport check(FabricView view, LftSet tables, SurplusEntryRule surplus, Parallel parallel) {
        return new TableWatch().check(view, tables, surplus, parallel);
    }

    /**
     * Checks tables that route to switches; every live switch sends to every other. An entry for a switch itself is 0.
     *
     * @throws IllegalArgumentException if the tables have not one row and one column per switch of the view
     */
    public static CheckReport checkSwitchTables(FabricView view, LftSet tables, Parallel parallel) {
        return TableWatch.ofSwitchTables().check(view, tables, SurplusEntryRule.FORBIDDEN, parallel);
    }

    /**
     * Columns of tables that route to nodes with an entry at a live switch that is not right: packets may be delivered all the same,
     * but not by the argument that holds for all others.
     *
     * @throws IllegalArgumentException if the tables have not one row per switch and one column per node of the view
     */
    public static BitSet notRight(FabricView view, LftSet tables, Parallel parallel) {
        requireSize(view, tables, view.nodeCount(), "node");
        return new CheckedRows(view, ColumnHomes.nodes(view)).suspects(view, tables, all(view), parallel);
    }

    /** The report on tables whose rows were just looked at. */
    static CheckReport report(
            CheckedRows rows,
            LftSet tables,
            Destinations destinations,
            BitSet suspects,
            SurplusEntryRule surplus,
            Parallel parallel) {
        return new TableCheck(rows, tables, destinations, surplus, parallel).report(suspects, tables.entryCount());
    }

    static int[] all(FabricView view) {
        int[] all = new int[view.switchCount()];
        Arrays.setAll(all, s -> s);
        return all;
    }

    static void requireSize(FabricView view, LftSet tables, int columns, String kind) {
        if (tables.switchCount() != view.switchCount() || tables.entryCount() != columns) {
            throw new IllegalArgumentException("tables of " + tables.switchCount() + " rows and " + tables.entryCount()
                    + " columns; expected " + view.switchCount() + ", one per switch, and " + columns + ", one per "
                    + kind);
        }
    }

    private CheckReport report(BitSet suspects, int columns) {
        walk(destinations.ordered(suspects));
        for (int s = 0; s < view.switchCount(); s++) {
            if (destinations.source[s]) {
                findings.pairs += rows.columns().count(rows.turns().reached(s));
            }
        }
        long entries = (long) liveSwitches() * columns;
        return CheckReport.of(view, failures(), CutOffSearch.of(view, rows.columns(), rows.turns()), findings, entries);
    }

    private void walk(int[] suspects) {
        Findings[] found = new Findings[ColumnBlock.count(suspects.length)];
        parallel.forEach(found.length, i -> found[i] = walkBlock(suspects, i * ColumnBlock.COLUMNS_MAX));
        for (Findings block : found) {
            findings.add(block);
        }
    }

    private Findings walkBlock(int[] suspects, int from) {
        int to = Math.min(suspects.length, from + ColumnBlock.COLUMNS_MAX);
        ColumnBlock block = new ColumnBlock(tables, suspects, from, to);
        Findings found = new Findings();
        ColumnWalk walk = new ColumnWalk(peers, destinations, surplus, found);
        int[] turn = new int[view.switchCount()];
        for (int i = from; i < to; i++) {
            int d = suspects[i];
            if (i == from || rows.columns().home(d) != rows.columns().home(suspects[i - 1])) {
                findTurns(rows.columns().home(d), turn);
            }
            walk.check(d, block.column(i - from), turn);
        }
        return found;
    }

    private void findTurns(int home, int[] turn) {
        for (int s = 0; s < turn.length; s++) {
            turn[s] = home < 0 ? TurnSets.NONE : rows.turns().turn(s, home);
        }
    }

    private int liveSwitches() {
        int live = 0;
        for (int s = 0; s < view.switchCount(); s++) {
            live += view.alive(s) ? 1 : 0;
        }
        return live;
    }

    private List<Failure> failures() {
        FindingText findingText = new FindingText(peers, tables, destinations);
        List<Failure> failures = new ArrayList<>();
        for (TableProperty property : TableProperty.values()) {
            if (findings.count(property) > 0) {
                List<String> examples = findings.places(property).stream()
                        .map(place -> findingText.tell(property, place.s(), place.d()))
                        .toList();
                failures.add(new Failure(property, findings.count(property), examples));
            }
        }
        if (findings.count(TableProperty.NO_DOWN_UP_TURN) > 0) {
            addCycles(failures);
        }
        return failures;
    }

    private void addCycles(List<Failure> failures) {
        Failure cycles = ChannelCycles.find(ChannelDependencies.of(peers, tables, destinations.source, parallel), view);
        if (cycles.count() > 0) {
            failures.add(cycles);
        }
    }
}
