package io.dmodc.ctl.report;

import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A large fabric as a drawing: a box for all switches of one rank in one pod; where even pods are many, neighbouring ones
 * share a box. A box says how many switches it stands for and how many of them are at fault.
 */
final class PodDrawing {
    /** Boxes in a row at most. */
    private static final int BOXES_MAX = 24;

    /** Stands for a pod: switches of a row that are down share a box, the last one. */
    private static final int DOWN = Integer.MAX_VALUE;

    private static final int ROW_GAP = 130;
    private static final int TOP = 40;
    private static final int HEIGHT = 44;

    private static final class Box {
        int pods;
        int switches;
        int down;
        int faults;
        long hosts;
        double at;
        int rank;
    }

    private final FabricView view;
    private final RowOrder order;
    private final Set<Integer> faults;
    private final HtmlBuilder page;
    private final Map<Integer, Box> boxOf = new HashMap<>();
    private final List<List<Box>> rows = new ArrayList<>();

    PodDrawing(ReportAnalysis study, RowOrder order, Set<Integer> faults, HtmlBuilder page) {
        this.view = study.view;
        this.order = order;
        this.faults = faults;
        this.page = page;
        for (int rank = 0; rank < order.rows.size(); rank++) {
            rows.add(boxes(rank));
        }
    }

    /** Leaves are taken by the pod above them, others by the pod they are the top of. */
    private List<Box> boxes(int rank) {
        int podRank = Math.min(Math.max(rank, 1), order.pods.rankMax());
        Map<Integer, List<Integer>> byPod = new LinkedHashMap<>();
        for (int s : order.rows.get(rank)) {
            int pod = view.alive(s) ? order.pods.podOf(podRank, s) : DOWN;
            byPod.computeIfAbsent(pod, p -> new ArrayList<>()).add(s);
        }
        List<Integer> down = byPod.remove(DOWN);
        if (down != null) {
            byPod.put(DOWN, down);
        }
        int each = (byPod.size() + BOXES_MAX - 1) / BOXES_MAX;
        List<Box> row = new ArrayList<>();
        int number = 0;
        for (List<Integer> switches : byPod.values()) {
            if (number++ % Math.max(1, each) == 0) {
                row.add(new Box());
            }
            fill(row.get(row.size() - 1), rank, switches);
        }
        for (int i = 0; i < row.size(); i++) {
            row.get(i).at = (i + 0.5) / row.size();
        }
        return row;
    }

    private void fill(Box box, int rank, List<Integer> switches) {
        box.rank = rank;
        box.pods++;
        box.switches += switches.size();
        for (int s : switches) {
            box.down += view.alive(s) ? 0 : 1;
            box.faults += faults.contains(s) ? 1 : 0;
            box.hosts += RankSummary.hosts(view, s);
            boxOf.put(s, box);
        }
    }

    void draw() {
        int height = TOP + ROW_GAP * (rows.size() - 1) + 70;
        page.raw("<figure><div class=\"scroll\"><svg viewBox=\"0 0 " + FabricDrawing.WIDTH + " " + height
                + "\" role=\"img\" aria-label=\"the pods of the fabric by rank and the cables between them\">\n");
        drawCables();
        rows.forEach(row -> {
            drawRowTitle(row);
            row.forEach(box -> drawBox(box, (FabricDrawing.WIDTH - FabricDrawing.LEFT - 8.0) / row.size()));
        });
        page.raw("</svg></div>\n<figcaption>")
                .text(
                        "Too many switches to draw one by one: a box stands for all switches of one rank in one pod, or in"
                                + " several pods side by side. Leaves at the bottom. Framed boxes hold switches that stand out"
                                + " or are cut off; Cabling and Reachability name them.")
                .raw("</figcaption></figure>\n");
    }

