package io.dmodc.ctl.report;

import io.dmodc.ctl.report.SwitchLosses.Group;
import io.dmodc.topology.design.DesignReport;
import java.util.Comparator;
import java.util.List;

/**
 * The answer to one question, in plain words.
 *
 * @param title what it is about
 * @param anchor where the page says more
 */
record Verdict(Mark mark, String title, String text, String anchor) {
    /** How good it is, worst last. */
    enum Mark {
        NONE("none", "–"),
        GOOD("good", "✓"),
        ATTENTION("attention", "!"),
        BAD("bad", "✕");

        final String css;
        final String sign;

        Mark(String css, String sign) {
            this.css = css;
            this.sign = sign;
        }
    }

    /** Our tables must be so much better before the present ones are said to be worse: less is chance. */
    private static final double CLEARLY = 1.05;

    private static final int PARTS_NAMED = 3;

    static List<Verdict> of(ReportAnalysis study) {
        return List.of(reachability(study), cabling(study), tables(study), congestion(study), losses(study));
    }

    /** The worst of all. */
    static Mark worst(List<Verdict> verdicts) {
        return verdicts.stream()
                .map(Verdict::mark)
                .max(Comparator.naturalOrder())
                .orElse(Mark.NONE);
    }

    private static Verdict reachability(ReportAnalysis study) {
        String title = "Every host reaches every other";
        int hosts = study.levels.stream()
                .mapToInt(level -> (int) level.hosts().total())
                .sum();
        if (!study.unroutable.isEmpty()) {
            return new Verdict(Mark.BAD, "No tables can be made", study.unroutable, "reachability");
        }
        if (!study.cutOff.isEmpty()) {
            return new Verdict(
                    Mark.BAD,
                    HtmlBuilder.counted(study.cutOffHosts, "host is", "hosts are") + " cut off",
                    "On " + HtmlBuilder.counted(study.cutOff.size(), "leaf", "leaves") + ": "
                            + study.names.some(study.cutOff, 3) + ".",
                    "reachability");
        }
        if (!study.upperPairs.isEmpty()) {
            return new Verdict(
                    Mark.ATTENTION,
                    "Some hosts above the leaves do not reach each other",
                    study.upperPairs.text(study.names::of) + ".",
                    "reachability");
        }
        int parts = study.view.partCount();
        return new Verdict(
                Mark.GOOD,
                parts > 1 ? title + " of its part" : title,
                "All " + HtmlBuilder.number(hosts) + " host ports have a legal path to each other"
                        + (parts > 1
                                ? " within " + HtmlBuilder.number(parts)
                                        + " separate parts that were never cabled together."
                                : "."),
                "reachability");
    }

    private static Verdict cabling(ReportAnalysis study) {
        int faults = study.parts.stream().mapToInt(PartFinding::deviationCount).sum();
        String shapes = shapes(study);
        if (faults > 0) {
            return new Verdict(
                    Mark.ATTENTION,
                    HtmlBuilder.counted(faults, "cabling fault", "cabling faults"),
                    "Compared with " + shapes,
                    "cabling");
        }
        return study.parts.stream().allMatch(PartFinding::asDesigned)
                ? new Verdict(Mark.GOOD, "Cabled as designed", "Exactly " + shapes, "cabling")
                : withoutShape(study);
    }

    /** Of several parts, the first few and how many more. */
    private static String shapes(ReportAnalysis study) {
        DesignReport first = study.parts.get(0).design().report();
        if (study.parts.size() == 1) {
            return study.parts.get(0).shape()
                    + (first != null && first.inferred() ? ", recognised from the file." : ".");
        }
        List<String> named = study.parts.stream()
                .limit(PARTS_NAMED)
                .map(part -> (part.shape().isEmpty() ? "no shape" : part.shape()) + " in part " + part.number()
                        + (part.deviationCount() > 0
                                ? " (" + HtmlBuilder.counted(part.deviationCount(), "fault", "faults") + ")"
                                : ""))
                .toList();
        int more = study.parts.size() - named.size();
        return String.join(", ", named) + (more > 0 ? " and " + HtmlBuilder.number(more) + " parts more." : ".");
    }

