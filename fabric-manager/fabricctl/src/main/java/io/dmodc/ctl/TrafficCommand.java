package io.dmodc.ctl;

import io.dmodc.ctl.export.BookSimAnynet;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.cycles.LoadResult;
import io.dmodc.routing.cycles.LoadSweep;
import io.dmodc.routing.cycles.PacketRouting;
import io.dmodc.routing.cycles.RandomUpRouting;
import io.dmodc.routing.cycles.SimulationSettings;
import io.dmodc.routing.cycles.TableRouting;
import io.dmodc.routing.traffic.Endpoints;
import io.dmodc.routing.traffic.TrafficPattern;
import io.dmodc.routing.vtftr.traffic.DetourChoice;
import io.dmodc.routing.vtftr.traffic.TurnForwarding;
import io.dmodc.routing.vtftr.traffic.TurnRouting;
import io.dmodc.routing.vtftr.traffic.VcClasses;
import io.dmodc.topology.FabricView;
import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code fabricctl simulate}. */
@Command(
        name = "simulate",
        description = {
            "Simulates packets through forwarding tables, cycle by cycle: what arrives, how long it takes, whether"
                    + " packets stand still for ever. Rates are of what a node's link carries, times are cycles.",
            "The exit code is 1 if there is a deadlock, or no tables can be made."
        })
final class TrafficCommand implements Callable<Integer> {
    private static final int SEEDS_MAX = 1000;

    /** Units in which progress is told: cycles of all runs might not fit an int. */
    private static final int PROGRESS_PARTS = 1000;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private Inputs inputs = new Inputs();

    @Mixin
    private SlowLinkOption slowLinks = new SlowLinkOption();

    @ArgGroup
    private TableChoice tables = new TableChoice();

    @Mixin
    private RootsOption roots = new RootsOption();

    @Mixin
    private GridFaults faults = new GridFaults();

    @Option(
            names = "--random-up",
            description = "take any port up that leads to the destination, at random, instead of the tables' one")
    private boolean randomUp;

    @Option(
            names = "--pattern",
            paramLabel = "PATTERN",
            defaultValue = "uniform",
            description = "uniform, permutation (drawn by --seed), shift:K, bit-complement, bit-reverse, shuffle or"
                    + " transpose (default: ${DEFAULT-VALUE})")
    private String pattern = "uniform";

    @Option(
            names = "--load",
            paramLabel = "L",
            defaultValue = "0.1..0.9",
            converter = LoadList.Converter.class,
            description = "what each node offers, of what its link carries: 0.5, or 0.1,0.5, or 0.1..0.9 by tenths"
                    + " (default: ${DEFAULT-VALUE})")
    private LoadList load = new LoadList(List.of(BigDecimal.ONE));

    @Option(
            names = "--seeds",
            paramLabel = "K",
            defaultValue = "3",
            description = "runs of each load, with the seeds 1..K (default: ${DEFAULT-VALUE})")
    private int seeds;

    @Option(
            names = "--vcs",
            paramLabel = "V",
            defaultValue = "4",
            description = "virtual channels a link, 1..16 (default: ${DEFAULT-VALUE})")
    private int vcs;

    @Option(
            names = "--ft-vcs",
            paramLabel = "K",
            description =
                    "how many of them VTFTR keeps for packets that turned from a column to a row; 0 lets all packets"
                            + " share all, which may deadlock (default: half of them)")
    private @Nullable Integer faultTolerantVcs;

    @Option(
            names = "--buffers",
            paramLabel = "B",
            defaultValue = "16",
            description = "packets that an input holds in each of them (default: ${DEFAULT-VALUE})")
    private int buffers;

    @Option(
            names = "--warm-up",
            paramLabel = "C",
            defaultValue = "1000",
            description = "cycles before anything is measured (default: ${DEFAULT-VALUE})")
    private int warmUp;

    @Option(
            names = "--cycles",
            paramLabel = "C",
            defaultValue = "3000",
            description = "cycles that are measured (default: ${DEFAULT-VALUE})")
    private int measured;

    @Option(
            names = "--booksim",
            paramLabel = "DIR",
            description = "also write fabric and tables for BookSim2 into this directory: network.anynet, routes.lft")
    private @Nullable Path bookSim;

    @Mixin
    private Threads threads = new Threads();

    @Option(
            names = "--format",
            paramLabel = "text|json",
            defaultValue = "text",
            description = "for people or for programs (default: ${DEFAULT-VALUE})")
    private Format format = Format.TEXT;

