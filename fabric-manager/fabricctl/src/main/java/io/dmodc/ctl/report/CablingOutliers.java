package io.dmodc.ctl.report;

import io.dmodc.ctl.report.RankSummary.Spread;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntUnaryOperator;

/**
 * What can be said of cabling without knowing the design: switches that have fewer or more cables or hosts than most of
 * their rank, cables no legal path uses, switches in unusual places.
 */
final class CablingOutliers {
    /** Among so many of a hundred switches that are alike the others stand out. */
    private static final int ALIKE_PERCENT = 60;

    final List<String> lines = new ArrayList<>();

    /** Switch indices that have fewer cables than most of their rank. */
    final TreeSet<Integer> fewer = new TreeSet<>();

    /** These, and all others that may be at fault. */
    final TreeSet<Integer> switches = new TreeSet<>();

    private static final int NAMED = 8;

    private final FabricView view;
    private final SwitchNames names;

    CablingOutliers(FabricView view, SwitchNames names, List<RankSummary> levels) {
        this.view = view;
        this.names = names;
        oddCables();
        oddPlaces();
        for (RankSummary level : levels) {
            unlike(level, level.up(), s -> RankSummary.cables(view, s, 1), "cables up", true);
            unlike(level, level.down(), s -> RankSummary.cables(view, s, -1), "cables down", true);
            if (level.rank() == 0) {
                unlike(level, level.hosts(), s -> RankSummary.hosts(view, s), "host ports", false);
            }
        }
    }

    /** Switches that are alike share a line. Fewer cables than most may be a fault, more or other hosts are not. */
    private void unlike(RankSummary level, Spread spread, IntUnaryOperator count, String what, boolean cables) {
        if (100L * spread.usualCount() < 1L * ALIKE_PERCENT * level.switches().size()) {
            return;
        }
        TreeMap<Integer, List<Integer>> others = new TreeMap<>();
        for (int s : level.switches()) {
            int has = count.applyAsInt(s);
            if (has != spread.usual()) {
                others.computeIfAbsent(has, number -> new ArrayList<>()).add(s);
                if (cables && has < spread.usual()) {
                    switches.add(s);
                    fewer.add(s);
                }
            }
        }
        others.forEach((has, them) -> lines.add(who(level.rank(), them.size()) + " " + has + " "
                + (has == 1 ? what.replaceFirst("s", "") : what) + ", most " + spread.usual() + ": "
                + names.some(them, NAMED)));
    }

    private static String who(int rank, int count) {
        if (rank == 0) {
            return count == 1 ? "1 leaf has" : count + " leaves have";
        }
        return count + (count == 1 ? " switch" : " switches") + " of rank " + rank + (count == 1 ? " has" : " have");
    }

    private static String counted(int count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }

    private void oddCables() {
        for (int s = 0; s < view.switchCount(); s++) {
            for (int port = 1; port <= view.portCount(s); port++) {
                int far = view.peerSwitch(s, port);
                if (far > s && !view.isUp(s, far) && !view.isDown(s, far)) {
                    switches.add(s);
                    switches.add(far);
                    lines.add("cable " + names.port(s, port) + " – " + names.port(far, view.peerPort(s, port))
                            + " leads neither a rank up nor down: no legal path uses it");
                }
            }
        }
    }

    private void oddPlaces() {
        for (int s = 0; s < view.switchCount(); s++) {
            if (!view.alive(s)) {
                switches.add(s);
                lines.add(names.of(s) + " is down");
            } else if (view.rank(s) < 0) {
                switches.add(s);
                lines.add(names.of(s) + " has no cable that leads to a leaf");
            } else if (view.rank(s) > 0 && RankSummary.hosts(view, s) > 0) {
                lines.add(names.of(s) + " is above the leaves and has "
                        + counted(RankSummary.hosts(view, s), "host port"));
            }
        }
    }
}
