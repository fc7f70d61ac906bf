package io.dmodc.ctl;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.RoutingResult.Unroutable;
import io.dmodc.routing.engines.Engines;
import io.dmodc.routing.opensm.OpenSmTables;
import io.dmodc.routing.quality.CongestionRisk;
import io.dmodc.routing.quality.PatternRisk;
import io.dmodc.routing.quality.Progress;
import io.dmodc.topology.FabricView;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code fabricctl quality}. */
@Command(
        name = "quality",
        description = {
            "Says how evenly forwarding tables spread traffic: the congestion risk of the worst port when every node sends"
                    + " to every other, under random permutations and under all shifts. 1 is the best there is.",
            "The exit code is 1 only if no tables can be made at all."
        })
final class QualityCommand implements Callable<Integer> {
    /** Enough for any median, little enough that their seeds fit into memory. */
    private static final int PATTERNS_MAX = 1_000_000;

    private static final int ALL = -1;

    /** Where the tables come from. */
    private static final class Tables {
        @Option(
                names = "--engine",
                paramLabel = "NAME",
                completionCandidates = EngineNames.class,
                description = "one of ${COMPLETION-CANDIDATES} (default: " + Engines.DEFAULT + ")")
        private @Nullable String engine;

        @Option(names = "--lft", paramLabel = "LFT", description = "tables as OpenSM dumps them")
        private @Nullable String lft;
    }

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private Inputs inputs = new Inputs();

    @ArgGroup
    private Tables tables = new Tables();

    @Mixin
    private Design design = new Design();

    @Option(
            names = "--shifts",
            paramLabel = "K",
            defaultValue = "-1",
            description = "only K shifts, drawn by --seed; 0 leaves them out (default: all)")
    private int shifts;

    @Option(
            names = "--permutations",
            paramLabel = "K",
            defaultValue = "1000",
            description = "how many, drawn by --seed; 0 leaves them out (default: ${DEFAULT-VALUE})")
    private int permutations;

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
        checkCount("--permutations", permutations, 0);
        checkCount("--shifts", shifts, ALL);
        try (Workers workers = threads.start()) {
            Fabric fabric = inputs.load();
            long start = System.nanoTime();
            LftSet routed = tables(fabric, workers);
            if (routed == null) {
                return Main.NO;
            }
            print(study(fabric, routed, workers, start));
            return Main.YES;
        }
    }

    private static void checkCount(String option, int count, int least) {
        if (count < least || count > PATTERNS_MAX) {
            throw new IllegalArgumentException(option + " " + count + "; expected 0.." + PATTERNS_MAX);
        }
    }

    /** {@code null} when no tables can be made, which is told then. */
    private @Nullable LftSet tables(Fabric fabric, Workers workers) throws IOException {
        PrintWriter err = spec.commandLine().getErr();
        if (tables.lft != null) {
            OpenSmTables read = TableFile.read(tables.lft, fabric);
            read.remarks(fabric.view()).forEach(err::println);
            return read.nodeTables();
        }
        RoutingResult result = Engines.named(engine(), design.shape(fabric)).route(fabric.view(), workers.parallel());
        if (result instanceof Unroutable no) {
            err.println("fabricctl quality: no tables: " + no.reason());
        }
        return result.tables();
    }

    private String engine() {
        return tables.engine == null ? Engines.DEFAULT : tables.engine;
    }

    private QualityReport study(Fabric fabric, LftSet routed, Workers workers, long start) {
        FabricView view = fabric.view();
        long tablesDone = System.nanoTime();
        CongestionRisk risk =
                watched("all-to-all", progress -> CongestionRisk.of(view, routed, workers.parallel(), progress));
        long allToAllDone = System.nanoTime();
        PatternRisk drawn =
                watched("permutations", progress -> risk.permutations(permutations, inputs.seed(), progress));
        long permutationsDone = System.nanoTime();
        PatternRisk shifted = watched(
                "shifts",
                progress -> shifts == ALL ? risk.shifts(progress) : risk.shifts(shifts, inputs.seed(), progress));
        long shiftsDone = System.nanoTime();
        return QualityReport.of(
                fabric,
                tables.lft == null ? engine() : tables.lft,
                risk,
                drawn,
                shifted,
                new QualityReport.Millis(
                        millis(start, tablesDone),
                        millis(tablesDone, allToAllDone),
                        millis(allToAllDone, permutationsDone),
                        millis(permutationsDone, shiftsDone),
                        workers.threads()));
    }

    private static double millis(long from, long to) {
        return Math.round((to - from) / 1e3) / 1e3;
    }

    private <T> T watched(String what, Function<Progress, T> study) {
        ProgressLine line =
                new ProgressLine(what, spec.commandLine().getErr(), ProgressLine.onTerminal(), System::nanoTime);
        try {
            return study.apply(line::reached);
        } finally {
            line.end();
        }
    }

    private void print(QualityReport report) {
        PrintWriter out = spec.commandLine().getOut();
        if (format == Format.JSON) {
            out.println(Json.print(report));
        } else {
            report.print(out);
        }
    }
}
