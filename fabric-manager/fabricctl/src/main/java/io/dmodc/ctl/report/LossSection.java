package io.dmodc.ctl.report;

import io.dmodc.ctl.report.SwitchLosses.Group;
import java.util.List;

/** What the loss of a switch would do. */
final class LossSection {
    /** Groups shown at most, the worst first. */
    private static final int GROUPS_MAX = 40;

    private static final int NAMED = 3;

    private final ReportAnalysis study;
    private final HtmlBuilder page;

    LossSection(ReportAnalysis study, HtmlBuilder page) {
        this.study = study;
        this.page = page;
    }

    void write() {
        page.raw("<section id=\"losses\">\n").element("h2", "If a switch is lost");
        SwitchLosses losses = study.losses;
        if (losses.played() == 0) {
            page.paragraph("There is no switch above the leaves.");
        } else {
            page.paragraph(
                    extent(losses) + " After each, dmodc routed the rest anew; congestion is measured as above, with "
                            + HtmlBuilder.number(losses.permutations()) + " permutations and at most "
                            + HtmlBuilder.number(losses.shifts())
                            + " shifts. Losses of one rank that cut off as much, and leave the same all-to-all figure, share a line.");
            groups(losses.groups());
        }
        page.raw("</section>\n");
    }

    private static String extent(SwitchLosses losses) {
        if (losses.played() == losses.possible()) {
            return "Each of the " + HtmlBuilder.number(losses.possible())
                    + " switches above the leaves was taken out, one at a time.";
        }
        return HtmlBuilder.number(losses.played()) + " of the " + HtmlBuilder.number(losses.possible())
                + " switches above the leaves were taken out, one at a time: a sample, evenly spread over the GUIDs of each"
                + " rank. What is said here holds for these.";
    }

    private void groups(List<Group> groups) {
        page.table(
                "lost switch",
                "rank",
                "switches",
                "leaves cut off",
                "hosts cut off",
                "all-to-all",
                "permutations, median",
                "shifts, worst",
                "shifts, mean");
        Congestion.Figures before = study.losses.before();
        page.row(
                "none",
                "",
                "",
                "",
                "",
                before.allToAll(),
                before.permutations(),
                before.shiftsMax(),
                HtmlBuilder.decimal(before.shiftsMean()));
        for (Group group : groups.subList(0, Math.min(GROUPS_MAX, groups.size()))) {
            page.row(
                    study.names.some(group.switches(), NAMED),
                    group.rank(),
                    group.switches().size(),
                    group.leaves(),
                    group.hosts(),
                    group.least().allToAll(),
                    range(group.least().permutations(), group.most().permutations()),
                    range(group.least().shiftsMax(), group.most().shiftsMax()),
                    range(group.least().shiftsMean(), group.most().shiftsMean()));
        }
        page.endTable();
        if (groups.size() > GROUPS_MAX) {
            page.paragraph(HtmlBuilder.number(groups.size() - GROUPS_MAX) + " further kinds of losses do less.");
        }
    }

    private static String range(int least, int most) {
        return least == most ? HtmlBuilder.number(most) : HtmlBuilder.number(least) + "–" + HtmlBuilder.number(most);
    }

    private static String range(double least, double most) {
        String low = HtmlBuilder.decimal(least);
        String high = HtmlBuilder.decimal(most);
        return low.equals(high) ? high : low + "–" + high;
    }
}
