package io.dmodc.ctl.report;

import io.dmodc.ctl.report.Verdict.Mark;
import io.dmodc.routing.check.CheckReport;
import io.dmodc.routing.check.CheckReport.Failure;
import io.dmodc.topology.design.DesignReport;
import io.dmodc.topology.design.Deviation;
import io.dmodc.topology.design.PartDesign;
import io.dmodc.topology.ibnet.ImportSummary;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Writes what a {@link ReportAnalysis} found as one HTML page: no script, nothing loaded from anywhere. */
public final class ReportPage {
    /** Lines of a list that are shown at once, and at most. */
    private static final int OPEN = 12;

    private static final int LISTED_MAX = 1_000;

    private static final int PARTS_MAX = 100;

    private final ReportAnalysis study;
    private final ReportInput input;
    private final HtmlBuilder page = new HtmlBuilder();

    private ReportPage(ReportAnalysis study) {
        this.study = study;
        this.input = study.input;
    }

    public static void write(ReportAnalysis study, Appendable out) throws IOException {
        out.append(new ReportPage(study).page().toString());
    }

    private HtmlBuilder page() {
        page.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
                .raw(
                        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n")
                .raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
                .element("title", "Fabric report: " + shortName())
                .raw("<style>\n" + PageStyle.CSS + "</style>\n</head>\n<body>\n");
        head();
        page.raw("<main>\n");
        picture();
        reachability();
        cabling();
        tables();
        new CongestionSection(study, page).write();
        new LossSection(study, page).write();
        source();
        page.raw("</main>\n<footer><p>")
                .text("Written by " + input.version()
                        + ". The same input gives the same page; whatever is drawn at random has a fixed seed."
                        + " GUIDs are shown where several switches have the same name, or none.")
                .raw("</p></footer>\n</body>\n</html>\n");
        return page;
    }

    private void head() {
        List<Verdict> verdicts = Verdict.of(study);
        Mark worst = Verdict.worst(verdicts);
        page.raw("<header>\n<p class=\"kind\">Fabric report</p>\n").element("h1", shortName());
        long hosts =
                study.levels.stream().mapToLong(level -> level.hosts().total()).sum();
        page.element(
                "p class=\"facts\"",
                HtmlBuilder.counted(study.view.switchCount(), "switch", "switches") + " on "
                        + HtmlBuilder.counted(study.view.rankMax() + 1, "level", "levels") + " · "
                        + HtmlBuilder.counted(study.view.leafCount(), "leaf", "leaves") + " · "
                        + HtmlBuilder.counted(hosts, "host port", "host ports") + " · "
                        + HtmlBuilder.counted(study.view.linkCount(), "cable", "cables") + " between switches");
        page.raw("<div class=\"banner " + worst.css + "\"><span class=\"sign\" aria-hidden=\"true\">" + worst.sign
                        + "</span><span>")
                .text(inOneSentence(worst, verdicts))
                .raw("</span></div>\n<div class=\"cards\">\n");
        for (Verdict verdict : verdicts) {
            page.raw("<a class=\"card " + verdict.mark().css + "\" href=\"#" + verdict.anchor() + "\"><strong>"
                            + verdict.mark().sign + " ")
                    .text(verdict.title())
                    .raw("</strong><span class=\"more\">")
                    .text(verdict.text())
                    .raw("</span></a>\n");
        }
        page.raw("</div>\n</header>\n");
    }

    /** Of a path the last part. */
    private String shortName() {
        return input.name().substring(input.name().lastIndexOf('/') + 1);
    }

    private static String inOneSentence(Mark worst, List<Verdict> verdicts) {
        List<String> causes = new ArrayList<>();
        verdicts.stream().filter(verdict -> verdict.mark() == worst).forEach(verdict -> causes.add(verdict.title()));
        return switch (worst) {
            case NONE, GOOD -> "Healthy: nothing needs attention.";
            case ATTENTION -> "It works, but needs attention: " + sentence(causes);
            case BAD -> "Not healthy: " + sentence(causes);
        };
    }

    private static String sentence(List<String> parts) {
        List<String> lower = new ArrayList<>();
        parts.forEach(part -> lower.add(part.substring(0, 1).toLowerCase(Locale.ROOT) + part.substring(1)));
        return String.join("; ", lower) + ".";
    }

    private void section(String id, String title) {
        page.raw("<section id=\"" + id + "\">\n").element("h2", title);
    }

    private void picture() {
        section("shape", "Shape");
        FabricDrawing.draw(study, page);
        page.table(
                "level", "rank", "switches", "cables up, each", "cables down, each", "host ports, each", "host ports");
        for (int rank = study.levels.size() - 1; rank >= 0; rank--) {
            RankSummary level = study.levels.get(rank);
            page.row(
                    rank == 0 ? "leaves" : "level " + (rank + 1),
                    rank,
                    level.switches().size(),
                    level.up().text(),
                    level.down().text(),
                    level.hosts().text(),
                    level.hosts().total());
        }
        page.endTable().raw("</section>\n");
    }

    private void reachability() {
        section("reachability", "Reachability");
        if (!study.unroutable.isEmpty()) {
            page.paragraph("No tables can be made: " + study.unroutable + ".");
        } else if (study.cutOff.isEmpty()) {
            page.paragraph("Every leaf has a path to every other " + (study.view.partCount() > 1 ? "of its part " : "")
                    + "that climbs and then descends, so all their hosts can talk to"
                    + " each other with up–down routing, which cannot deadlock.");
        } else {
            page.paragraph(HtmlBuilder.number(study.unreachableLeafPairs)
                    + " ordered pairs of leaves have no path that climbs and then descends. These leaves are down, or are a"
                    + " small set that each such pair has a member of:");
            page.list(
                    study.cutOff.stream()
                            .map(s -> study.names.of(s) + " with "
                                    + HtmlBuilder.counted(RankSummary.hosts(study.view, s), "host port", "host ports")
                                    + (study.view.alive(s) ? "" : ", down"))
                            .toList(),
                    OPEN,
                    LISTED_MAX);
        }
        if (!study.upperPairs.isEmpty()) {
            page.paragraph(study.upperPairs.text(study.names::of) + ".");
        }
        page.raw("</section>\n");
    }

    private void cabling() {
        section("cabling", "Cabling");
        if (study.parts.size() > 1) {
            parts();
        }
        for (PartFinding part : study.parts.subList(0, Math.min(PARTS_MAX, study.parts.size()))) {
            if (study.parts.size() > 1) {
                page.element(
                        "h3",
                        "Part " + part.number() + ": "
                                + HtmlBuilder.counted(part.view().switchCount(), "switch", "switches"));
            }
            comparison(part.design());
        }
        page.element("h3", "What stands out without knowing the design");
        if (study.oddities.lines.isEmpty()) {
            page.paragraph(
                    "Nothing: the switches of each rank have the same number of cables and hosts, or no number is usual.");
        } else {
            page.list(study.oddities.lines, OPEN, LISTED_MAX);
        }
        page.raw("</section>\n");
    }

    /** One line a part: shape, faults, reach and quality, none of which says anything of another part. */
    private void parts() {
        page.paragraph(HtmlBuilder.number(study.parts.size())
                + " separate parts were never cabled together. Each is a fabric of its own:");
        page.table(
                "part",
                "switches",
                "leaves",
                "host ports",
                "cables",
                "shape",
                "differences",
                "cut-off leaves",
                "worst port, mean over shifts");
        for (PartFinding part : study.parts.subList(0, Math.min(PARTS_MAX, study.parts.size()))) {
            page.row(
                    part.number(),
                    part.view().switchCount(),
                    part.view().leafCount(),
                    part.view().hostCount(),
                    part.view().linkCount(),
                    part.shape().isEmpty() ? "–" : part.shape(),
                    part.shape().isEmpty() ? "–" : HtmlBuilder.number(part.deviationCount()),
                    part.unroutable().isEmpty()
                            ? HtmlBuilder.number(part.cutOffLeaves().size())
                            : part.unroutable(),
                    part.congestion() == null
                            ? "–"
                            : HtmlBuilder.decimal(part.congestion().whole().shiftsMean()));
        }
        page.endTable();
        if (study.parts.size() > PARTS_MAX) {
            page.paragraph(HtmlBuilder.number(study.parts.size() - PARTS_MAX) + " further ones are not listed.");
        }
    }

    private void comparison(PartDesign design) {
        DesignReport report = design.report();
        if (report == null) {
            page.paragraph("Compared with no shape: " + design.why()
                    + ". With --design the cabling is compared with what was planned.");
        } else {
            page.paragraph("Compared with PGFT(" + report.design() + ")"
                    + (report.inferred()
                            ? ", the shape that explains " + (study.parts.size() > 1 ? "it" : "the fabric")
                                    + " with fewest faults; --design says it for sure."
                            : ", the design that was given."));
            deviations(report);
        }
    }

    private void deviations(DesignReport report) {
        if (report.asDesigned()) {
            page.paragraph("Every cable is where it belongs.");
            return;
        }
        Map<Deviation.Kind, Integer> kinds = new TreeMap<>();
        report.deviations().forEach(deviation -> kinds.merge(deviation.kind(), 1, Integer::sum));
        List<String> counts = new ArrayList<>();
        kinds.forEach((kind, count) -> counts.add(count + " × " + words(kind)));
        page.paragraph(HtmlBuilder.counted(report.deviationCount(), "difference", "differences") + ": "
                + String.join(", ", counts) + ".");
        page.list(report.deviations().stream().map(Deviation::text).toList(), OPEN, LISTED_MAX);
    }

    private static String words(Deviation.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private void tables() {
        section("tables", "Present tables");
        CheckReport report = study.present;
        if (report == null || input.tables() == null) {
            page.paragraph(
                    "None were given. What dump_lfts.sh prints on a node of the fabric has them, and so has the file"
                            + " opensm-lfts.dump that OpenSM writes; --lft reads either.");
        } else {
            page.paragraph("From " + input.tablesName() + ".");
            input.tables().remarks(study.view).forEach(page::paragraph);
            page.paragraph(
                    report.valid()
                            ? "Valid: each of " + HtmlBuilder.number(report.pairs())
                                    + " pairs of a switch with hosts and a destination is delivered over a shortest legal path;"
                                    + " no packet runs in a loop, none turns up after going down, and no circle of links can"
                                    + " deadlock."
                            : "Not valid:");
            report.failures().forEach(this::failure);
            if (report.surplusEntries() > 0) {
                page.paragraph(
                        HtmlBuilder.number(report.surplusEntries())
                                + " entries lead on though there is no legal path to their destination; what is sent there is lost.");
            }
        }
        page.raw("</section>\n");
    }

    private void failure(Failure failure) {
        page.element(
                "h3", failure.property().claim() + ": fails " + HtmlBuilder.counted(failure.count(), "time", "times"));
        page.list(failure.examples(), OPEN, LISTED_MAX);
    }

    private void source() {
        section("source", "What was read");
        ImportSummary read = input.imported();
        input.remarks().forEach(page::paragraph);
        if (read == null) {
            page.paragraph("A generated fabric.");
        } else {
            page.table("in " + read.source(), "");
            page.row("switches", read.switchCount());
            page.row("hosts", read.hostCount());
            page.row("host ports cabled to a switch", read.hostPortCount());
            page.row("cables between switches", read.cableCount());
            page.row("aggregation nodes, not counted as hosts", read.aggregationNodeCount());
            page.row("cable ends taken from the other end", read.completedEndCount());
            page.row("cables from a switch to itself, left out", read.loopBackCount());
            page.row("hosts without a block of their own", read.undescribedHostCount());
            page.row("lines that could not be used", read.skippedLineCount());
            page.endTable();
            List<String> skipped = new ArrayList<>();
            read.firstSkipped().forEach(line -> skipped.add("line " + line.line() + ": " + line.reason()));
            if (!skipped.isEmpty()) {
                page.element("h3", "Lines that could not be used, the first " + skipped.size());
                page.list(skipped, OPEN, LISTED_MAX);
            }
        }
        page.raw("</section>\n");
    }
}
