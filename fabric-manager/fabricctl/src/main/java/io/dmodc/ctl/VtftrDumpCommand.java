package io.dmodc.ctl;

import io.dmodc.routing.vtftr.CoverageProbability;
import io.dmodc.routing.vtftr.GridState;
import io.dmodc.routing.vtftr.SpareMode;
import io.dmodc.routing.vtftr.TurnDumpWriter;
import io.dmodc.routing.vtftr.TurnTables;
import io.dmodc.routing.vtftr.Vtftr;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.grid.GridFinding;
import io.dmodc.topology.grid.GridRecognition;
import io.dmodc.topology.grid.RecognisedGrid;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code fabricctl vtftr dump}. */
@Command(
        name = "dump",
        description = {
            "Computes the tables of all leaves and roots of a grid and writes them as text of the form vtftr 1.",
            "Places of the grid without a leaf that works are known faults, too; what else is odd is named on standard error."
        })
final class VtftrDumpCommand implements Callable<Integer> {
    private static final Pattern PLACE = Pattern.compile("(\\d{1,4}),(\\d{1,4})");

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @ArgGroup(multiplicity = "1")
    private FabricOrigin origin = new FabricOrigin();

    @Option(
            names = "--fault",
            paramLabel = "ROW,COLUMN",
            description = "a leaf that is dead, as the tables know; may be given several times")
    private List<String> faults = List.of();

    @Option(
            names = "--burst",
            paramLabel = "ROW,COLUMN",
            description = "a leaf that is dead while the tables do not know it yet; may be given several times")
    private List<String> bursts = List.of();

    @Option(
            names = "--spares",
            paramLabel = "paper|pairwise",
            defaultValue = "pairwise",
            description = "lines without any fault, or all that lead on to the destination (default: ${DEFAULT-VALUE})")
    private SpareMode spares = SpareMode.PAIRWISE;

    @Option(
            names = {"-o", "--out"},
            paramLabel = "F",
            defaultValue = OutputFile.STANDARD_OUTPUT,
            description = "file to write; - is standard output (default: ${DEFAULT-VALUE})")
    private String out = "";

    @Override
    public Integer call() throws IOException {
        Source source = origin.source();
        if (source.summary() != null) {
            Remarks.of(source.summary()).forEach(spec.commandLine().getErr()::println);
        }
        NodeIndexMap nodes = new NodeIndexMap();
        FabricView whole = source.fabric().build(0, nodes, new GuidNumbers());
        RecognisedGrid grid = GridRecognition.recognise(whole);
        if (grid.rows() == 0) {
            throw new IllegalArgumentException(
                    origin.name() + ": " + grid.findings().get(0).text());
        }
        grid.findings().stream()
                .map(GridFinding::text)
                .forEach(text -> spec.commandLine().getErr().println(origin.name() + ": " + text));
        GridState state = damaged(source, grid, nodes, whole);
        TurnTables tables = Vtftr.compute(state, spares);
        List<Integer> unannounced = bursts(state);
        OutputFile.write(out, spec.commandLine().getOut(), to -> {
            to.append(remark(state));
            TurnDumpWriter.write(tables, unannounced, to);
        });
        return Main.YES;
    }

    private GridState damaged(Source source, RecognisedGrid grid, NodeIndexMap nodes, FabricView whole) {
        for (String fault : faults) {
            int leaf = leaf(fault, grid.rows(), grid.columns());
            int s = grid.leaf(leaf / grid.columns(), leaf % grid.columns());
            if (s >= 0) {
                source.fabric().apply(new SwitchState(whole.switchGuid(s), false));
            }
        }
        return GridState.of(grid, source.fabric().build(1, nodes, Inputs.levels(whole)));
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

    private String remark(GridState state) {
        int dead = 0;
        for (int leaf = 0; leaf < state.rows() * state.columns(); leaf++) {
            dead += state.alive(leaf / state.columns(), leaf % state.columns()) ? 0 : 1;
        }
        return String.format(
                Locale.ROOT,
                "# %s, spares %s, %d known faults; so many at random hit every row and every column with probability %.4g%n",
                origin.name(),
                spares.name().toLowerCase(Locale.ROOT),
                dead,
                CoverageProbability.of(state.rows(), state.columns(), dead));
    }
}
