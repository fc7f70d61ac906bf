package io.dmodc.ctl.report;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.quality.CongestionRisk;
import io.dmodc.routing.quality.PatternRisk;
import io.dmodc.routing.quality.PortRisk;
import io.dmodc.routing.quality.PortStage;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.List;

/**
 * How evenly tables spread traffic, as {@code fabricctl quality} measures it.
 *
 * @param who made the tables
 * @param permutations how many random permutations were looked at
 * @param shifts how many shifts were looked at
 * @param allShifts true if these were all there are
 * @param stages the same figures for each direction and rank
 * @param hottest the ports that bear most
 * @param asHot how many bear as much as the first of them
 */
record Congestion(
        String who,
        int nodes,
        long pairs,
        long unroutedPairs,
        int permutations,
        int shifts,
        boolean allShifts,
        Figures whole,
        List<StageFigures> stages,
        List<PortRisk> hottest,
        long asHot) {
    /** Who made the tables that the fabric has. */
    static final String PRESENT = "present tables";

    /** Larger fabrics are looked at with fewer patterns. */
    private static final int SMALL_NODES = 8_192;

    private static final int PERMUTATIONS = 1_000;
    private static final int PERMUTATIONS_LARGE = 100;

    /** Of a small fabric all shifts are looked at. */
    private static final int SHIFTS_LARGE = 500;

    private static final int HOTTEST = 10;
    private static final long SEED = 1;

    /**
     * @param allToAll worst port when every node sends to every other
     * @param permutations median over the permutations of the worst port
     * @param shiftsMax worst port of the worst shift
     * @param shiftsMean mean over the shifts of the worst port
     */
    record Figures(int allToAll, int permutations, int shiftsMax, double shiftsMean) {}

    record StageFigures(PortStage stage, Figures figures) {}

    static Congestion of(String who, FabricView view, LftSet tables, Parallel parallel, WorkProgress watch) {
        CongestionRisk risk =
                watch.during(who + ": all-to-all", progress -> CongestionRisk.of(view, tables, parallel, progress));
        boolean all = risk.nodeCount() <= SMALL_NODES;
        int count = all ? PERMUTATIONS : PERMUTATIONS_LARGE;
        PatternRisk drawn = watch.during(who + ": permutations", progress -> risk.permutations(count, SEED, progress));
        PatternRisk shifted = watch.during(
                who + ": shifts", progress -> all ? risk.shifts(progress) : risk.shifts(SHIFTS_LARGE, SEED, progress));
        List<StageFigures> stages = new ArrayList<>();
        for (int i = 0; i < risk.stages().size() - 1; i++) {
            stages.add(new StageFigures(
                    risk.stages().get(i),
                    new Figures(
                            risk.allToAll(i),
                            drawn.stage(i).median(),
                            shifted.stage(i).max(),
                            shifted.stage(i).mean())));
        }
        List<PortRisk> ports = risk.worstPorts(drawn, shifted, HOTTEST);
        return new Congestion(
                who,
                risk.nodeCount(),
                risk.pairs(),
                risk.unroutedPairs(),
                drawn.patternCount(),
                shifted.patternCount(),
                all,
                figures(risk, drawn, shifted),
                List.copyOf(stages),
                ports,
                ports.isEmpty() ? 0 : risk.portsAsBad(ports.get(0), shifted));
    }

    boolean present() {
        return who.equals(PRESENT);
    }

    static Figures figures(CongestionRisk risk, PatternRisk drawn, PatternRisk shifted) {
        return new Figures(
                risk.allToAll(),
                drawn.whole().median(),
                shifted.whole().max(),
                shifted.whole().mean());
    }
}
