package io.dmodc.ctl.report;

import io.dmodc.ctl.report.Level.Spread;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.IntUnaryOperator;

/**
 * What can be said of cabling without knowing the design: switches that have fewer or more cables or hosts than most of
 * their rank, cables no legal path uses, switches in unusual places.
 */
final class Oddities {
    /** Among so many of a hundred switches that are alike the others stand out. */
    private static final int ALIKE_PERCENT = 60;

    final List<String> lines = new ArrayList<>();

    /** Switch indices that stand out. */
    final TreeSet<Integer> switches = new TreeSet<>();

    private final FabricView view;
    private final SwitchNames names;

    Oddities(FabricView view, SwitchNames names, List<Level> levels) {
        this.view = view;
        this.names = names;
        oddCables();
        oddPlaces();
        for (Level level : levels) {
            String most = level.rank() == 0 ? "most leaves have " : "most of rank " + level.rank() + " have ";
            unlike(level, level.up(), s -> Level.cables(view, s, 1), " up", most);
            unlike(level, level.down(), s -> Level.cables(view, s, -1), " down", most);
            if (level.rank() == 0) {
                unlikeHosts(level, most);
            }
        }
    }

    private void unlike(Level level, Spread spread, IntUnaryOperator count, String what, String most) {
        if (spread.least() == spread.most()
                || 100L * spread.usualCount()
                        < 1L * ALIKE_PERCENT * level.switches().size()) {
            return;
        }
        for (int s : level.switches()) {
            int has = count.applyAsInt(s);
            if (has != spread.usual()) {
                switches.add(s);
                lines.add(names.of(s) + " has " + counted(has, "cable") + what + "; " + most + spread.usual());
            }
        }
    }

    private void unlikeHosts(Level level, String most) {
        Spread spread = level.hosts();
        if (100L * spread.usualCount() >= 1L * ALIKE_PERCENT * level.switches().size()) {
            for (int s : level.switches()) {
                int has = Level.hosts(view, s);
                if (has != spread.usual()) {
                    lines.add(names.of(s) + " has " + counted(has, "host port") + "; " + most + spread.usual());
                }
            }
        }
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
            } else if (view.rank(s) > 0 && view.targetOfSwitch(s) >= 0) {
                lines.add(names.of(s) + " is above the leaves and has " + counted(Level.hosts(view, s), "host port"));
            }
        }
    }
}
