package io.dmodc.ctl.report;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.dmodc.topology.design.Deviation;
import io.dmodc.topology.design.Deviation.End;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The fabric as a drawing, a row a rank, the leaves at the bottom: each switch and bundle of cables where that stays
 * legible, else pods ({@link PodDrawing}). Faults are marked; a name shows where the pointer rests, and beside the switch
 * where there is room.
 */
final class FabricDrawing {
    /** Switches drawn one by one at most, in all and in a row. */
    private static final int DETAIL_MAX = 220;

    private static final int ROW_MAX = 130;

    static final int WIDTH = 1200;
    static final int LEFT = 96;
    private static final int ROW_GAP = 150;
    private static final int TOP = 34;
    private static final double BOX_MAX = 30;
    private static final int BOX_HEIGHT = 18;

    /** Width a name needs. */
    private static final double NAMED_PITCH = 58;

    private final ReportAnalysis study;
    private final FabricView view;
    private final HtmlBuilder page;
    private final RowOrder order;
    private final Map<Integer, String> faults = new HashMap<>();

    private FabricDrawing(ReportAnalysis study, HtmlBuilder page) {
        this.study = study;
        this.view = study.view;
        this.page = page;
        this.order = new RowOrder(view);
        study.oddities.switches.forEach(s -> faults.put(s, "odd"));
        study.deviations().forEach(this::mark);
        study.cutOff.forEach(s -> faults.put(s, "out"));
        for (int s = 0; s < view.switchCount(); s++) {
            if (!view.alive(s)) {
                faults.put(s, "out");
            }
        }
    }

    /** Where a switch is at fault as a whole, not one of its cables. */
    private void mark(Deviation deviation) {
        switch (deviation.kind()) {
            case SWITCH_UNCABLED, SWITCH_AT_WRONG_LEVEL, SWITCH_EXTRA, HOSTS_UNEQUAL -> {
                int s = deviation.ends().isEmpty()
                        ? -1
                        : view.switchOf(deviation.ends().get(0).guid());
                if (s >= 0) {
                    faults.put(s, "odd");
                }
            }
            default -> {
                // Faults of cables are drawn as lines.
            }
        }
    }

    static void draw(ReportAnalysis study, HtmlBuilder page) {
        if (study.view.rankMax() < 0) {
            page.paragraph("No switch has hosts, so there are no ranks to draw.");
            return;
        }
        FabricDrawing drawing = new FabricDrawing(study, page);
        boolean detail = study.view.switchCount() <= DETAIL_MAX
                && drawing.order.rows.stream().allMatch(row -> row.size() <= ROW_MAX);
        if (detail) {
            drawing.drawSwitches();
        } else {
            new PodDrawing(study, drawing.order, Set.copyOf(drawing.faults.keySet()), page).draw();
        }
    }

    private void drawSwitches() {
        int height = TOP + ROW_GAP * (order.rows.size() - 1) + 70;
        page.raw("<figure><div class=\"scroll\"><svg viewBox=\"0 0 " + WIDTH + " " + height
                + "\" role=\"img\" aria-label=\"the switches by rank and the cables between them\">\n");
        for (int rank = 0; rank < order.rows.size(); rank++) {
            order.rows.get(rank).forEach(this::drawBundles);
        }
        drawCableFaults();
        for (int rank = 0; rank < order.rows.size(); rank++) {
            drawRow(rank);
        }
        page.raw("</svg></div>\n<figcaption>")
                .text(
                        "Leaves at the bottom, with the number of their host ports; a line is all cables between two switches."
                                + legend())
                .raw("</figcaption></figure>\n");
    }

    private String legend() {
        StringBuilder legend = new StringBuilder();
        if (faults.containsValue("out")) {
            legend.append(" Crossed out: cut off or down.");
        }
        if (faults.containsValue("odd")) {
            legend.append(" Framed: stands out, see Cabling.");
        }
        if (!study.deviations().isEmpty()) {
            legend.append(" Thick: a cable where none belongs. Dashed: a cable lacks.");
        }
        return legend.toString();
    }

    private double x(int s) {
        return LEFT + order.at[s] * (WIDTH - LEFT - 8);
    }

    private double y(int s) {
        return TOP + ROW_GAP * (double) (order.rows.size() - 1 - view.rank(s));
    }

