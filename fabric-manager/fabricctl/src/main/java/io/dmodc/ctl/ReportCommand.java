package io.dmodc.ctl;

import io.dmodc.ctl.report.ReportAnalysis;
import io.dmodc.ctl.report.ReportAnswer;
import io.dmodc.ctl.report.ReportInput;
import io.dmodc.ctl.report.ReportPage;
import io.dmodc.ctl.report.WorkProgress;
import io.dmodc.routing.opensm.OpenSmTables;
import io.dmodc.routing.quality.Progress;
import io.dmodc.settings.BuildInfo;
import io.dmodc.topology.ibnet.ImportSummary;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code fabricctl report}. */
@Command(
        name = "report",
        description = {
            "Writes one HTML page about a fabric: shape, cabling faults, cut-off hosts, the present tables and their"
                    + " congestion beside ours, what the loss of a switch would do. Needs nothing but the file.",
            "Exit code 0: the page is written, whatever it says."
        })
final class ReportCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private Inputs inputs = new Inputs();

    @Mixin
    private SlowLinkOption slowLinks = new SlowLinkOption();

    @Option(
            names = "--lft",
            paramLabel = "LFT",
            description =
                    "the present tables, as OpenSM dumps them (default with --opensm: ask each switch; else none)")
    private @Nullable String lft;

    @Mixin
    private Threads threads = new Threads();

    @Option(
            names = "--out",
            paramLabel = "F",
            description =
                    "file to write, whole or not at all; - is standard output (default: report.html; with --format json"
                            + " standard output)")
    private @Nullable String out;

    @Option(
            names = "--format",
            defaultValue = "text",
            paramLabel = "text|json",
            description = "the page, or its verdicts, of the whole and of each part (default: ${DEFAULT-VALUE})")
    private Format format = Format.TEXT;

    @Override
    public Integer call() throws IOException {
        try (Workers workers = threads.start()) {
            Fabric fabric = inputs.load();
            ReportAnalysis study = ReportAnalysis.of(input(fabric), workers.parallel(), new OnStandardError());
            OutputFile.write(out(), spec.commandLine().getOut(), to -> {
                if (format == Format.JSON) {
                    to.append(Json.print(ReportAnswer.of(study))).append('\n');
                } else {
                    ReportPage.write(study, to);
                }
            });
            return Main.YES;
        }
    }

    private String out() {
        return out != null ? out : format == Format.JSON ? OutputFile.STANDARD_OUTPUT : "report.html";
    }

    private ReportInput input(Fabric fabric) throws IOException {
        ImportSummary imported = fabric.source().summary();
        List<String> remarks = new ArrayList<>();
        fabric.source().lack().ifPresent(remarks::add);
        OpenSmTables tables = presentTables(fabric, remarks);
        int switches = fabric.damage().switches().size();
        int cables = fabric.damage().cables().size();
        if (switches > 0 || cables > 0) {
            remarks.add("As asked, " + switches + " switches and " + cables + " cables were taken out first.");
        }
        slowLinks.remark(fabric.view(), fabric.source().rates()).ifPresent(remark -> {
            remarks.add(remark);
            spec.commandLine().getErr().println(remark);
        });
        return new ReportInput(
                inputs.name(),
                fabric.builder(),
                fabric.nodes(),
                fabric.levels(),
                fabric.planes(),
                fabric.view(),
                fabric.source().rates(),
                slowLinks.use(),
                imported,
                remarks,
                fabric.design(),
                tables,
                tablesName(),
                BuildInfo.read().line("fabricctl"));
    }

    private @Nullable OpenSmTables presentTables(Fabric fabric, List<String> remarks) throws IOException {
        PresentSubnet present = inputs.present();
        if (lft != null) {
            return TableFile.read(lft, fabric.view(), fabric.source());
        }
        if (present == null) {
            return null;
        }
        PresentSubnet.Tables tables = present.tables(fabric.view());
        for (String remark : tables.remarks()) {
            remarks.add(remark);
            spec.commandLine().getErr().println(remark);
        }
        return tables.held();
    }

    private String tablesName() {
        PresentSubnet present = inputs.present();
        return lft != null ? lft : present != null ? present.tablesName() : "";
    }

    /** A bar on a terminal, lines elsewhere, nothing for short work. */
    private final class OnStandardError implements WorkProgress {
        @Override
        public <T> T during(String what, Function<Progress, T> work) {
            PrintWriter err = spec.commandLine().getErr();
            ProgressLine line = new ProgressLine(what, err, ProgressLine.onTerminal(), System::nanoTime);
            try {
                return work.apply(line::reached);
            } finally {
                line.end();
            }
        }
    }
}
