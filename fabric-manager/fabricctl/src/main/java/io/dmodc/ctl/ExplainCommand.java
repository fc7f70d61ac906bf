package io.dmodc.ctl;

import io.dmodc.ctl.client.LiveExplanation;
import io.dmodc.ctl.client.NoAnswerException;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.dmodc.CostsAndDividers;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.routing.explanation.AllPaths;
import io.dmodc.routing.explanation.AllPathsReport;
import io.dmodc.routing.explanation.ExplanationReport;
import io.dmodc.routing.explanation.RouteExplainer;
import io.dmodc.topology.FabricView;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fabricctl explain}. */
@Command(
        name = "explain",
        description = {
            "Says why a switch sends packets to a node out of the port it does: the ports that lead closer, the arithmetic that"
                    + " chooses among them, what it would be without that cable.",
            "With --all every shortest legal path from there: all ports that lead closer, hop by hop, and how many paths"
                    + " they make.",
            "Asks the manager, which has its own settings and also says whether the switch holds that entry; with --topology,"
                    + " --pgft, --grid or --opensm it computes itself, as the other options say.",
            "Exit code 0: explained, also where there is no route, 1: the manager knows no such switch or node."
        })
final class ExplainCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            index = "0",
            paramLabel = "SWITCH",
            description = "name or 0x… GUID; with --all also a node, for its switch")
    private String at = "";

    @Parameters(index = "1", paramLabel = "NODE", description = "node index, name or 0x… GUID")
    private String node = "";

    @ArgGroup
    private @Nullable FabricOrigin origin;

    @Mixin
    private FabricLoading loading = new FabricLoading();

    @Mixin
    private LiveManager manager = new LiveManager();

    @Option(
            names = "--fail",
            paramLabel = "PART",
            split = ",",
            description = "of a file or shape: without switch:NAME or link:SWITCH:PORT, several with commas")
    private List<String> fail = List.of();

    @Mixin
    private EngineChoice engine = new EngineChoice();

    @Mixin
    private SlowLinkOption slowLinks = new SlowLinkOption();

    @Option(names = "--all", description = "of a file or shape: all ports of all shortest legal paths")
    private boolean all;

    @Option(
            names = "--format",
            defaultValue = "text",
            paramLabel = "text|json",
            description = "for people or for programs (default: ${DEFAULT-VALUE})")
    private Format format = Format.TEXT;

    @Override
    public Integer call() throws IOException {
        if (origin == null) {
            return askManager();
        }
        manager.requireNone();
        compute(origin.source());
        return Main.YES;
    }

    private int askManager() throws IOException {
        manager.requireOnly(Set.of("--format"));
        try {
            LiveExplanation live = LiveExplanation.ask(manager.url(), at, node);
            print(live.json(), live.text());
            return Main.YES;
        } catch (NoAnswerException e) {
            spec.commandLine().getErr().println(spec.qualifiedName() + ": " + e.getMessage());
            return Main.NO;
        }
    }

    private void compute(Source source) throws IOException {
        Fabric fabric = loading.load(source);
        FabricView left = FailedParts.parse(fabric.view(), fail).takenFrom(fabric.view());
        FabricView view = slowLinks.applied(left, source.rates());
        RoutingEngine routing = engine.engine(fabric.design(), view);
        int index = FabricNames.node(view, node);
        if (all) {
            AllPathsReport report = allPaths(routing, view, index);
            print(Json.print(report), report.text());
        } else {
            ExplanationReport report = explain(routing, view, FabricNames.switchIndex(view, at), index);
            print(Json.print(report), report.text());
        }
    }

    /** Whatever the engine: legal paths are those of the strict rule. */
    private AllPathsReport allPaths(RoutingEngine routing, FabricView view, int index) {
        int from = FabricNames.switchOrHome(view, at);
        CostsAndDividers known = Dmodc.standard().costsAndDividers(view, Parallel.sequential());
        return AllPathsReport.of(view, AllPaths.of(view, known, from, index), routing.name(), tables(routing, view));
    }

    private static ExplanationReport explain(RoutingEngine routing, FabricView view, int s, int index) {
        RouteExplainer explainer = RouteExplainer.of(routing.name(), view, Parallel.sequential());
        return explainer.hasFormula()
                ? ExplanationReport.of(explainer, s, index)
                : ExplanationReport.of(
                        explainer,
                        explainer.explain(s, index, tables(routing, view).port(s, index)));
    }

    /** What an engine without a formula put somewhere follows from all its tables only. */
    private static LftSet tables(RoutingEngine routing, FabricView view) {
        return EngineChoice.tables(routing, view, Parallel.sequential());
    }

    private void print(String json, List<String> text) {
        PrintWriter out = spec.commandLine().getOut();
        if (format == Format.JSON) {
            out.println(json);
        } else {
            text.forEach(out::println);
        }
    }
}
