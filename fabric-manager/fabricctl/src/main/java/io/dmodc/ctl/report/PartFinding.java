package io.dmodc.ctl.report;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.RoutingResult.Partial;
import io.dmodc.routing.UpperPairs;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.topology.FabricParts;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.design.PartDesign;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a report says of one part of a fabric, of the whole where it is one: its shape and what differs, whom nobody
 * reaches, and how evenly traffic between its own hosts is spread.
 *
 * @param number from 1
 * @param view with the node indices and levels of the whole fabric; its own switch indices
 * @param design the shape it is compared with, drawn without known levels
 * @param cutOffLeaves small set of leaves that each pair of leaves without a path has a member of, or that are down
 * @param upperPairs ordered pairs of switches with hosts, one or both above the leaves, without a path
 * @param unroutable why no tables can be made; empty if they can
 * @param congestion with tables of dmodc; absent without tables and in a fabric of one part, of which the report says more
 */
record PartFinding(
        int number,
        FabricView view,
        PartDesign design,
        List<Integer> cutOffLeaves,
        long unreachableLeafPairs,
        UpperPairs upperPairs,
        String unroutable,
        @Nullable Congestion congestion) {

    /** Studies each part by itself, in the order of {@link FabricParts}. */
    static List<PartFinding> of(ReportInput input, Parallel parallel, WorkProgress watch) {
        FabricView byHops = input.builder().build(0, new NodeIndexMap(), new GuidNumbers());
        List<PartDesign> designs = PartDesign.of(input.builder(), byHops, input.design());
        List<FabricViewBuilder> parts = FabricParts.of(input.builder(), input.view());
        List<PartFinding> found = new ArrayList<>();
        for (int i = 0; i < designs.size(); i++) {
            FabricView view = designs.size() == 1
                    ? input.view()
                    : input.planes().number(parts.get(i).build(input.view().epoch(), input.nodes(), input.levels()));
            FabricView routed = input.routed(view);
            RoutingResult result = Dmodc.standard().route(routed, parallel);
            LftSet tables = designs.size() == 1 ? null : result.tables();
            String who = "part " + (i + 1);
            found.add(new PartFinding(
                    i + 1,
                    view,
                    designs.get(i),
                    result instanceof Partial partial ? List.copyOf(partial.cutOffLeaves()) : List.of(),
                    result instanceof Partial partial ? partial.unreachableLeafPairs() : 0,
                    result instanceof Partial partial ? partial.upperPairs() : UpperPairs.NONE,
                    result instanceof RoutingResult.Unroutable no ? no.reason() : "",
                    tables == null ? null : Congestion.of(who, routed, tables, parallel, watch)));
        }
        return found;
    }

    boolean asDesigned() {
        return design.report() != null && design.report().asDesigned();
    }

    int deviationCount() {
        return design.report() == null ? 0 : design.report().deviationCount();
    }

    /** {@code PGFT(…)}; empty where there is none. */
    String shape() {
        return design.report() == null ? "" : "PGFT(" + design.report().design() + ")";
    }
}