    static String round(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    private void drawBundles(int s) {
        for (int group = view.groupStart(s); group < view.groupEnd(s); group++) {
            int far = view.groupRemote(group);
            if (far > s && view.rank(far) >= 0) {
                double width = Math.min(4, 0.7 + 0.3 * view.groupSize(group));
                line(s, far, "cable\" stroke-width=\"" + round(width));
            }
        }
    }

    /** Between two of the same rank in a curve, which a straight line through their row would hide. */
    private void line(int a, int b, String css) {
        String start = "M" + round(x(a)) + " " + round(y(a));
        String end = round(x(b)) + " " + round(y(b));
        String by = view.rank(a) == view.rank(b)
                ? "Q" + round((x(a) + x(b)) / 2) + " " + round(y(a) - 60) + " " + end
                : "L" + end;
        page.raw("<path class=\"" + css + "\" d=\"" + start + by + "\"/>\n");
    }

    private void drawCableFaults() {
        Set<String> drawn = new HashSet<>();
        for (Deviation deviation : study.deviations()) {
            List<End> ends = deviation.ends();
            switch (deviation.kind()) {
                case CABLES_SWAPPED -> {
                    faultLine(ends, 0, 1, "wrong", drawn);
                    faultLine(ends, 2, 3, "wrong", drawn);
                }
                case CABLE_MISPLACED -> {
                    faultLine(ends, 0, 1, "wrong", drawn);
                    faultLine(ends, 0, 2, "lacking", drawn);
                }
                case CABLE_EXTRA -> faultLine(ends, 0, 1, "wrong", drawn);
                case CABLE_MISSING -> faultLine(ends, 0, 1, "lacking", drawn);
                case BUNDLE_UNEQUAL ->
                    faultLine(ends, 0, 1, deviation.have() < deviation.expected() ? "lacking" : "wrong", drawn);
                default -> {
                    // Faults of switches are drawn as frames.
                }
            }
        }
    }

    private void faultLine(List<End> ends, int a, int b, String css, Set<String> drawn) {
        int from = a < ends.size() ? view.switchOf(ends.get(a).guid()) : -1;
        int to = b < ends.size() ? view.switchOf(ends.get(b).guid()) : -1;
        if (from >= 0 && to >= 0 && view.rank(from) >= 0 && view.rank(to) >= 0 && drawn.add(from + " " + to + css)) {
            line(from, to, css);
        }
    }

    private void drawRow(int rank) {
        List<Integer> row = order.rows.get(rank);
        double pitch = (WIDTH - LEFT - 8.0) / Math.max(1, row.size());
        double box = Math.min(BOX_MAX, pitch * 0.72);
        if (!row.isEmpty()) {
            double y = y(row.get(0));
            page.raw("<text x=\"0\" y=\"" + round(y) + "\" font-weight=\"600\">");
            page.text(rank == 0 ? "leaves" : "rank " + rank);
            page.raw("</text><text class=\"soft\" x=\"0\" y=\"" + round(y + 15) + "\">");
            page.text(HtmlBuilder.counted(row.size(), "switch", "switches")).raw("</text>\n");
        }
        row.forEach(s -> drawSwitch(s, box, pitch));
    }

    private void drawSwitch(int s, double box, double pitch) {
        double left = x(s) - box / 2;
        double top = y(s) - BOX_HEIGHT / 2.0;
        String css = faults.getOrDefault(s, "switch");
        page.raw("<g><title>")
                .text(title(s))
                .raw("</title><rect class=\"" + css + "\" x=\"" + round(left) + "\" y=\"" + round(top) + "\" width=\""
                        + round(box) + "\" height=\"" + BOX_HEIGHT + "\" rx=\"2\"/>");
        if (css.equals("out")) {
            page.raw("<path class=\"cross\" d=\"M" + round(left) + " " + round(top) + "l" + round(box) + " "
                    + BOX_HEIGHT + "m0 -" + BOX_HEIGHT + "l-" + round(box) + " " + BOX_HEIGHT + "\"/>");
        }
        int hosts = RankSummary.hosts(view, s);
        if (hosts > 0 && pitch >= 11) {
            small(s, y(s) + 23, 9, Integer.toString(hosts));
        }
        if (pitch >= NAMED_PITCH) {
            small(s, hosts > 0 ? y(s) + 36 : y(s) - 14, 11, shortened(view.switchName(s), (int) (pitch / 6.6)));
        }
        page.raw("</g>\n");
    }

    private void small(int s, double y, int size, String text) {
        page.raw("<text text-anchor=\"middle\" font-size=\"" + size + "\" x=\"" + round(x(s)) + "\" y=\"" + round(y)
                        + "\">")
                .text(text)
                .raw("</text>");
    }

    private static String shortened(String name, int most) {
        return name.codePointCount(0, name.length()) <= most
                ? name
                : name.substring(0, name.offsetByCodePoints(0, Math.max(1, most - 1))) + "…";
    }

    private String title(int s) {
        return study.names.of(s) + ", " + Guid.format(view.switchGuid(s)) + ", rank " + view.rank(s) + ", "
                + RankSummary.cables(view, s, 1) + " cables up, " + RankSummary.cables(view, s, -1) + " down, "
                + HtmlBuilder.counted(RankSummary.hosts(view, s), "host port", "host ports")
                + (faults.getOrDefault(s, "").equals("out") ? ", cut off or down" : "");
    }
}
