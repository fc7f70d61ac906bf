package io.dmodc.ctl;

import io.dmodc.routing.vtftr.CoverageProbability;
import io.dmodc.routing.vtftr.GridState;
import io.dmodc.routing.vtftr.TurnDumpWriter;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @ArgGroup(multiplicity = "1")
    private FabricOrigin origin = new FabricOrigin();

    @Mixin
    private SlowLinkOption slowLinks = new SlowLinkOption();

    @Mixin
    private GridFaults faults = new GridFaults();

    @Option(
            names = {"-o", "--out"},
            paramLabel = "F",
            defaultValue = OutputFile.STANDARD_OUTPUT,
            description = "file to write; - is standard output (default: ${DEFAULT-VALUE})")
    private String out = "";

    @Override
    public Integer call() throws IOException {
        Source source = origin.source();
        source.remarks().forEach(spec.commandLine().getErr()::println);
        Fabric fabric = faults.known(slowLinks.applied(Fabric.whole(source)), origin.name());
        GridFaults.Routed routed = faults.route(
                fabric.whole(), fabric.view(), origin.name(), spec.commandLine().getErr());
        OutputFile.write(out, spec.commandLine().getOut(), to -> {
            to.append(remark(routed.tables().state()));
            TurnDumpWriter.write(routed.tables(), routed.bursts(), to);
        });
        return Main.YES;
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
                faults.spares(),
                dead,
                CoverageProbability.of(state.rows(), state.columns(), dead));
    }
}
