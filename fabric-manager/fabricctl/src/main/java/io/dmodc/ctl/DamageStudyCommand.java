package io.dmodc.ctl;

import io.dmodc.ctl.study.DamageStudy;
import io.dmodc.ctl.study.DamageStudy.Row;
import io.dmodc.ctl.study.StudyFiles;
import io.dmodc.routing.engines.Engines;
import io.dmodc.topology.pgft.PgftShape;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code fabricctl study damage}. */
@Command(
        name = "damage",
        description = {
            "Takes switches above the leaves away and measures what each engine's tables make of the rest: congestion risk"
                    + " all-to-all, under random permutations and under all shifts; writes damage.csv and damage.svg.",
            "Engines that take roots are told the top switches of the whole fabric.",
            "The exit code is 0: an engine without tables has no figures."
        })
final class DamageStudyCommand implements Callable<Integer> {
    private static final int SEEDS_MAX = 1000;
    private static final int PERMUTATIONS_MAX = 1_000_000;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--pgft",
            paramLabel = "SHAPE",
            defaultValue = "3;8,8,16;1,8,8;1,1,1",
            description = "the whole fabric (default: ${DEFAULT-VALUE})")
    private String shape = "";

    @Option(
            names = "--engines",
            split = ",",
            paramLabel = "NAME",
            defaultValue = "dmodc,minhop,updn,ftree",
            completionCandidates = EngineNames.class,
            description = "some of ${COMPLETION-CANDIDATES}, separated by commas (default: ${DEFAULT-VALUE})")
    private List<String> engines = List.of();

    @Option(
            names = "--percents",
            split = ",",
            paramLabel = "P",
            defaultValue = "0,1,2,5,10,15,20",
            description = "of the switches above the leaves are lost, separated by commas (default: ${DEFAULT-VALUE})")
    private List<Integer> percents = List.of();

    @Option(
            names = "--seeds",
            paramLabel = "N",
            defaultValue = "5",
            description = "fabrics of each damage, drawn with the seeds 1..N (default: ${DEFAULT-VALUE})")
    private int seeds;

    @Option(
            names = "--permutations",
            paramLabel = "K",
            defaultValue = "1000",
            description = "how many, drawn for each fabric (default: ${DEFAULT-VALUE})")
    private int permutations;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "damage-study",
            description = "where data and plot go; made if it is not there (default: ${DEFAULT-VALUE})")
    private Path out = Path.of("");

    @Mixin
    private Threads threads = new Threads();

    @Override
    public Integer call() throws IOException {
        requireRange("--seeds", seeds, 1, SEEDS_MAX);
        requireRange("--permutations", permutations, 1, PERMUTATIONS_MAX);
        for (int percent : percents) {
            requireRange("--percents", percent, 0, 100);
        }
        PgftShape whole = PgftShape.parse(shape);
        for (String engine : engines) {
            Engines.named(engine, whole);
        }
        StudyDirectory directory = StudyDirectory.made(out);
        DamageStudy.Answer answer =
                run(new DamageStudy(new DamageStudy.Settings(whole, engines, percents, seeds, permutations)));
        directory.write(StudyFiles.of(answer), spec.commandLine().getOut());
        print(answer, spec.commandLine().getOut());
        return Main.YES;
    }

    private static void requireRange(String option, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(option + " " + value + "; expected " + min + ".." + max);
        }
    }

    private DamageStudy.Answer run(DamageStudy study) {
        ProgressLine line =
                new ProgressLine("study", spec.commandLine().getErr(), ProgressLine.onTerminal(), System::nanoTime);
        try (Workers workers = threads.start()) {
            return study.run(workers.parallel(), done -> line.reached(done, study.work()));
        } finally {
            line.end();
        }
    }

    private void print(DamageStudy.Answer answer, PrintWriter to) {
        to.println("engine         lost       seed  all-to-all  permutations  shifts (max)  shifts (mean)  unrouted");
        for (Row row : answer.rows()) {
            DamageStudy.Risk risk = row.risk();
            String head = String.format(
                    Locale.ROOT, "%-12s %4d (%2d %%) %5d", row.engine(), row.lost(), row.percent(), row.seed());
            to.println(
                    risk == null
                            ? head + "  no tables"
                            : head
                                    + String.format(
                                            Locale.ROOT,
                                            "  %10d  %12d  %12d  %13.2f  %8d",
                                            risk.allToAll(),
                                            risk.permutations(),
                                            risk.shiftsMax(),
                                            risk.shiftsMean(),
                                            risk.unrouted()));
        }
        to.println();
        to.println("data and plot: " + out);
    }
}
