package io.dmodc.ctl.report;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.RoutingResult.Partial;
import io.dmodc.routing.RoutingResult.Unroutable;
import io.dmodc.routing.UpperPairs;
import io.dmodc.routing.check.CheckReport;
import io.dmodc.routing.check.SurplusEntryRule;
import io.dmodc.routing.check.TableCheck;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.design.Deviation;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds out what a report says. Everything that is drawn at random has a fixed seed. */
public final class ReportAnalysis {
    final ReportInput input;
    final FabricView view;
    final SwitchNames names;
    final List<RankSummary> levels;
    final CablingOutliers oddities;

    /** One, or several that were never cabled together. */
    final List<PartFinding> parts;

    /** Leaves that are down or that some other leaf cannot reach. */
    final TreeSet<Integer> cutOff = new TreeSet<>();

    /** Hosts on these. */
    final int cutOffHosts;

    final long unreachableLeafPairs;

    /** The same of pairs with a switch above the leaves that has hosts. */
    final UpperPairs upperPairs;

    /** Why no tables can be made; empty if they can. */
    final String unroutable;

    /** The check of the tables that were given; absent without. */
    final @Nullable CheckReport present;

    /** The check of our own tables; absent if none can be made. */
    final @Nullable CheckReport ours;

    final @Nullable Congestion presentCongestion;
    final @Nullable Congestion ourCongestion;
    final SwitchLosses losses;

    private ReportAnalysis(ReportInput input, Parallel parallel, WorkProgress watch) {
        this.input = input;
        view = input.view();
        names = new SwitchNames(view);
        levels = RankSummary.of(view);
        oddities = new CablingOutliers(view, names, RankSummary.byPart(view, levels));
        parts = PartFinding.of(input, parallel, watch);
        FabricView routed = input.routed(view);
        RoutingResult result = Dmodc.standard().route(routed, parallel);
        unroutable = result instanceof Unroutable no ? no.reason() : "";
        if (result instanceof Partial partial) {
            cutOff.addAll(partial.cutOffLeaves());
        }
        unreachableLeafPairs = result instanceof Partial partial ? partial.unreachableLeafPairs() : 0;
        upperPairs = result instanceof Partial partial ? partial.upperPairs() : UpperPairs.NONE;
        cutOffHosts = cutOff.stream().mapToInt(s -> RankSummary.hosts(view, s)).sum();
        LftSet made = result.tables();
        ours = made == null ? null : TableCheck.check(routed, made, parallel);
        LftSet given = input.tables() == null ? null : input.tables().nodeTables();
        present = given == null ? null : TableCheck.check(view, given, SurplusEntryRule.NOTED, parallel);
        presentCongestion = given == null ? null : Congestion.of(Congestion.PRESENT, view, given, parallel, watch);
        ourCongestion = made == null ? null : Congestion.of("dmodc", routed, made, parallel, watch);
        losses = watch.during("losses", progress -> SwitchLosses.of(input, cutOff, parallel, progress));
    }

    /**
     * Studies a fabric.
     *
     * @param parallel where the work runs; what is found does not depend on it
     * @param watch hears of the long parts
     */
    public static ReportAnalysis of(ReportInput input, Parallel parallel, WorkProgress watch) {
        return new ReportAnalysis(input, parallel, watch);
    }

    /** Of all parts. */
    List<Deviation> deviations() {
        return parts.stream()
                .flatMap(part ->
                        part.design().report() == null ? Stream.empty() : part.design().report().deviations().stream())
                .toList();
    }
}
