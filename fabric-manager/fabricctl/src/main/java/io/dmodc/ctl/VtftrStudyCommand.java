package io.dmodc.ctl;

import io.dmodc.ctl.study.StudyFiles;
import io.dmodc.ctl.study.StudyRow;
import io.dmodc.ctl.study.StudyTables;
import io.dmodc.ctl.study.VtftrStudy;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code fabricctl study vtftr}. */
@Command(
        name = "vtftr",
        description = {
            "Simulates figures 6 to 9 of the VTFTR paper at 8x8 leaves and at 4,096 nodes, several seeds each, writes data"
                    + " (CSV) and plots (SVG), and says which acceptance rows hold.",
            "Takes about ten minutes of processor time; --quick takes smaller grids and shorter runs.",
            "The exit code is 1 if a row is missed."
        })
final class VtftrStudyCommand implements Callable<Integer> {
    private static final int SEEDS_MIN = 3;
    private static final int SEEDS_MAX = 100;
    private static final int PROGRESS_PARTS = 1000;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "vtftr-study",
            description = "where data and plots go; made if it is not there (default: ${DEFAULT-VALUE})")
    private Path out = Path.of("");

    @Option(
            names = "--seeds",
            paramLabel = "N",
            defaultValue = "3",
            description =
                    "runs of each load, with the seeds 1..N, N at least " + SEEDS_MIN + " (default: ${DEFAULT-VALUE})")
    private int seeds;

    @Option(
            names = "--figures",
            split = ",",
            paramLabel = "K",
            defaultValue = "6,7,8,9",
            description = "only these, separated by commas; their rows alone are judged (default: ${DEFAULT-VALUE})")
    private List<Integer> figures = List.of();

    @Option(names = "--quick", description = "smaller grids, fewer loads, shorter runs: to see that it works")
    private boolean quick;

    @Mixin
    private Threads threads = new Threads();

    @Override
    public Integer call() throws IOException {
        if (seeds < SEEDS_MIN || seeds > SEEDS_MAX) {
            throw new IllegalArgumentException("--seeds " + seeds + "; expected " + SEEDS_MIN + ".." + SEEDS_MAX);
        }
        for (int figure : figures) {
            if (figure < 6 || figure > 9) {
                throw new IllegalArgumentException("--figures " + figure + "; expected some of 6,7,8,9");
            }
        }
        StudyDirectory directory = StudyDirectory.made(out);
        VtftrStudy study = new VtftrStudy(quick, seeds, new TreeSet<>(figures));
        VtftrStudy.Answer answer = run(study);
        directory.write(StudyFiles.of(answer), spec.commandLine().getOut());
        print(answer);
        return answer.holds() ? Main.YES : Main.NO;
    }

    private VtftrStudy.Answer run(VtftrStudy study) {
        ProgressLine line =
                new ProgressLine("study", spec.commandLine().getErr(), ProgressLine.onTerminal(), System::nanoTime);
        long work = study.work();
        try (Workers workers = threads.start()) {
            return study.run(
                    workers.parallel(),
                    done -> line.reached((int) Math.max(1, PROGRESS_PARTS * done / work), PROGRESS_PARTS));
        } finally {
            line.end();
        }
    }

    private void print(VtftrStudy.Answer answer) {
        PrintWriter to = spec.commandLine().getOut();
        StudyTables.print(answer, to);
        to.println();
        for (StudyRow row : answer.rows()) {
            to.println(row.row() + " " + row.verdict() + ": " + row.claim());
            to.println("   " + row.figure());
            to.println("   bound: " + row.bound());
        }
        to.println();
        to.println("data and plots: " + out);
    }
}
