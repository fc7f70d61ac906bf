package io.dmodc.ctl;

import io.dmodc.ctl.WhatIfReport.Millis;
import io.dmodc.ctl.client.LiveWhatIf;
import io.dmodc.ctl.client.NoAnswerException;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.Rerouter;
import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.RoutingResult.Unroutable;
import io.dmodc.routing.change.ChangeTerms;
import io.dmodc.routing.change.RowsInForce;
import io.dmodc.routing.prediction.CongestionChange;
import io.dmodc.routing.prediction.Prediction;
import io.dmodc.routing.prediction.RoutedFabric;
import io.dmodc.routing.quality.CongestionSummary.Samples;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.LinkRates;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code fabricctl what-if}. */
@Command(
        name = "what-if",
        description = {
            "Says what the loss of switches and cables would do: who is cut off, what is rewritten and in how many rounds, how"
                    + " congested it gets.",
            "Asks the manager, of the fabric as it is and with its own settings; with --topology, --pgft, --grid or --opensm"
                    + " it computes itself, as the other options say.",
            "Exit code 0: nobody is cut off and the change is proven safe, 1: not so."
        })
final class WhatIfCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** What a running manager is asked for. */
    private static final Set<String> LIVE = Set.of("--fail", "--no-congestion", "--format");

    @ArgGroup
    private @Nullable FabricOrigin origin;

    @Mixin
    private FabricLoading loading = new FabricLoading();

    @Mixin
    private LiveManager manager = new LiveManager();

    @Option(
            names = "--fail",
            paramLabel = "PART",
            required = true,
            split = ",",
            description = "switch:NAME or link:SWITCH:PORT, several with commas; names or 0x… GUIDs")
    private List<String> fail = List.of();

    @Mixin
    private EngineChoice engine = new EngineChoice();

    @Mixin
    private SlowLinkOption slowLinks = new SlowLinkOption();

    @Option(names = "--no-congestion", description = "leave the congestion out, which takes longest")
    private boolean noCongestion;

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
        if (origin == null) {
            return askManager();
        }
        manager.requireNone();
        return compute(origin.source());
    }

    private int askManager() throws IOException {
        manager.requireOnly(LIVE);
        try {
            LiveWhatIf live = LiveWhatIf.ask(
                    manager.url(), FailedParts.switchNames(fail), FailedParts.linkNames(fail), !noCongestion);
            print(live.json(), live.text());
            return live.harmless() ? Main.YES : Main.NO;
        } catch (NoAnswerException e) {
            spec.commandLine().getErr().println(spec.qualifiedName() + ": " + e.getMessage());
            return Main.NO;
        }
    }

    private int compute(Source source) throws IOException {
        try (Workers workers = threads.start()) {
            Fabric fabric = loading.load(source);
            FailedParts failed = FailedParts.parse(fabric.view(), fail);
            LinkRates rates = fabric.source().rates();
            FabricView avoiding = slowLinks.applied(fabric.view(), rates);
            RoutingEngine routing = engine.engine(fabric.design(), avoiding);
            Rerouter rerouter = routing.rerouter();
            long started = System.nanoTime();
            RoutedFabric before = routed(routing, rerouter, fabric.view(), avoiding, workers.parallel());
            FabricView left = failed.takenFrom(fabric.view());
            RoutedFabric after = before == null
                    ? null
                    : routed(routing, rerouter, left, slowLinks.routed(left, rates), workers.parallel());
            if (before == null || after == null) {
                return Main.NO;
            }
            WhatIfReport report = report(routing.name(), failed, before, after, workers, started);
            print(Json.print(report), report.text());
            return report.harmless() ? Main.YES : Main.NO;
        }
    }

    private void print(String json, List<String> text) {
        PrintWriter out = spec.commandLine().getOut();
        if (format == Format.JSON) {
            out.println(json);
        } else {
            text.forEach(out::println);
        }
    }

    /** Slow links that routes lead around work all the same. */
    private @Nullable RoutedFabric routed(
            RoutingEngine routing, Rerouter rerouter, FabricView works, FabricView routed, Parallel parallel) {
        RoutingResult result = RootsOption.notForWantOfRoots(routing.name(), rerouter.route(routed, parallel));
        if (result instanceof Unroutable no) {
            spec.commandLine().getErr().println("fabricctl what-if: no tables: " + no.reason());
            return null;
        }
        return new RoutedFabric(works, routed, Objects.requireNonNull(result.tables()));
    }

    private WhatIfReport report(
            String name, FailedParts failed, RoutedFabric before, RoutedFabric after, Workers workers, long started) {
        long routed = System.nanoTime();
        RowsInForce inForce = before.inForce(after.works(), new BitSet());
        Prediction prediction = Prediction.of(before, after, inForce, ChangeTerms.UNBOUNDED, workers.parallel());
        long planned = System.nanoTime();
        if (!noCongestion) {
            prediction = prediction.with(CongestionChange.of(before, after, Samples.STANDARD, workers.parallel()));
        }
        long measured = noCongestion ? planned : System.nanoTime();
        Millis millis = new Millis((routed - started) / 1e6, (planned - routed) / 1e6, (measured - planned) / 1e6);
        return WhatIfReport.of(name, failed, prediction, workers.threads(), millis);
    }
}
