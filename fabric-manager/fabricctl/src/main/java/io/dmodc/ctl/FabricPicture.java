package io.dmodc.ctl;

import io.dmodc.ctl.FabricReport.Level;
import io.dmodc.ctl.FabricReport.Spread;
import io.dmodc.ctl.FabricReport.UpperSwitch;
import io.dmodc.topology.ibnet.ImportSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A {@link FabricReport} for people: the levels one above the other, then what is unusual.
 *
 * <pre>
 *   rank 1   2 switches   down 4
 *            |  8 cables
 *   rank 0   4 leaves     up 2      hosts 4
 *            |
 *            16 host ports
 * </pre>
 */
final class FabricPicture {
    private static final int LISTED_MAX = 20;

    private final FabricReport report;
    private final List<String> lines = new ArrayList<>();

    FabricPicture(FabricReport report) {
        this.report = report;
    }

    List<String> lines() {
        add(
                "%s: %,d switches, %,d leaves, %,d host ports, %,d cables between switches",
                report.imported().source(), report.switches(), report.leaves(), report.hostPorts(), report.cables());
        List<Integer> parts = report.parts();
        if (parts != null) {
            add("%s", SeparateParts.text(parts));
        }
        add("");
        for (int rank = report.levels().size() - 1; rank >= 0; rank--) {
            addLevel(report.levels().get(rank));
        }
        addOddities();
        addImport();
        return lines;
    }

    private void addLevel(Level level) {
        boolean leaves = level.rank() == 0;
        StringBuilder each = new StringBuilder();
        addEach(each, "up", level.up(), level.rank() < report.levels().size() - 1);
        addEach(each, "down", level.down(), !leaves);
        addEach(each, "hosts", level.hostsEach(), leaves || level.hosts() > 0);
        String kind = leaves ? "leaves" : "switches";
        String switches = String.format(Locale.ROOT, "%,d %s", level.switches(), kind);
        add("  rank %-2d  %-16s each: %s", level.rank(), switches, each);
        add("           |");
        add(
                leaves ? "           | %,d host ports" : "           | %,d cables",
                leaves ? level.hosts() : level.down().total());
        if (!leaves) {
            add("           |");
        }
    }

    private static void addEach(StringBuilder each, String what, Spread spread, boolean shown) {
        if (shown) {
            String range = spread.least() == spread.most() ? "" + spread.most() : spread.least() + ".." + spread.most();
            each.append(each.isEmpty() ? "" : ", ").append(what).append(' ').append(range);
        }
    }

    private void addOddities() {
        add("");
        addIf(report.unrankedSwitches(), "switches that no leaf reaches");
        addIf(report.cablesInsideRanks(), "cables between switches of the same rank: no legal path uses them");
        addIf(report.cablesAcrossRanks(), "cables across ranks: no legal path uses them");
        List<UpperSwitch> upper = report.upperSwitchesWithHosts();
        addIf(upper.size(), "switches above the leaves have hosts:");
        for (UpperSwitch s : upper.subList(0, Math.min(LISTED_MAX, upper.size()))) {
            add("  %s %s: rank %d, %d hosts", s.guid(), s.name(), s.rank(), s.hosts());
        }
        if (upper.size() > LISTED_MAX) {
            add("  and %,d more", upper.size() - LISTED_MAX);
        }
        report.slowLinks().forEach(ranks -> lines.addAll(ranks.lines()));
    }

    private void addImport() {
        ImportSummary imported = report.imported();
        add(
                "read %,d switches, %,d hosts with %,d cabled ports, %,d cables",
                imported.switchCount(), imported.hostCount(), imported.hostPortCount(), imported.cableCount());
        addIf(imported.aggregationNodeCount(), "aggregation nodes: routed to, not counted as hosts");
        addIf(imported.completedEndCount(), "cable ends completed from the other end");
        addIf(imported.loopBackCount(), "loop-backs left out");
        addIf(imported.undescribedHostCount(), "hosts without a block of their own, taken from their switches");
        addIf(imported.unusableLidCount(), "addresses that are no unicast LID, taken as missing");
        addIf(imported.openEnd() ? 1 : 0, "last line without a line feed, taken as whole");
        addIf(imported.skippedLineCount(), "lines skipped:");
        imported.firstSkipped().forEach(line -> add("  line %d: %s", line.line(), line.reason()));
        if (imported.skippedLineCount() > imported.firstSkipped().size()) {
            add(
                    "  and %,d more",
                    imported.skippedLineCount() - imported.firstSkipped().size());
        }
    }

    private void addIf(int count, String what) {
        if (count > 0) {
            add("%,d %s", count, what);
        }
    }

    private void add(String format, Object... arguments) {
        lines.add(String.format(Locale.ROOT, format, arguments).stripTrailing());
    }
}
