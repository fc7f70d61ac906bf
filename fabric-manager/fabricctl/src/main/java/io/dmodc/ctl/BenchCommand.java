package io.dmodc.ctl;

import io.dmodc.routing.Parallel;
import io.dmodc.routing.Rerouter;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.RoutingResult.Unroutable;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.pgft.Degradation;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.IntStream;
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
            "Measures how long Dmodc takes on this machine: a full reroute against the time of"
                    + " filling as much memory as the tables have, single faults, and a heavily damaged fabric.",
            "To write them out, the heap must hold the tables once as bytes (336 MB for 65,536 nodes and 5,120 switches);"
                    + " where it has no room for them, bytes and floor are left out."
        })
final class BenchCommand implements Callable<Integer> {
    /** Share of the switches above the leaves that the damaged fabric loses: 300 of 65,536 nodes' 3,072. */
    private static final double LOST_SWITCHES = 300.0 / 3_072;

    /** Share of its links. */
    private static final double LOST_LINKS = 2_000.0 / 131_072;

    private static final int COUNT_MAX = 10_000;

    /** What the damaged fabric loses. */
    private record Loss(int switches, int links) {
        boolean isNone() {
            return switches == 0 && links == 0;
        }
    }

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private Inputs inputs = new Inputs();

    @Mixin
    private Threads threads = new Threads();

    @Option(
            names = "--rounds",
            paramLabel = "K",
            defaultValue = "40",
            description = "full reroutes measured, after as many or 4 seconds of them to warm up (default:"
                    + " ${DEFAULT-VALUE})")
    private int rounds;

    @Option(
            names = "--faults",
            paramLabel = "K",
            defaultValue = "100",
            description = "faults of each kind measured, after as many to warm up (default: ${DEFAULT-VALUE})")
    private int faults;

    @Option(
            names = "--limit",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "no more rounds, and no more faults of a kind, are begun after so many seconds of them;"
                    + " how many were measured is said (default: ${DEFAULT-VALUE})")
    private int limit;

    @Option(
            names = "--degraded-switches",
            paramLabel = "K",
            description = "switches that the damaged fabric loses (default: 300 of each 3,072 above the leaves);"
                    + " 0 with --degraded-links 0 leaves it out")
    private @Nullable Integer degradedSwitches;

    @Option(
            names = "--degraded-links",
            paramLabel = "K",
            description = "links that it loses (default: 2,000 of each 131,072)")
    private @Nullable Integer degradedLinks;

    @Option(
            names = "--format",
            defaultValue = "text",
            paramLabel = "text|json",
            description = "for people or for programs (default: ${DEFAULT-VALUE})")
    private Format format = Format.TEXT;

    private final Dmodc engine = Dmodc.standard();

    @Override
    public Integer call() throws IOException {
        checkCount("--rounds", rounds, 1, COUNT_MAX);
        checkCount("--faults", faults, 1, COUNT_MAX);
        checkCount("--limit", limit, 1, COUNT_MAX);
        try (Workers workers = threads.start()) {
            Fabric fabric = inputs.load();
            Loss loss = loss(fabric.view());
            tell("first reroute of this process");
            long start = System.nanoTime();
            RoutingResult first = engine.route(fabric.view(), workers.parallel());
            double coldMs = (System.nanoTime() - start) / 1e6;
            if (first instanceof Unroutable no) {
                spec.commandLine().getErr().println("fabricctl bench: no tables: " + no.reason());
                return Main.NO;
            }
            BenchReport report = measure(fabric, workers, coldMs, loss);
            print(report);
            return Main.YES;
        }
    }

    private void print(BenchReport report) {
        PrintWriter out = spec.commandLine().getOut();
        if (format == Format.JSON) {
            out.println(Json.print(report));
        } else {
            new BenchText(report, out).print();
        }
    }

    private Loss loss(FabricView view) {
        int upper = (int) IntStream.range(0, view.switchCount())
                .filter(s -> view.alive(s) && !view.isLeaf(s))
                .count();
        Loss loss = new Loss(
                degradedSwitches == null ? (int) Math.round(LOST_SWITCHES * upper) : degradedSwitches,
                degradedLinks == null ? (int) Math.round(LOST_LINKS * view.linkCount()) : degradedLinks);
        checkCount("--degraded-switches", loss.switches, 0, upper);
        checkCount("--degraded-links", loss.links, 0, view.linkCount());
        return loss;
    }

    private static void checkCount(String option, int count, int least, int most) {
        if (count < least || count > most) {
            throw new IllegalArgumentException(option + " " + count + "; expected " + least + ".." + most);
        }
    }

