package io.dmodc.ctl;

import io.dmodc.routing.prediction.CongestionChange;
import io.dmodc.routing.prediction.Prediction;
import io.dmodc.routing.quality.CongestionSummary;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.dmodc.topology.Host;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What {@code what-if} found.
 *
 * @param failed what is imagined to be lost
 * @param cutOffNodes how many nodes lose their paths to others
 * @param cutOff they, by switch
 * @param unreachableLeafPairsBefore ordered pairs of live leaves without a path
 * @param switches that get other entries
 * @param blocks of 64 entries that are rewritten
 * @param verdict any-order, in-rounds or not-provable
 * @param problem why it is not provable; else empty
 * @param congestion {@code null} with --no-congestion
 * @param text the same for people
 */
record WhatIfReport(
        String engine,
        List<String> failed,
        int cutOffNodes,
        List<CutOffSwitch> cutOff,
        long unreachableLeafPairsBefore,
        long unreachableLeafPairs,
        int switches,
        long blocks,
        long entries,
        String verdict,
        int rounds,
        String problem,
        @Nullable Congestion congestion,
        Millis millis,
        List<String> text) {

    record CutOffSwitch(String guid, String name, List<Node> nodes) {}

    record Node(int index, String name) {}

    /** Figures before and after, and the ports that bear most afterwards. */
    record Congestion(Figures before, Figures after, List<HotPort> hottest) {}

    record Figures(int allToAll, double permutationsMean, int permutationsMax, double shiftsMean, int shiftsMax) {
        static Figures of(CongestionSummary summary) {
            return new Figures(
                    summary.allToAll(),
                    summary.permutations().mean(),
                    summary.permutations().max(),
                    summary.shifts().mean(),
                    summary.shifts().max());
        }
    }

    record HotPort(String guid, String name, int port, int before, int after) {}

    /** @param congestion 0 if it was not asked for */
    record Millis(double tables, double change, double congestion) {}

    static WhatIfReport of(String engine, FailedParts failed, Prediction prediction, int threads, Millis millis) {
        FabricView view = prediction.view();
        List<String> text = new ArrayList<>();
        text.add("without " + String.join(", ", failed.names()) + ", by " + engine + ":");
        text.addAll(prediction.text());
        text.add(String.format(
                Locale.ROOT,
                "tables %.0f ms, change %.0f ms, congestion %.0f ms on %d threads",
                millis.tables,
                millis.change,
                millis.congestion,
                threads));
        return new WhatIfReport(
                engine,
                failed.names(),
                prediction.cutOffNodes(),
                prediction.cutOff().stream()
                        .map(each -> new CutOffSwitch(
                                Guid.format(view.switchGuid(each.switchIndex())),
                                view.switchName(each.switchIndex()),
                                each.nodes().stream()
                                        .map(node -> new Node(node, name(view, node)))
                                        .toList()))
                        .toList(),
                prediction.before().unreachableLeafPairs(),
                prediction.after().unreachableLeafPairs(),
                prediction.switches(),
                prediction.blocks(),
                prediction.entries(),
                prediction.plan().verdict().name().toLowerCase(Locale.ROOT).replace('_', '-'),
                prediction.plan().rounds(),
                prediction.plan().problem(),
                congestion(view, prediction.congestion()),
                millis,
                text);
    }

    /** True if nobody is cut off and the change is proven. */
    boolean harmless() {
        return cutOffNodes == 0 && problem.isEmpty();
    }

    private static String name(FabricView view, int node) {
        Host host = view.host(node);
        return host == null ? "node index " + node : host.name();
    }

    private static @Nullable Congestion congestion(FabricView view, @Nullable CongestionChange change) {
        return change == null
                ? null
                : new Congestion(
                        Figures.of(change.before()),
                        Figures.of(change.after()),
                        change.hottest().stream()
                                .map(hot -> new HotPort(
                                        Guid.format(view.switchGuid(hot.switchIndex())),
                                        view.switchName(hot.switchIndex()),
                                        hot.port(),
                                        hot.before(),
                                        hot.after()))
                                .toList());
    }
}