    private void drawCables() {
        Map<List<Integer>, Integer> cables = new TreeMap<>((a, b) -> {
            int first = Integer.compare(a.get(0), b.get(0));
            return first != 0 ? first : Integer.compare(a.get(1), b.get(1));
        });
        List<Box> all = rows.stream().flatMap(List::stream).toList();
        Map<Box, Integer> numbers = new HashMap<>();
        all.forEach(box -> numbers.put(box, numbers.size()));
        for (int s = 0; s < view.switchCount(); s++) {
            for (int group = view.groupStart(s); group < view.groupEnd(s); group++) {
                int far = view.groupRemote(group);
                if (view.isUp(s, far)) {
                    cables.merge(
                            List.of(numbers.get(boxOf.get(s)), numbers.get(boxOf.get(far))),
                            view.groupSize(group),
                            Integer::sum);
                }
            }
        }
        int most = cables.values().stream().mapToInt(Integer::intValue).max().orElse(1);
        cables.forEach((ends, count) -> {
            Box a = all.get(ends.get(0));
            Box b = all.get(ends.get(1));
            page.raw("<path class=\"cable\" stroke-width=\"" + FabricDrawing.round(0.8 + 5.0 * count / most)
                            + "\" d=\"M"
                            + FabricDrawing.round(x(a)) + " " + FabricDrawing.round(y(a)) + "L"
                            + FabricDrawing.round(x(b)) + " "
                            + FabricDrawing.round(y(b)) + "\"><title>")
                    .text(HtmlBuilder.counted(count, "cable", "cables"))
                    .raw("</title></path>\n");
        });
    }

    private void drawRowTitle(List<Box> row) {
        if (!row.isEmpty()) {
            int rank = row.get(0).rank;
            int switches = row.stream().mapToInt(box -> box.switches).sum();
            String y = FabricDrawing.round(y(row.get(0)));
            page.raw("<text x=\"0\" y=\"" + y + "\" font-weight=\"600\">")
                    .text(rank == 0 ? "leaves" : "rank " + rank)
                    .raw("</text><text class=\"soft\" x=\"0\" y=\"" + FabricDrawing.round(y(row.get(0)) + 15) + "\">")
                    .text(HtmlBuilder.number(switches))
                    .raw("</text>\n");
        }
    }

    private void drawBox(Box box, double pitch) {
        double width = Math.min(170, pitch * 0.86);
        String middle = FabricDrawing.round(x(box));
        page.raw("<g><title>")
                .text(HtmlBuilder.counted(box.switches, "switch", "switches") + " in "
                        + HtmlBuilder.counted(box.pods, "pod", "pods") + ", "
                        + HtmlBuilder.counted(box.hosts, "host port", "host ports") + ", " + box.faults + " stand out")
                .raw("</title><rect class=\"" + css(box) + "\" x=\""
                        + FabricDrawing.round(x(box) - width / 2) + "\" y=\""
                        + FabricDrawing.round(y(box) - HEIGHT / 2.0)
                        + "\" width=\"" + FabricDrawing.round(width) + "\" height=\"" + HEIGHT + "\" rx=\"4\"/>");
        text(middle, y(box) + (box.faults > 0 ? -2 : 4), HtmlBuilder.number(box.switches));
        if (box.faults > 0) {
            boolean down = box.down == box.switches;
            text(middle, y(box) + 14, down ? "down" : "! " + HtmlBuilder.number(box.faults));
        }
        if (box.hosts > 0) {
            text(middle, y(box) + HEIGHT / 2.0 + 15, HtmlBuilder.number(box.hosts) + (width > 80 ? " hosts" : ""));
        }
        page.raw("</g>\n");
    }

    private static String css(Box box) {
        if (box.down == box.switches) {
            return "out";
        }
        return box.faults > 0 ? "odd" : "switch";
    }

    private void text(String x, double y, String text) {
        page.raw("<text text-anchor=\"middle\" x=\"" + x + "\" y=\"" + FabricDrawing.round(y) + "\">")
                .text(text)
                .raw("</text>");
    }

    private static double x(Box box) {
        return FabricDrawing.LEFT + box.at * (FabricDrawing.WIDTH - FabricDrawing.LEFT - 8);
    }

    private double y(Box box) {
        return TOP + ROW_GAP * (double) (rows.size() - 1 - box.rank);
    }
}
