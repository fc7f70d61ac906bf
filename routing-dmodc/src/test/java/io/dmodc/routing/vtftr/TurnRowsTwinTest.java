package io.dmodc.routing.vtftr;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.Parallel;
import io.dmodc.routing.TurnTableSet;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.grid.GridPlace;
import io.dmodc.topology.grid.GridRecognition;
import io.dmodc.topology.grid.RecognisedGrid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Rows beside what is said of each entry alone, in grids cabled as they come: ports anywhere, some cables twofold, hosts numbered anyhow;
 * through histories of lost and returned switches and cables.
 */
class TurnRowsTwinTest {
    private static final int GRIDS = 100 * Integer.getInteger("more", 1);

    @Test
    void shouldHaveTheEntriesThatAreSaidOneByOne() {
        int states = 0;
        for (int seed = 0; seed < GRIDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            SpareMode mode = seed % 2 == 0 ? SpareMode.PAPER : SpareMode.PAIRWISE;
            MixedGrid fabric = new MixedGrid(
                    2 + random.nextInt(4),
                    2 + random.nextInt(4),
                    1 + random.nextInt(3),
                    1 + random.nextInt(3),
                    seed % 3 == 0,
                    random);
            FabricView view = fabric.view();
            RecognisedGrid grid = GridRecognition.recognise(view);
            if (grid.rows() == 0) {
                continue;
            }
            GridState state = GridState.of(grid, view);
            TurnRows rows = new TurnRows();
            TurnTableSet before = rows.rows(view, Vtftr.compute(state, mode), Parallel.sequential());
            for (int step = 0; step < 6; step++) {
                String what = "seed " + seed + ", step " + step;
                fabric.change(random);
                view = fabric.view();
                state = GridState.of(view, state);
                TurnTables tables = Vtftr.compute(state, mode);

                TurnTableSet after = rows.rows(view, tables, Parallel.sequential());

                assertEntries(what + ", changed", view, tables, after);
                assertEntries(what + ", fresh", view, tables, new TurnRows().rows(view, tables, Parallel.sequential()));
                assertKept(what, before, after);
                before = after;
                states++;
            }
        }
        assertThat(states).as("all but a few are recognised").isGreaterThan(5 * GRIDS);
    }

    private static void assertKept(String what, TurnTableSet before, TurnTableSet after) {
        for (int s = 0; s < after.switchCount(); s++) {
            assertThat(after.row(s) == before.row(s))
                    .as(what + ", switch %d keeps its row exactly while it is the same", s)
                    .isEqualTo(after.row(s).sameEntries(before.row(s)));
        }
    }

    private static void assertEntries(String what, FabricView view, TurnTables tables, TurnTableSet rows) {
        HostsOfLeaves hosts = HostsOfLeaves.of(view, tables.state().grid());
        for (int s = 0; s < view.switchCount(); s++) {
            byte[] expected = new byte[rows.entryCount()];
            Arrays.fill(expected, (byte) TurnTableSet.NONE);
            if (view.alive(s)) {
                byte[] header = new TurnRowHeader(
                                view,
                                s,
                                tables.state().grid().place(s),
                                SwitchPorts.of(tables.state().grid(), view, s))
                        .entries();
                System.arraycopy(header, 0, expected, 0, header.length);
                for (int d = 0; d < view.nodeCount(); d++) {
                    for (InputClass from : InputClass.values()) {
                        expected[TurnTableSet.entry(TurnRowsTest.inputClass(from), d)] =
                                (byte) entry(view, tables, hosts, s, from, d);
                    }
                }
            }
            byte[] found = rows.row(s).toBytes();
            assertThat(Arrays.mismatch(found, expected))
                    .as(what + ", switch " + s)
                    .isEqualTo(-1);
        }
    }

    private static int entry(FabricView view, TurnTables tables, HostsOfLeaves hosts, int s, InputClass from, int d) {
        if (view.nodeSwitch(d) == s) {
            return view.peerNode(s, view.nodePort(d)) == d ? view.nodePort(d) : TurnTableSet.NONE;
        }
        RecognisedGrid grid = tables.state().grid();
        GridPlace place = grid.place(s);
        int destination = HostsOfLeaves.leafOf(view, grid, d);
        int columns = grid.columns();
        if (destination < 0 || !tables.state().alive(destination / columns, destination % columns)) {
            return TurnTableSet.NONE;
        }
        int host = 0;
        while (hosts.node(destination, host) != d) {
            host++;
        }
        return switch (place.kind()) {
            case UNPLACED -> TurnTableSet.NONE;
            case LEAF -> leafEntry(view, tables, s, place, from, destination, host);
            case ROW_ROOT, COLUMN_ROOT ->
                from == InputClass.HOST ? rootEntry(view, tables, s, place, destination, host) : TurnTableSet.NONE;
        };
    }

    private static int leafEntry(
            FabricView view, TurnTables tables, int s, GridPlace place, InputClass from, int destination, int host) {
        RecognisedGrid grid = tables.state().grid();
        int leaf = place.row() * grid.columns() + place.column();
        Turn turn = tables.turn(from, leaf, destination);
        if (turn == Turn.NONE) {
            return TurnTableSet.NONE;
        }
        List<Integer> switches = new ArrayList<>();
        tables.roots(leaf, turn, destination).stream()
                .forEach(k -> switches.add(
                        turn == Turn.ROW ? grid.rowRoot(place.row(), k) : grid.columnRoot(place.column(), k)));
        int shift = turn == Turn.ROW ? destination % grid.columns() : destination / grid.columns();
        return inTurn(view, s, switches, host + shift);
    }

    private static int rootEntry(
            FabricView view, TurnTables tables, int s, GridPlace place, int destination, int host) {
        RecognisedGrid grid = tables.state().grid();
        boolean row = place.kind() == GridPlace.Kind.ROW_ROOT;
        int primary =
                row ? tables.rowPrimary(place.row(), destination) : tables.columnPrimary(place.column(), destination);
        if (primary >= 0) {
            int port = inTurn(view, s, List.of(leafOf(grid, place, primary)), host);
            if (port != TurnTableSet.NONE) {
                return port;
            }
        }
        BitSet spares =
                row ? tables.rowSpares(place.row(), destination) : tables.columnSpares(place.column(), destination);
        List<Integer> switches = new ArrayList<>();
        spares.stream().forEach(i -> switches.add(leafOf(grid, place, i)));
        return inTurn(view, s, switches, host + (row ? destination / grid.columns() : destination % grid.columns()));
    }

    private static int leafOf(RecognisedGrid grid, GridPlace root, int i) {
        return root.kind() == GridPlace.Kind.ROW_ROOT ? grid.leaf(root.row(), i) : grid.leaf(i, root.column());
    }

    /** The n-th of the ports that lead to any of these: each switch in turn, and each of its cables in turn. */
    private static int inTurn(FabricView view, int s, List<Integer> switches, int n) {
        List<List<Integer>> cables = new ArrayList<>();
        int most = 0;
        for (int far : switches) {
            List<Integer> ports = new ArrayList<>();
            for (int port = 1; port <= view.portCount(s); port++) {
                if (view.peerSwitch(s, port) == far) {
                    ports.add(port);
                }
            }
            if (!ports.isEmpty()) {
                cables.add(ports);
                most = Math.max(most, ports.size());
            }
        }
        int turns = cables.size() * most;
        if (turns == 0) {
            return TurnTableSet.NONE;
        }
        int at = n % turns;
        List<Integer> ports = cables.get(at % cables.size());
        return ports.get(at / cables.size() % ports.size());
    }
}
