package io.dmodc.ctl;

import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.RoutingResult.Partial;
import io.dmodc.routing.RoutingResult.Unroutable;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A routing in numbers; the JSON of {@code route --format json}.
 *
 * @param result complete, partial or unroutable
 * @param nodes entries of each table
 * @param parts switches of each part of the fabric, where there are several that were never cabled together; left out else
 * @param failedSwitches taken out of the fabric before, as asked
 * @param failedLinks taken out of the fabric before, as asked
 * @param routeMillis wall time of the tables towards nodes, first run of a cold process
 * @param cutOffLeaves dead leaves, and a small set of live ones that every pair without a path has a member of
 * @param unreachableLeafPairs ordered pairs of live leaves without a path
 * @param upperPairs the same of pairs with a switch above the leaves that has hosts; left out where there are none
 */
record RouteReport(
        String engine,
        int threads,
        String result,
        int switches,
        int leaves,
        int nodes,
        int links,
        @Nullable List<Integer> parts,
        int failedSwitches,
        int failedLinks,
        double routeMillis,
        List<Leaf> cutOffLeaves,
        long unreachableLeafPairs,
        @Nullable UpperPairsAnswer upperPairs) {
    private static final int LISTED_MAX = 20;

    record Leaf(String guid, String name) {}

    static RouteReport of(String engine, int threads, Fabric fabric, RoutingResult result, double millis) {
        FabricView view = fabric.view();
        List<Integer> cutOff = result instanceof Partial partial ? partial.cutOffLeaves() : List.of();
        return new RouteReport(
                engine,
                threads,
                result instanceof Unroutable ? "unroutable" : result instanceof Partial ? "partial" : "complete",
                view.switchCount(),
                view.leafCount(),
                view.nodeCount(),
                view.linkCount(),
                SeparateParts.sizes(view),
                fabric.damage().switches().size(),
                fabric.damage().cables().size(),
                Math.round(millis * 1000) / 1000.0,
                cutOff.stream()
                        .map(s -> new Leaf(Guid.format(view.switchGuid(s)), view.switchName(s)))
                        .toList(),
                result instanceof Partial partial ? partial.unreachableLeafPairs() : 0,
                result instanceof Partial partial ? UpperPairsAnswer.of(view, partial.upperPairs()) : null);
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%s: %,d switches x %,d nodes over %,d links in %.1f ms on %d threads: %s",
                engine,
                switches,
                nodes,
                links,
                routeMillis,
                threads,
                result));
        if (parts != null) {
            lines.add(SeparateParts.text(parts) + "; each is routed by itself");
        }
        if (!cutOffLeaves.isEmpty()) {
            lines.add(String.format(
                    Locale.ROOT,
                    "%,d leaves are cut off, %,d ordered leaf pairs have no path:",
                    cutOffLeaves.size(),
                    unreachableLeafPairs));
            cutOffLeaves.stream().limit(LISTED_MAX).forEach(leaf -> lines.add("  " + leaf.guid() + " " + leaf.name()));
            if (cutOffLeaves.size() > LISTED_MAX) {
                lines.add("  and " + (cutOffLeaves.size() - LISTED_MAX) + " more");
            }
        }
        if (upperPairs != null) {
            lines.add(upperPairs.text());
        }
        return lines;
    }
}
