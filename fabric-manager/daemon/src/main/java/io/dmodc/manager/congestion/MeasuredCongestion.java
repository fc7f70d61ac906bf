package io.dmodc.manager.congestion;

import io.dmodc.routing.quality.CongestionSummary;
import io.dmodc.topology.FabricView;
import java.util.List;

/**
 * The congestion risk of the tables of one epoch.
 *
 * @param nanos that the measurement took
 * @param hottest those of the summary, by what people call them
 */
public record MeasuredCongestion(long epoch, long nanos, CongestionSummary summary, List<NamedPort> hottest) {
    public MeasuredCongestion {
        hottest = List.copyOf(hottest);
    }

    /** A port between switches, and its risk in all-to-all traffic. */
    public record NamedPort(long guid, String name, int port, int flows) {}

    /** @param view whose switches the summary is about */
    static MeasuredCongestion of(FabricView view, CongestionSummary summary, long nanos) {
        List<NamedPort> named = summary.hottest().stream()
                .map(hot -> new NamedPort(
                        view.switchGuid(hot.switchIndex()),
                        view.switchName(hot.switchIndex()),
                        hot.port(),
                        hot.flows()))
                .toList();
        return new MeasuredCongestion(view.epoch(), nanos, summary, named);
    }
}
