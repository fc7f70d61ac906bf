package io.dmodc.manager.northbound.answer;

import io.dmodc.manager.congestion.MeasuredCongestion;
import io.dmodc.routing.quality.CongestionSummary;
import io.dmodc.topology.Guid;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The congestion risk of the tables of one epoch; 1 is the best there is where a fabric has full bisection.
 *
 * @param unroutedPairs ordered pairs of hosts without a route that arrives; they send nothing
 * @param allToAll highest risk of a port when every host sends to every other
 * @param hottest the ports between switches that bear most in all-to-all traffic
 */
public record CongestionAnswer(
        long epoch,
        long tookMicros,
        long unroutedPairs,
        int allToAll,
        Sampled permutations,
        Sampled shifts,
        List<HotPort> hottest) {
    /**
     * Risk under a sample of patterns.
     *
     * @param count of the sample
     */
    public record Sampled(int count, double mean, int max) {
        static Sampled of(CongestionSummary.Sampled sampled) {
            return new Sampled(sampled.count(), sampled.mean(), sampled.max());
        }
    }

    /** A port, and its risk in all-to-all traffic. */
    public record HotPort(String guid, String name, int port, int flows) {}

    static @Nullable CongestionAnswer of(@Nullable MeasuredCongestion measured) {
        if (measured == null) {
            return null;
        }
        CongestionSummary summary = measured.summary();
        return new CongestionAnswer(
                measured.epoch(),
                measured.nanos() / 1000,
                summary.unroutedPairs(),
                summary.allToAll(),
                Sampled.of(summary.permutations()),
                Sampled.of(summary.shifts()),
                measured.hottest().stream()
                        .map(hot -> new HotPort(Guid.format(hot.guid()), hot.name(), hot.port(), hot.flows()))
                        .toList());
    }
}
