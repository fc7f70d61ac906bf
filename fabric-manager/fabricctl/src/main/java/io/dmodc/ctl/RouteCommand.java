package io.dmodc.ctl;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.RoutingResult.Unroutable;
import io.dmodc.routing.dmodc.CostsAndDividers;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.routing.opensm.ArGroups;
import io.dmodc.routing.opensm.LftText;
import io.dmodc.routing.opensm.Lids;
import io.dmodc.routing.opensm.OpenSmDump;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.ibnet.LidMap;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code fabricctl route}. */
@Command(
        name = "route",
        description = {
            "Makes forwarding tables for a fabric.",
            "A fabric that is cut in parts is routed as far as possible and the cut-off leaves are named, and so are pairs"
                    + " of switches with hosts that no path joins which climbs and then descends, as two spines; the exit"
                    + " code is 1 only if no tables can be made at all."
        })
final class RouteCommand implements Callable<Integer> {
    /** What the tables are written as. */
    enum TableFormat {
        OPENSM,
        TEXT,
        AR_GROUPS;

        /** As it is written on a command line. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** What tables are written as was once said by the option that now says it of the figures. */
    static final class FigureFormat implements ITypeConverter<Format> {
        @Override
        public Format convert(String text) {
            for (Format format : Format.values()) {
                if (format.toString().equalsIgnoreCase(text)) {
                    return format;
                }
            }
            boolean table = text.equalsIgnoreCase(TableFormat.OPENSM.toString());
            throw new TypeConversionException("'" + text + "', expected one of text, json"
                    + (table ? "; tables are written so with --as opensm" : ""));
        }
    }

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private Inputs inputs = new Inputs();

    @Mixin
    private SlowLinkOption slowLinks = new SlowLinkOption();

    @Mixin
    private EngineChoice engine = new EngineChoice();

    @Option(
            names = "--state",
            paramLabel = "F",
            description = "engines minhop and updn: use what the last run left there as far as it holds, and leave this"
                    + " run's")
    private @Nullable String state;

    @Mixin
    private RebalanceOption rebalance = new RebalanceOption();

    @Mixin
    private Threads threads = new Threads();

    @Option(names = "--out", paramLabel = "LFT", description = "file for the tables; - is standard output")
    private @Nullable String out;

    @Option(
            names = "--as",
            paramLabel = "opensm|text|ar-groups",
            defaultValue = "opensm",
            description =
                    "tables as opensm: a dump that 'opensm -R file -U LFT' loads; as text for people; or as ar-groups: with"
                            + " all ports that lead closer, for switches that choose by load, which OpenSM does not"
                            + " load (default: ${DEFAULT-VALUE})")
    private TableFormat as = TableFormat.OPENSM;

    @Option(
            names = "--format",
            paramLabel = "text|json",
            defaultValue = "text",
            converter = FigureFormat.class,
            description = "figures for people or for programs (default: ${DEFAULT-VALUE})")
    private Format format = Format.TEXT;

    @Override
    public Integer call() throws IOException {
        try (Workers workers = threads.start()) {
            rebalance.require(engine.name());
            Fabric fabric = slowLinks.applied(inputs.load());
            RoutingEngine routing = engine.engine(fabric.design(), fabric.view());
            long start = System.nanoTime();
            Routed routed = state == null
                    ? Routed.anew(routing, fabric.view(), workers.parallel())
                    : Routed.withState(routing, fabric.view(), workers.parallel(), state);
            double millis = (System.nanoTime() - start) / 1e6;
            routed.remark().ifPresent(spec.commandLine().getErr()::println);
            RoutingResult result = RootsOption.notForWantOfRoots(routing.name(), routed.result());
            RouteReport report = RouteReport.of(routing.name(), workers.threads(), fabric, result, millis);
            if (result instanceof Unroutable no) {
                refuse(report, no);
                return Main.NO;
            }
            LftSet tables =
                    rebalance.applied(fabric.view(), routing.name(), Objects.requireNonNull(result.tables()), workers);
            if (out != null) {
                write(out, fabric, routed, tables, workers.parallel());
            }
            print(report);
            return Main.YES;
        }
    }

    private void refuse(RouteReport report, Unroutable no) {
        if (format == Format.JSON) {
            print(report);
        }
        spec.commandLine().getErr().println("fabricctl route: no tables: " + no.reason());
    }

    private void write(String file, Fabric fabric, Routed routed, LftSet tables, Parallel parallel) throws IOException {
        FabricView view = fabric.view();
        PrintWriter standardOutput = spec.commandLine().getOut();
        if (as == TableFormat.TEXT) {
            OutputFile.write(file, standardOutput, to -> LftText.write(view, tables, to));
            return;
        }
        LidMap dealt = fabric.source().lids();
        Lids lids = Lids.of(view, dealt::lidOf, dealt::lmcOf);
        LftSet switchTables = routed.switchTables().get();
        if (as == TableFormat.AR_GROUPS) {
            CostsAndDividers known = Dmodc.standard().costsAndDividers(view, parallel);
            ArGroups groups = ArGroups.of(view, tables, switchTables, lids, known::alternatives);
            OutputFile.write(file, standardOutput, groups::write);
            return;
        }
        OutputFile.write(file, standardOutput, to -> OpenSmDump.write(view, tables, switchTables, lids, to));
    }

    /** Figures go to standard output unless the tables do. */
    private void print(RouteReport report) {
        boolean tablesOnOutput = OutputFile.STANDARD_OUTPUT.equals(out);
        PrintWriter to = tablesOnOutput
                ? spec.commandLine().getErr()
                : spec.commandLine().getOut();
        if (format == Format.JSON) {
            to.println(Json.print(report));
        } else {
            report.lines().forEach(to::println);
        }
    }
}