    @Override
    public Integer call() throws IOException {
        if (seeds < 1 || seeds > SEEDS_MAX) {
            throw new IllegalArgumentException("--seeds " + seeds + "; expected 1.." + SEEDS_MAX);
        }
        SimulationSettings settings = new SimulationSettings(vcs, buffers, warmUp, measured);
        try (Workers workers = threads.start()) {
            Fabric known = faults.known(slowLinks.applied(inputs.load()), inputs.name());
            Simulated simulated = tables.vtftr() ? turns(known) : linear(known, workers);
            if (simulated == null) {
                return Main.NO;
            }
            FabricView view = simulated.fabric.view();
            Endpoints nodes = new Endpoints(view);
            TrafficPattern traffic = TrafficPattern.named(pattern, nodes.count(), inputs.seed());
            LoadSweep sweep = new LoadSweep(view, nodes, traffic, simulated.routing, settings);
            long start = System.nanoTime();
            List<LoadResult> results = run(sweep, settings, workers);
            TrafficReport report = TrafficReport.of(
                    simulated.fabric,
                    simulated.name,
                    nodes.count(),
                    traffic.name(),
                    settings,
                    results,
                    new TrafficReport.Speed(System.nanoTime() - start, workers.threads()));
            print(report);
            return report.deadlock() ? Main.NO : Main.YES;
        }
    }

    /** A fabric with all that is dead in it, its tables' name, and what they do with packets. */
    private record Simulated(Fabric fabric, String name, PacketRouting routing) {}

    /** Tables by destination; null if there are none. */
    private @Nullable Simulated linear(Fabric fabric, Workers workers) throws IOException {
        faults.requireNoBursts(tables.name());
        if (faultTolerantVcs != null) {
            throw new IllegalArgumentException("--ft-vcs " + faultTolerantVcs + " with engine " + tables.name()
                    + "; expected engine " + TableChoice.VTFTR);
        }
        // Before anything long: it may not fit the nodes.
        Endpoints nodes = new Endpoints(fabric.view());
        TrafficPattern.named(pattern, nodes.count(), inputs.seed());
        LftSet routed = tables.tables(fabric, roots, workers, spec.commandLine().getErr(), "simulate");
        if (routed == null) {
            return null;
        }
        if (bookSim != null) {
            write(new BookSimAnynet(fabric.view(), nodes, routed), bookSim);
        }
        return new Simulated(
                fabric, randomUp ? tables.name() + ", random up" : tables.name(), routing(fabric.view(), routed));
    }

    private Simulated turns(Fabric known) {
        if (randomUp || bookSim != null) {
            throw new IllegalArgumentException((randomUp ? "--random-up" : "--booksim " + bookSim) + " with engine "
                    + TableChoice.VTFTR + "; expected tables by destination alone");
        }
        VcClasses classes = faultTolerantVcs == null ? VcClasses.halves(vcs) : new VcClasses(vcs, faultTolerantVcs);
        GridFaults.Routed routed = faults.route(
                known.whole(), known.view(), inputs.name(), spec.commandLine().getErr());
        Fabric fabric = faults.all(known, inputs.name());
        TurnForwarding switches = new TurnForwarding(fabric.view(), routed.tables(), DetourChoice.RANDOM);
        String shared = classes.faultTolerant() == 0 ? "shared" : classes.faultTolerant() + " fault-tolerant";
        return new Simulated(
                fabric,
                tables.name() + ", " + faults.spares() + " spares, virtual channels " + shared,
                new TurnRouting(switches, classes));
    }

    private void write(BookSimAnynet network, Path directory) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        OutputFile.write(directory.resolve("network.anynet").toString(), out, network::writeNetwork);
        OutputFile.write(directory.resolve("routes.lft").toString(), out, network::writeRoutes);
    }

    private PacketRouting routing(FabricView view, LftSet routed) {
        return randomUp ? new RandomUpRouting(view, routed, vcs) : new TableRouting(view, routed, vcs);
    }

    private List<LoadResult> run(LoadSweep sweep, SimulationSettings settings, Workers workers) {
        double[] loads = load.values();
        long cycles = (long) settings.cycles() * loads.length * seeds;
        ProgressLine line = new ProgressLine(
                "simulation", spec.commandLine().getErr(), ProgressLine.onTerminal(), System::nanoTime);
        try {
            return sweep.run(
                    loads,
                    LongStream.rangeClosed(1, seeds).toArray(),
                    workers.parallel(),
                    done -> line.reached(Math.max(1, (int) (PROGRESS_PARTS * done / cycles)), PROGRESS_PARTS));
        } finally {
            line.end();
        }
    }

    private void print(TrafficReport report) {
        PrintWriter out = spec.commandLine().getOut();
        if (format == Format.JSON) {
            out.println(Json.print(report));
        } else {
            report.print(out);
        }
    }
}
