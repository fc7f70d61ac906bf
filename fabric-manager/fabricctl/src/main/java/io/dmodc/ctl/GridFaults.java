package io.dmodc.ctl;

import io.dmodc.routing.vtftr.GridState;
import io.dmodc.routing.vtftr.SpareMode;
import io.dmodc.routing.vtftr.TurnTables;
import io.dmodc.routing.vtftr.Vtftr;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.grid.GridFinding;
import io.dmodc.topology.grid.GridRecognition;
import io.dmodc.topology.grid.RecognisedGrid;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** The options that say which leaves of a grid are dead, and how VTFTR goes round them. */
final class GridFaults {
    private static final Pattern PLACE = Pattern.compile("(\\d{1,4}),(\\d{1,4})");

    @Option(
            names = "--fault",
            paramLabel = "ROW,COLUMN",
            description = "a leaf of a grid that is dead, as the tables know; may be given several times")
    private List<String> faults = List.of();

    @Option(
            names = "--burst",
            paramLabel = "ROW,COLUMN",
            description =
                    "a leaf that is dead while the tables of VTFTR do not know it yet; may be given several times")
    private List<String> bursts = List.of();

    @Option(
            names = "--spares",
            paramLabel = "paper|pairwise",
            defaultValue = "pairwise",
            description = "of VTFTR: lines without any fault, or all that lead on to the destination (default:"
                    + " ${DEFAULT-VALUE})")
    private SpareMode spares = SpareMode.PAIRWISE;

    /** Tables of a grid, and the leaves that died without their knowledge. */
    record Routed(TurnTables tables, List<Integer> bursts) {}

    /** By which spares, in small letters. */
    String spares() {
        return spares.name().toLowerCase(Locale.ROOT);
    }

    /**
     * The fabric without the leaves that its tables know to be dead.
     *
     * @param name of the fabric, for messages
     * @throws IllegalArgumentException in one line, if faults were given and it is no grid or has no such leaf
     */
    Fabric known(Fabric fabric, String name) {
        return faults.isEmpty() ? fabric : fabric.without(leaves(faults, recognised(fabric.whole(), name)));
    }

    /** The same without those that they do not know, either. */
    Fabric all(Fabric known, String name) {
        return bursts.isEmpty() ? known : known.without(leaves(bursts, recognised(known.whole(), name)));
    }

    /** @throws IllegalArgumentException in one line, if there are options that other engines do nothing with */
    void requireNoBursts(String engine) {
        if (!bursts.isEmpty()) {
            throw new IllegalArgumentException(
                    "--burst " + bursts.get(0) + " with engine " + engine + "; expected engine " + TableChoice.VTFTR);
        }
    }

    /**
     * Routes a grid with VTFTR.
     *
     * @param whole the fabric before any damage, which says where each leaf stands
     * @param known the fabric without all that the tables know to be dead
     * @param name of the fabric, for messages
     * @param err hears what is odd about the grid
     * @throws IllegalArgumentException in one line, if it is no grid, or a burst is at no live leaf
     */
    Routed route(FabricView whole, FabricView known, String name, PrintWriter err) {
        RecognisedGrid grid = recognised(whole, name);
        grid.findings().stream().map(GridFinding::text).forEach(text -> err.println(name + ": " + text));
        TurnTables tables = Vtftr.compute(GridState.of(grid, known), spares);
        return new Routed(tables, bursts(tables.state()));
    }

    private static RecognisedGrid recognised(FabricView whole, String name) {
        RecognisedGrid grid = GridRecognition.recognise(whole);
        if (grid.rows() == 0) {
            throw new IllegalArgumentException(
                    name + ": " + grid.findings().get(0).text());
        }
        return grid;
    }

    /** Switches; places without a leaf are dead anyway. */
    private static BitSet leaves(List<String> places, RecognisedGrid grid) {
        BitSet switches = new BitSet();
        for (String place : places) {
            int leaf = leaf(place, grid.rows(), grid.columns());
            int s = grid.leaf(leaf / grid.columns(), leaf % grid.columns());
            if (s >= 0) {
                switches.set(s);
            }
        }
        return switches;
    }

    private List<Integer> bursts(GridState state) {
        List<Integer> leaves = new ArrayList<>();
        for (String burst : bursts) {
            int leaf = leaf(burst, state.rows(), state.columns());
            if (!state.alive(leaf / state.columns(), leaf % state.columns())) {
                throw new IllegalArgumentException("--burst " + burst + " is known to be dead; expected a live leaf");
            }
            if (leaves.contains(leaf)) {
                throw new IllegalArgumentException("--burst " + burst + " is given twice");
            }
            leaves.add(leaf);
        }
        return leaves;
    }

    private static int leaf(String text, int rows, int columns) {
        Matcher place = PLACE.matcher(text);
        if (place.matches()) {
            int row = Integer.parseInt(place.group(1));
            int column = Integer.parseInt(place.group(2));
            if (row < rows && column < columns) {
                return row * columns + column;
            }
        }
        throw new IllegalArgumentException(
                "'" + text + "' is no leaf; expected ROW,COLUMN in 0.." + (rows - 1) + ",0.." + (columns - 1));
    }
}
