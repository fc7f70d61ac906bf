package io.dmodc.routing.prediction;

import io.dmodc.routing.Parallel;
import io.dmodc.routing.quality.CongestionRisk;
import io.dmodc.routing.quality.CongestionSummary;
import io.dmodc.routing.quality.CongestionSummary.HotPort;
import io.dmodc.routing.quality.CongestionSummary.Samples;
import io.dmodc.routing.quality.Progress;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.List;

/**
 * How congested a fabric is before and after.
 *
 * @param hottest the ports that bear most in all-to-all traffic afterwards, most first
 */
public record CongestionChange(CongestionSummary before, CongestionSummary after, List<PortChange> hottest) {
    public CongestionChange {
        hottest = List.copyOf(hottest);
    }

    /**
     * A port between switches.
     *
     * @param switchIndex of the view afterwards
     * @param before its risk in all-to-all traffic; 0 if it had no link
     */
    public record PortChange(int switchIndex, int port, int before, int after) {}

    /**
     * Measures both with the same samples. Costs twice what {@link CongestionSummary} does.
     *
     * @param parallel where it is worked on; no figure depends on it
     */
    public static CongestionChange of(RoutedFabric before, RoutedFabric after, Samples samples, Parallel parallel) {
        CongestionRisk was = risk(before, parallel);
        CongestionSummary now = CongestionSummary.of(risk(after, parallel), samples, Progress.NONE);
        FabricView view = after.routed();
        List<PortChange> hottest = new ArrayList<>();
        for (HotPort hot : now.hottest()) {
            int same = before.routed().switchOf(view.switchGuid(hot.switchIndex()));
            hottest.add(new PortChange(hot.switchIndex(), hot.port(), was.allToAll(same, hot.port()), hot.flows()));
        }
        return new CongestionChange(CongestionSummary.of(was, samples, Progress.NONE), now, hottest);
    }

    private static CongestionRisk risk(RoutedFabric fabric, Parallel parallel) {
        return CongestionRisk.of(fabric.routed(), fabric.tables(), parallel, Progress.NONE);
    }
}
