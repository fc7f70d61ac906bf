package io.dmodc.ctl.report;

import io.dmodc.ctl.report.Congestion.Figures;
import io.dmodc.ctl.report.Congestion.StageFigures;
import io.dmodc.routing.quality.PortRisk;
import io.dmodc.routing.quality.PortStage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How evenly traffic is spread: the present tables beside ours, and where it is hot. */
final class CongestionSection {
    private final ReportAnalysis study;
    private final HtmlBuilder page;

    CongestionSection(ReportAnalysis study, HtmlBuilder page) {
        this.study = study;
        this.page = page;
    }

    void write() {
        page.raw("<section id=\"congestion\">\n").element("h2", "Congestion");
        page.paragraph(
                "How many packets at most can meet at one port although neither their senders nor their receivers are"
                        + " the bottleneck: the smaller of the number of sources and of destinations of the flows through it, at the"
                        + " worst port. 1 is the best there is where a fabric has full bisection.");
        List<Congestion> all = new ArrayList<>();
        if (study.presentCongestion != null) {
            all.add(study.presentCongestion);
        }
        if (study.ourCongestion != null) {
            all.add(study.ourCongestion);
        }
        if (all.isEmpty()) {
            page.paragraph("There are no tables to measure.");
        } else {
            bars(all);
            table(all);
            all.forEach(this::hottest);
        }
        page.raw("</section>\n");
    }

    private void bars(List<Congestion> all) {
        double most =
                all.stream().mapToDouble(c -> c.whole().shiftsMean()).max().orElse(1);
        page.raw("<div class=\"bars\" role=\"img\" aria-label=\"mean over the shifts, also in the table below\">\n");
        for (Congestion one : all) {
            double mean = one.whole().shiftsMean();
            int percent = most == 0 ? 0 : (int) Math.round(85 * mean / most);
            page.raw("<span>").text(one.who()).raw("</span><span class=\"bar\"><i");
            page.raw((one.present() ? " class=\"now\"" : "") + " style=\"width:" + percent + "%\"></i>");
            page.text(HtmlBuilder.decimal(mean)).raw("</span>\n");
        }
        page.raw("</div>\n");
    }

    private void table(List<Congestion> all) {
        Congestion first = all.get(0);
        page.paragraph(HtmlBuilder.number(first.nodes())
                + " host ports take part. All-to-all: every one sends to every other."
                + " Permutations: " + HtmlBuilder.number(first.permutations())
                + " random ones, median. Shifts: host i sends to host"
                + " i + k, " + (first.allShifts() ? "all " : "a sample of ") + HtmlBuilder.number(first.shifts())
                + " distances k.");
        page.table("tables", "ports", "all-to-all", "permutations, median", "shifts, worst", "shifts, mean");
        for (Congestion one : all) {
            page.strongRow(cells(one.who() + ", whole fabric", "", one.whole()));
            for (StageFigures stage : one.stages()) {
                page.row(cells(
                        name(stage.stage()), HtmlBuilder.number(stage.stage().ports()), stage.figures()));
            }
        }
        page.endTable();
        for (Congestion one : all) {
            if (one.unroutedPairs() > 0) {
                page.paragraph(one.who() + ": " + HtmlBuilder.number(one.unroutedPairs()) + " of "
                        + HtmlBuilder.number(one.pairs())
                        + " ordered pairs of hosts have no route that arrives; they send nothing here.");
            }
        }
    }

    private static Object[] cells(String name, String ports, Figures figures) {
        return new Object[] {
            name,
            ports,
            figures.allToAll(),
            figures.permutations(),
            figures.shiftsMax(),
            HtmlBuilder.decimal(figures.shiftsMean())
        };
    }

    private static String name(PortStage stage) {
        return switch (stage.direction()) {
            case UP, DOWN ->
                "\u2003" + stage.direction().name().toLowerCase(Locale.ROOT) + ", rank " + stage.fromRank() + " to "
                        + stage.toRank();
            case ACROSS -> "\u2003across, against the ranks";
            case TO_HOST -> "\u2003to hosts";
        };
    }

    private void hottest(Congestion one) {
        page.element("h3", "Hottest ports with " + (one.present() ? "the present" : "dmodc's") + " tables");
        page.table("port", "leads to", "shifts, worst", "permutations, worst", "all-to-all", "sources", "destinations");
        for (PortRisk port : one.hottest()) {
            page.row(
                    study.names.port(port.switchIndex(), port.port()),
                    study.names.port(port.peerSwitch(), port.peerPort()),
                    port.shifts(),
                    port.permutations(),
                    port.allToAll(),
                    port.sources(),
                    port.destinations());
        }
        page.endTable();
        if (one.asHot() > one.hottest().size()) {
            page.paragraph("And "
                    + HtmlBuilder.number(one.asHot() - one.hottest().size()) + " more that bear as much as the first.");
        }
    }
}
