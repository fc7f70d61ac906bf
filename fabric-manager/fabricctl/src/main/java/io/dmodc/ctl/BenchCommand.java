package io.dmodc.ctl;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.Rerouter;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.RoutingResult.Unroutable;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.pgft.Degradation;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.ref.Reference;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code fabricctl bench}. */
@Command(
        name = "bench",
        description = {
            "Measures how long Dmodc takes on this machine, and prints it as JSON: a full reroute against the time of"
                    + " filling as much memory as the tables have, single faults, and a heavily damaged fabric.",
            "The heap must hold the tables once as bytes: 336 MB for 65,536 nodes and 5,120 switches."
        })
final class BenchCommand implements Callable<Integer> {
    /** Shares of switches and links that the damaged fabric loses: 300 and 2,000 of 5,120 and 131,072. */
    private static final double LOST_SWITCHES = 300.0 / 5_120;

    private static final double LOST_LINKS = 2_000.0 / 131_072;

    private static final int ROUNDS_MAX = 10_000;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private Inputs inputs = new Inputs();

    @Option(
            names = "--threads",
            paramLabel = "T",
            defaultValue = "0",
            description = "0 is one per processor (default: ${DEFAULT-VALUE})")
    private int threads;

    @Option(
            names = "--rounds",
            paramLabel = "K",
            defaultValue = "40",
            description = "full reroutes measured, after as many to warm up (default: ${DEFAULT-VALUE})")
    private int rounds;

    @Option(
            names = "--faults",
            paramLabel = "K",
            defaultValue = "100",
            description = "faults of each kind measured, after as many to warm up (default: ${DEFAULT-VALUE})")
    private int faults;

    @Option(
            names = "--degraded-switches",
            paramLabel = "K",
            description = "switches that the damaged fabric loses (default: 300 of each 5,120); 0 with"
                    + " --degraded-links 0 leaves it out")
    private @Nullable Integer degradedSwitches;

    @Option(
            names = "--degraded-links",
            paramLabel = "K",
            description = "links that it loses (default: 2,000 of each 131,072)")
    private @Nullable Integer degradedLinks;

    private final Dmodc engine = Dmodc.strict();

    @Override
    public Integer call() throws IOException {
        checkCount("--rounds", rounds);
        checkCount("--faults", faults);
        try (Workers workers = new Workers(threads)) {
            Fabric fabric = inputs.load();
            Parallel parallel = workers.parallel();
            tell("first reroute of this process");
            long start = System.nanoTime();
            RoutingResult first = engine.route(fabric.view(), parallel);
            double coldMs = (System.nanoTime() - start) / 1e6;
            if (first instanceof Unroutable no) {
                spec.commandLine().getErr().println("fabricctl bench: no tables: " + no.reason());
                return Main.NO;
            }
            spec.commandLine().getOut().println(Json.print(measure(fabric, workers, coldMs)));
            return Main.YES;
        }
    }

    private static void checkCount(String option, int count) {
        if (count < 1 || count > ROUNDS_MAX) {
            throw new IllegalArgumentException(option + " " + count + "; expected 1.." + ROUNDS_MAX);
        }
    }

    /** To standard error: the answer alone is on standard output. */
    private void tell(String what) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("bench: " + what + " …");
        err.flush();
    }

    private BenchReport measure(Fabric fabric, Workers workers, double coldMs) {
        FabricView view = fabric.view();
        Parallel parallel = workers.parallel();
        tell("memory");
        long extraBytes = retainedBytes(view, parallel);
        byte[][] buffers = new byte[view.switchCount()][view.nodeCount()];
        tell(rounds + " full reroutes");
        FullRerouteBench full = full(view, parallel, buffers);
        tell(faults + " faults of each kind");
        FaultBench links = new FaultBench(fabric, engine, parallel, inputs.seed());
        BenchReport.Fault anyLink = links.anyLink(faults, faults);
        Map<String, BenchReport.Fault> byKind = new LinkedHashMap<>();
        byKind.put("anyLink", anyLink);
        byKind.put("leafUplink", links.linkAbove(0, faults, faults));
        if (view.rankMax() > 1) {
            byKind.put("topLink", links.linkAbove(view.rankMax() - 1, faults, faults));
        }
        byKind.put("spineSwitch", links.switchAt(view.rankMax(), faults, faults));
        byKind.put("leafSwitch", links.switchAt(0, faults, faults));
        BenchReport.Degraded degraded = degraded(fabric, parallel, buffers);
        return new BenchReport(
                inputs.name(),
                engine.name(),
                view.nodeCount(),
                view.switchCount(),
                view.linkCount(),
                workers.threads(),
                rounds,
                (long) view.switchCount() * view.nodeCount(),
                round(coldMs),
                full.full.median(),
                full.floor.median(),
                round(full.full.median() / full.floor.median()),
                anyLink.medianMs(),
                anyLink.p99Ms(),
                extraBytes,
                peakHeapBytes(),
                new BenchReport.Phases(
                        full.costs.median(),
                        round(full.route.median() - full.costs.median()),
                        full.bytes.median(),
                        full.distinctRows(),
                        full.unsharedBytes.median(),
                        round((full.route.median() + full.unsharedBytes.median()) / full.floor.median())),
                byKind,
                degraded);
    }

    private FullRerouteBench full(FabricView view, Parallel parallel, byte[][] buffers) {
        new FullRerouteBench(engine, view, parallel, buffers).run(rounds);
        FullRerouteBench measured = new FullRerouteBench(engine, view, parallel, buffers);
        measured.run(rounds);
        return measured;
    }

    private BenchReport.@Nullable Degraded degraded(Fabric fabric, Parallel parallel, byte[][] buffers) {
        FabricView whole = fabric.view();
        int switches =
                degradedSwitches == null ? (int) Math.round(LOST_SWITCHES * whole.switchCount()) : degradedSwitches;
        int links = degradedLinks == null ? (int) Math.round(LOST_LINKS * whole.linkCount()) : degradedLinks;
        if (switches == 0 && links == 0) {
            return null;
        }
        tell("the same with " + switches + " switches and " + links + " links lost");
        Degradation.apply(fabric.builder(), switches, links, new SplittableRandom(inputs.seed()));
        FabricView view = fabric.draw(0);
        FullRerouteBench full = full(view, parallel, buffers);
        long extraBytes = retainedBytes(view, parallel);
        BenchReport.Fault fault = new FaultBench(fabric, engine, parallel, inputs.seed()).anyLink(faults, faults);
        return new BenchReport.Degraded(
                switches,
                links,
                full.route.median(),
                full.bytes.median(),
                full.floor.median(),
                round(full.route.median() / full.floor.median()),
                round(full.full.median() / full.floor.median()),
                extraBytes,
                fault);
    }

    /** Heap that a rerouter and its tables hold after they routed this view. */
    private long retainedBytes(FabricView view, Parallel parallel) {
        long before = usedAfterCollection();
        Rerouter rerouter = engine.rerouter();
        @Nullable LftSet tables = rerouter.route(view, parallel).tables();
        long after = usedAfterCollection();
        Reference.reachabilityFence(rerouter);
        Reference.reachabilityFence(tables);
        return Math.max(0, after - before);
    }

    private static long usedAfterCollection() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static long peakHeapBytes() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .map(MemoryPoolMXBean::getPeakUsage)
                .mapToLong(usage -> usage == null ? 0 : usage.getUsed())
                .sum();
    }

    private static double round(double value) {
        return Math.round(value * 1000) / 1000.0;
    }
}
