package io.dmodc.ctl;

import io.dmodc.ctl.client.TextTable;
import io.dmodc.routing.throughput.Throughput;
import java.util.List;
import java.util.Locale;

/**
 * What tables carry of a pattern, as flows: an element of {@code throughput} in {@code quality --format json}.
 *
 * @param offered what each node asks for, of what its link carries, as are all rates
 * @param flows ordered pairs of nodes that send
 * @param unroutedFlows those whose packets do not arrive; their rate is 0
 * @param maxChannelLoad of the fullest channel between switches if all send at rate 1
 * @param saturation highest rate of all nodes at which no channel is more than full; at most 1
 * @param mean max-min fair rate of a node, mean of all
 * @param min the lowest of these
 */
record PatternThroughput(
        String pattern,
        double offered,
        long flows,
        long unroutedFlows,
        double maxChannelLoad,
        double saturation,
        double mean,
        double min,
        double millis) {

    static PatternThroughput of(Throughput found, double millis) {
        return new PatternThroughput(
                found.pattern(),
                found.offered().toDouble(),
                found.flows(),
                found.unroutedFlows(),
                found.maxChannelLoad().toDouble(),
                found.saturation().toDouble(),
                found.mean().toDouble(),
                found.min().toDouble(),
                millis);
    }

    static TextTable table(List<PatternThroughput> rows) {
        TextTable table = new TextTable(
                "throughput",
                "offered",
                "flows",
                "unrouted",
                "channel load (max)",
                "saturation",
                "mean",
                "min",
                "took");
        for (PatternThroughput row : rows) {
            table.row(
                    row.pattern,
                    figure("%.3f", row.offered),
                    row.flows,
                    row.unroutedFlows,
                    figure("%.4f", row.maxChannelLoad),
                    figure("%.4f", row.saturation),
                    figure("%.4f", row.mean),
                    figure("%.4f", row.min),
                    figure("%.0f ms", row.millis));
        }
        return table;
    }

    private static String figure(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
