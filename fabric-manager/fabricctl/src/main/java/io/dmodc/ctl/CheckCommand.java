package io.dmodc.ctl;

import io.dmodc.routing.check.CheckReport;
import io.dmodc.routing.check.SurplusEntryRule;
import io.dmodc.routing.check.TableCheck;
import io.dmodc.routing.opensm.OpenSmTables;
import io.dmodc.topology.FabricView;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code fabricctl check}. */
@Command(
        name = "check",
        description = {
            "Proves forwarding tables right or prints every property that fails, whoever made them.",
            "Exit code 0: valid, 1: invalid. Switches with hosts without any legal path between them make no tables"
                    + " invalid; they are named."
        })
final class CheckCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private Inputs inputs = new Inputs();

    @Mixin
    private SlowLinkOption slowLinks = new SlowLinkOption();

    @Option(names = "--lft", paramLabel = "LFT", required = true, description = "tables as OpenSM dumps them")
    private String lft = "";

    @Option(names = "--switches", description = "check the tables towards switches, too")
    private boolean switches;

    @Option(
            names = "--strict",
            description = "entries where no legal path exists make tables invalid; else they are only counted")
    private boolean strict;

    @Option(
            names = "--format",
            defaultValue = "text",
            paramLabel = "text|json",
            description = "for people or for programs (default: ${DEFAULT-VALUE})")
    private Format format = Format.TEXT;

    @Mixin
    private Threads threads = new Threads();

    @Override
    public Integer call() throws IOException {
        try (Workers workers = threads.start()) {
            Fabric fabric = slowLinks.applied(inputs.load());
            FabricView view = fabric.view();
            OpenSmTables tables = TableFile.read(lft, fabric.view(), fabric.source());
            tables.remarks(view).forEach(spec.commandLine().getErr()::println);
            SurplusEntryRule surplus = strict ? SurplusEntryRule.FORBIDDEN : SurplusEntryRule.NOTED;
            CheckReport nodes = TableCheck.check(view, tables.nodeTables(), surplus, workers.parallel());
            CheckReport towardsSwitches =
                    switches ? TableCheck.checkSwitchTables(view, tables.switchTables(), workers.parallel()) : null;
            print(view, nodes, towardsSwitches);
            return nodes.valid() && (towardsSwitches == null || towardsSwitches.valid()) ? Main.YES : Main.NO;
        }
    }

    private void print(FabricView view, CheckReport nodes, @Nullable CheckReport towardsSwitches) {
        PrintWriter out = spec.commandLine().getOut();
        if (format == Format.JSON) {
            out.println(Json.print(CheckAnswer.of(view, nodes, towardsSwitches)));
            return;
        }
        nodes.lines(view).forEach(out::println);
        if (towardsSwitches != null) {
            out.println("towards switches:");
            towardsSwitches.lines(view).forEach(out::println);
        }
    }
}