    private static Verdict withoutShape(ReportAnalysis study) {
        int odd = study.oddities.switches.size();
        boolean cables = odd == study.oddities.fewer.size();
        boolean one = study.parts.size() == 1;
        return new Verdict(
                odd == 0 ? Mark.NONE : Mark.ATTENTION,
                odd == 0
                        ? "No design to compare with"
                        : HtmlBuilder.counted(odd, "switch", "switches")
                                + (cables ? " with fewer cables than most" : " may be at fault"),
                (one
                                ? "No regular shape was recognised, so switches are compared with others of their rank."
                                : "Recognised: " + shapes(study)
                                        + " Switches are compared with others of their part and rank.")
                        + (odd == 0 ? " None has fewer cables than most." : "")
                        + (study.input.design() == null ? " With --design faults are named." : ""),
                "cabling");
    }

    private static Verdict tables(ReportAnalysis study) {
        if (study.present == null) {
            return new Verdict(
                    Mark.NONE, "Present tables not given", "With --lft this page checks them, too.", "tables");
        }
        if (study.present.valid()) {
            return new Verdict(
                    Mark.GOOD,
                    "Present tables are valid",
                    HtmlBuilder.number(study.present.pairs()) + " pairs proved: delivered, no loop, no deadlock.",
                    "tables");
        }
        return new Verdict(
                Mark.BAD,
                "Present tables are not valid",
                HtmlBuilder.counted(study.present.failures().size(), "property fails", "properties fail") + ".",
                "tables");
    }

    private static Verdict congestion(ReportAnalysis study) {
        Congestion now = study.presentCongestion;
        Congestion ours = study.ourCongestion;
        if (ours == null) {
            return new Verdict(Mark.NONE, "Congestion unknown", "There are no tables to measure.", "congestion");
        }
        String figures = "Worst port, mean over all shifts: ";
        if (now == null) {
            return new Verdict(
                    Mark.NONE,
                    "Congestion with dmodc's tables",
                    figures + HtmlBuilder.decimal(ours.whole().shiftsMean()) + ". 1 would be ideal.",
                    "congestion");
        }
        if (now.unroutedPairs() > ours.unroutedPairs()) {
            return new Verdict(
                    Mark.NONE,
                    "Congestion cannot be compared",
                    HtmlBuilder.number(now.unroutedPairs()) + " of " + HtmlBuilder.number(now.pairs())
                            + " ordered pairs of hosts do not arrive with the present tables: what is lost jams nobody.",
                    "congestion");
        }
        boolean worse = now.whole().shiftsMean() > CLEARLY * ours.whole().shiftsMean();
        return new Verdict(
                worse ? Mark.ATTENTION : Mark.GOOD,
                worse ? "Traffic could be spread better" : "Traffic is spread as well as with dmodc",
                figures + HtmlBuilder.decimal(now.whole().shiftsMean()) + " at present, "
                        + HtmlBuilder.decimal(ours.whole().shiftsMean()) + " with dmodc's tables.",
                "congestion");
    }

    private static Verdict losses(ReportAnalysis study) {
        SwitchLosses losses = study.losses;
        if (losses.played() == 0) {
            return new Verdict(Mark.NONE, "No switch above the leaves", "There is none that could be lost.", "losses");
        }
        String which = losses.played() == losses.possible()
                ? "Each of " + HtmlBuilder.number(losses.possible()) + " switches above the leaves was taken out."
                : HtmlBuilder.number(losses.played()) + " of " + HtmlBuilder.number(losses.possible())
                        + " switches above the leaves were taken out.";
        int worst = losses.groups().stream().mapToInt(Group::hosts).max().orElse(0);
        if (worst == 0) {
            boolean all = losses.played() == losses.possible();
            return new Verdict(
                    Mark.GOOD,
                    all ? "No single switch cuts hosts off" : "None of the switches tried cuts hosts off",
                    which,
                    "losses");
        }
        int fatal = losses.groups().stream()
                .filter(group -> group.hosts() > 0)
                .mapToInt(group -> group.switches().size())
                .sum();
        return new Verdict(
                Mark.ATTENTION,
                "The loss of " + HtmlBuilder.counted(fatal, "switch", "switches") + " cuts hosts off",
                "Up to " + HtmlBuilder.counted(worst, "host", "hosts") + " at once. " + which,
                "losses");
    }
}