    /** To standard error: the answer alone is on standard output. */
    private void tell(String what) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("bench: " + what + " …");
        err.flush();
    }

    /** The same for what is not measured, or not as often as it was to be. */
    private void say(String format, Object... values) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("bench: " + String.format(Locale.ROOT, format, values));
        err.flush();
    }

    private Repetition repetition(int count) {
        return new Repetition(count, limit * 1_000_000_000L, System::nanoTime);
    }

    private void sayIfFewer(int measured, int wanted, String what) {
        if (measured < wanted) {
            say("%,d of %,d %s were measured: the others were to begin after %,d s", measured, wanted, what, limit);
        }
    }

    /** Null, and a line that says so, where the heap has no room for it. */
    private <T> @Nullable T orLeftOut(String what, Supplier<@Nullable T> measure) {
        try {
            return measure.get();
        } catch (OutOfMemoryError e) {
            say(
                    "%s is left out: a heap of %,d MiB has no room for it",
                    what, Runtime.getRuntime().maxMemory() >> 20);
            return null;
        }
    }

    private BenchReport measure(Fabric fabric, Workers workers, double coldMs, Loss loss) {
        FabricView view = fabric.view();
        Parallel parallel = workers.parallel();
        tell("memory");
        long extraBytes = retainedBytes(view, parallel);
        byte[][] buffers = buffers(view);
        FullRerouteBench full = reroutes(view, parallel, buffers);
        tell(faults + " faults of each kind");
        Map<String, BenchReport.Fault> byKind =
                new FaultBench(fabric, engine, parallel, inputs.seed()).allKinds(repetition(faults));
        byKind.forEach((kind, fault) -> sayIfFewer(fault.count(), faults, "faults of the kind " + kind));
        BenchReport.@Nullable Fault anyLink = byKind.get(BenchReport.ANY_LINK);
        BenchReport.@Nullable Degraded degraded =
                loss.isNone() ? null : orLeftOut("the damaged fabric", () -> degraded(fabric, parallel, buffers, loss));
        return new BenchReport(
                inputs.name(),
                engine.name(),
                view.nodeCount(),
                view.switchCount(),
                view.linkCount(),
                workers.threads(),
                full.rounds(),
                (long) view.switchCount() * view.nodeCount(),
                round(coldMs),
                full.route.median(),
                buffers == null ? null : full.full.median(),
                buffers == null ? null : full.floor.median(),
                buffers == null ? null : ratio(full.full.median(), full.floor),
                anyLink == null ? null : anyLink.medianMs(),
                anyLink == null ? null : anyLink.p99Ms(),
                extraBytes,
                HeapUse.peakBytes(),
                phases(full, buffers != null),
                byKind,
                degraded);
    }

    /** Null, and a line that says so, where they would leave less than half of the heap to the rest. */
    private byte @Nullable [][] buffers(FabricView view) {
        long bytes = (long) view.switchCount() * view.nodeCount();
        long heap = Runtime.getRuntime().maxMemory();
        if (bytes <= heap / 2) {
            return new byte[view.switchCount()][view.nodeCount()];
        }
        say(
                "bytes and floor are left out: tables of %,d MiB are more than half of a heap of %,d MiB",
                bytes >> 20, heap >> 20);
        return null;
    }

    private FullRerouteBench reroutes(FabricView view, Parallel parallel, byte @Nullable [][] buffers) {
        tell(rounds + " full reroutes");
        FullRerouteBench full = new FullRerouteBench(engine, view, parallel, buffers).run(repetition(rounds));
        sayIfFewer(full.rounds(), rounds, "full reroutes");
        return full;
    }

    private static BenchReport.Phases phases(FullRerouteBench full, boolean written) {
        return new BenchReport.Phases(
                full.costs.median(),
                round(Math.max(0, full.route.median() - full.costs.median())),
                written ? full.bytes.median() : null,
                full.distinctRows(),
                written ? full.unsharedBytes.median() : null,
                written ? ratio(full.route.median() + full.unsharedBytes.median(), full.floor) : null);
    }

    private BenchReport.Degraded degraded(Fabric fabric, Parallel parallel, byte @Nullable [][] buffers, Loss loss) {
        tell("the same with " + loss.switches + " switches and " + loss.links + " links lost");
        Degradation.apply(fabric.builder(), loss.switches, loss.links, new SplittableRandom(inputs.seed()));
        FabricView view = fabric.draw(0);
        FullRerouteBench full = reroutes(view, parallel, buffers);
        tell("memory");
        long extraBytes = retainedBytes(view, parallel);
        return new BenchReport.Degraded(
                loss.switches,
                loss.links,
                full.rounds(),
                full.route.median(),
                buffers == null ? null : full.bytes.median(),
                buffers == null ? null : full.floor.median(),
                buffers == null ? null : ratio(full.route.median(), full.floor),
                buffers == null ? null : ratio(full.full.median(), full.floor),
                extraBytes,
                orLeftOut("one more lost link", () -> oneMoreLink(fabric, parallel)));
    }

    private BenchReport.@Nullable Fault oneMoreLink(Fabric fabric, Parallel parallel) {
        tell("one link more, " + faults + " times");
        BenchReport.Fault fault = new FaultBench(fabric, engine, parallel, inputs.seed()).anyLink(repetition(faults));
        sayIfFewer(fault == null ? faults : fault.count(), faults, "links");
        return fault;
    }

    /** Heap that a rerouter and its tables hold after they routed this view. */
    private long retainedBytes(FabricView view, Parallel parallel) {
        return HeapUse.retainedBytes(() -> {
            Rerouter rerouter = engine.rerouter();
            return List.of(rerouter, FullRerouteBench.tables(rerouter.route(view, parallel)));
        });
    }

    /** Against the floor, which takes a nanosecond at least, however little there is to fill. */
    private static double ratio(double millis, Samples floor) {
        return round(millis / Math.max(floor.median(), 1e-6));
    }

    private static double round(double value) {
        return Math.round(value * 1000) / 1000.0;
    }
}
