package io.dmodc.ctl;

import io.dmodc.ctl.client.TextTable;
import io.dmodc.routing.quality.CongestionRisk;
import io.dmodc.routing.quality.FlowRisk;
import io.dmodc.routing.quality.PatternRisk;
import io.dmodc.routing.quality.PortRisk;
import io.dmodc.routing.quality.PortStage;
import io.dmodc.routing.quality.PortStage.Direction;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The congestion risk of tables; the JSON of {@code quality --format json}.
 *
 * @param engine who made the tables: an engine, or the file they came from
 * @param nodes that take part: they have a host on a live switch
 * @param absentNodes node indices that take no part
 * @param parts switches of each part of the fabric, where there are several that were never cabled together; left out else
 * @param failedSwitches taken out of the fabric before, as asked
 * @param failedLinks taken out of the fabric before, as asked
 * @param pairs ordered pairs of nodes
 * @param unroutedPairs those whose route does not arrive; they send nothing
 * @param permutations how many were drawn
 * @param shifts how many were looked at
 * @param shiftsSampled false if these were all there are
 * @param a2a risk when every node sends to every other; absent if not asked for
 * @param a2aLeast the same at least, whatever tables there are
 * @param a2aFlows what a flow meets then
 * @param rp median risk of the permutations; absent if none were drawn, as are the other figures of patterns
 * @param rpLeast the same at least, whatever tables bring the same flows to their destinations
 * @param rpFlows what a flow of them meets
 * @param spMax highest risk of a shift
 * @param spWorstShift the first shift of risk {@code spMax}
 * @param spMean mean risk of the shifts
 * @param spMaxLeast {@code spMax} at least, whatever tables bring the same flows to their destinations
 * @param spMeanLeast {@code spMean} at least, likewise
 * @param spFlows what a flow of them meets
 * @param stages the same for the ports of one direction between two ranks, in the order packets meet them
 * @param worstPorts the ports between switches that bear most under shifts, and of those under all-to-all traffic
 * @param worstPortCount how many ports bear as much as the first of these
 * @param throughput of the patterns it was asked of, in their order; absent if of none
 */
record QualityReport(
        String engine,
        int switches,
        int nodes,
        int absentNodes,
        @Nullable List<Integer> parts,
        int failedSwitches,
        int failedLinks,
        long pairs,
        long unroutedPairs,
        int permutations,
        int shifts,
        boolean shiftsSampled,
        @Nullable Integer a2a,
        @Nullable Integer a2aLeast,
        @Nullable FlowsMeet a2aFlows,
        @Nullable Integer rp,
        @Nullable Integer rpLeast,
        @Nullable FlowsMeet rpFlows,
        @Nullable Integer spMax,
        @Nullable Integer spWorstShift,
        @Nullable Double spMean,
        @Nullable Integer spMaxLeast,
        @Nullable Double spMeanLeast,
        @Nullable FlowsMeet spFlows,
        List<StageRisk> stages,
        List<Port> worstPorts,
        long worstPortCount,
        Millis millis,
        @Nullable List<PatternThroughput> throughput) {
    private static final int WORST_MAX = 10;
    private static final String NONE = "–";

    /**
     * The highest risk of the ports on the ways of flows.
     *
     * @param flows that arrive, of all patterns
     * @param mean over them
     * @param shared share of them that meet {@value FlowRisk#SHARED} or more, 0..1
     */
    record FlowsMeet(long flows, double mean, double shared) {
        static FlowsMeet of(FlowRisk flows) {
            return new FlowsMeet(flows.flows(), flows.mean(), flows.sharedShare());
        }

        private void row(TextTable table, String traffic) {
            table.row(
                    traffic,
                    flows,
                    String.format(Locale.ROOT, "%.2f", mean),
                    String.format(Locale.ROOT, "%.1f", 100 * shared));
        }
    }

    /** @param fromRank absent for ports to hosts, and for ports that lead neither a rank up nor down */
    record StageRisk(
            Direction direction,
            @Nullable Integer fromRank,
            @Nullable Integer toRank,
            int ports,
            @Nullable Integer a2a,
            @Nullable Integer rp,
            @Nullable Integer spMax,
            @Nullable Double spMean) {
        private String name() {
            return name(direction, fromRank, toRank);
        }

        static String name(Direction direction, @Nullable Integer fromRank, @Nullable Integer toRank) {
            return switch (direction) {
                case UP -> "up, rank " + fromRank + " to " + toRank;
                case DOWN -> "down, rank " + fromRank + " to " + toRank;
                case ACROSS -> "across, against the ranks";
                case TO_HOST -> "to hosts";
            };
        }
    }

    /**
     * A port between switches.
     *
     * @param sources nodes that send through it when every node sends to every other
     * @param destinations nodes that are sent to through it then; {@code a2a} is the smaller of both
     * @param rpMax highest risk under a permutation
     * @param spMax highest risk under a shift
     */
    record Port(
            String guid,
            String name,
            int port,
            String peerGuid,
            String peerName,
            int peerPort,
            Direction direction,
            int sources,
            int destinations,
            @Nullable Integer a2a,
            @Nullable Integer rpMax,
            @Nullable Integer spMax) {}

    /** Wall time of the parts, first run of a cold process; {@code tables} is for making or reading them. */
    record Millis(double tables, double allToAll, double permutations, double shifts, int threads) {}

    static QualityReport of(
            Fabric fabric,
            String engine,
            CongestionRisk risk,
            @Nullable AllToAllStudy allToAll,
            PatternStudy permutations,
            PatternStudy shifts,
            Millis millis) {
        FabricView view = fabric.view();
        PatternRisk drawn = permutations.risk();
        PatternRisk shifted = shifts.risk();
        boolean anyDrawn = drawn.patternCount() > 0;
        boolean anyShifted = shifted.patternCount() > 0;
        List<PortRisk> ports = risk.worstPorts(drawn, shifted, WORST_MAX);
        return new QualityReport(
                engine,
                view.switchCount(),
                risk.nodeCount(),
                risk.absentNodeCount(),
                SeparateParts.sizes(view),
                fabric.damage().switches().size(),
                fabric.damage().cables().size(),
                risk.pairs(),
                risk.unroutedPairs(),
                drawn.patternCount(),
                shifted.patternCount(),
                shifted.patternCount() < risk.nodeCount() - 1,
                allToAll != null ? allToAll.risk() : null,
                allToAll != null ? allToAll.least() : null,
                allToAll != null ? FlowsMeet.of(allToAll.flows()) : null,
                anyDrawn ? drawn.whole().median() : null,
                anyDrawn ? permutations.least().median() : null,
                anyDrawn ? FlowsMeet.of(permutations.flows()) : null,
                anyShifted ? shifted.whole().max() : null,
                anyShifted ? shifted.number(shifted.whole().worst()) : null,
                anyShifted ? shifted.whole().mean() : null,
                anyShifted ? shifts.least().max() : null,
                anyShifted ? shifts.least().mean() : null,
                anyShifted ? FlowsMeet.of(shifts.flows()) : null,
                stages(allToAll != null, risk, drawn, shifted),
                ports.stream()
                        .map(port -> port(view, allToAll != null, risk, port, drawn, shifted))
                        .toList(),
                ports.isEmpty() ? 0 : risk.portsAsBad(ports.get(0), shifted),
                millis,
                null);
    }

    /** Of tables that no congestion risk is defined for: what patterns they carry alone. */
    static QualityReport ofThroughput(
            Fabric fabric,
            String engine,
            int nodes,
            long unroutedPairs,
            Millis millis,
            List<PatternThroughput> throughput) {
        return new QualityReport(
                engine,
                fabric.view().switchCount(),
                nodes,
                fabric.view().nodeCount() - fabric.view().aggregationCount() - nodes,
                SeparateParts.sizes(fabric.view()),
                fabric.damage().switches().size(),
                fabric.damage().cables().size(),
                (long) nodes * Math.max(0, nodes - 1),
                unroutedPairs,
                0,
                0,
                false,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                List.of(),
                List.of(),
                0,
                millis,
                throughput);
    }

    /** The same, and what patterns were carried. */
    QualityReport with(List<PatternThroughput> carried) {
        return new QualityReport(
                engine,
                switches,
                nodes,
                absentNodes,
                parts,
                failedSwitches,
                failedLinks,
                pairs,
                unroutedPairs,
                permutations,
                shifts,
                shiftsSampled,
                a2a,
                a2aLeast,
                a2aFlows,
                rp,
                rpLeast,
                rpFlows,
                spMax,
                spWorstShift,
                spMean,
                spMaxLeast,
                spMeanLeast,
                spFlows,
                stages,
                worstPorts,
                worstPortCount,
                millis,
                carried);
    }

    private static List<StageRisk> stages(
            boolean allToAll, CongestionRisk risk, PatternRisk drawn, PatternRisk shifted) {
        List<StageRisk> stages = new ArrayList<>();
        for (int i = 0; i < risk.stages().size(); i++) {
            PortStage stage = risk.stages().get(i);
            boolean ranked = stage.fromRank() >= 0;
            boolean shifts = shifted.patternCount() > 0;
            stages.add(new StageRisk(
                    stage.direction(),
                    ranked ? stage.fromRank() : null,
                    ranked ? stage.toRank() : null,
                    stage.ports(),
                    allToAll ? risk.allToAll(i) : null,
                    drawn.patternCount() > 0 ? drawn.stage(i).median() : null,
                    shifts ? shifted.stage(i).max() : null,
                    shifts ? shifted.stage(i).mean() : null));
        }
        return stages;
    }

    private static Port port(
            FabricView view,
            boolean allToAll,
            CongestionRisk risk,
            PortRisk port,
            PatternRisk drawn,
            PatternRisk shifted) {
        return new Port(
                Guid.format(view.switchGuid(port.switchIndex())),
                view.switchName(port.switchIndex()),
                port.port(),
                Guid.format(view.switchGuid(port.peerSwitch())),
                view.switchName(port.peerSwitch()),
                port.peerPort(),
                risk.stages().get(port.stage()).direction(),
                port.sources(),
                port.destinations(),
                allToAll ? port.allToAll() : null,
                drawn.patternCount() > 0 ? port.permutations() : null,
                shifted.patternCount() > 0 ? port.shifts() : null);
    }

    void print(PrintWriter out) {
        boolean risks = a2a != null || permutations > 0 || shifts > 0 || throughput == null;
        out.println(String.format(
                Locale.ROOT, "%s: %,d switches, %,d nodes%s", engine, switches, nodes, risks ? patterns() : ""));
        if (absentNodes > 0) {
            out.println(absentNodes + " node indices have no host on a live switch and take no part");
        }
        if (parts != null) {
            out.println(SeparateParts.text(parts) + "; pairs of nodes of two of them have no route");
        }
        if (unroutedPairs > 0) {
            out.println(String.format(
                    Locale.ROOT, "%,d of %,d ordered pairs of nodes have no route that arrives", unroutedPairs, pairs));
        }
        if (risks) {
            out.println();
            printRisks(out);
        }
        if (throughput != null) {
            out.println();
            PatternThroughput.table(throughput).print(out);
        }
        out.println();
        out.println(String.format(
                Locale.ROOT,
                "tables %.0f ms, all-to-all %.0f ms, permutations %.0f ms, shifts %.0f ms on %d threads",
                millis.tables,
                millis.allToAll,
                millis.permutations,
                millis.shifts,
                millis.threads));
    }

    private void printRisks(PrintWriter out) {
        stageTable().print(out);
        if (a2a != null && a2aLeast != null) {
            printLeast(out, "all-to-all", a2a, a2aLeast);
        }
        if (rp != null && rpLeast != null) {
            printLeast(out, "permutations (median)", rp, rpLeast);
        }
        if (spMean != null && spMeanLeast != null) {
            printLeast(out, "shifts (mean)", spMean, spMeanLeast);
        }
        if (a2aFlows != null || rpFlows != null || spFlows != null) {
            out.println();
            flowTable().print(out);
        }
        if (!worstPorts.isEmpty()) {
            out.println();
            portTable().print(out);
            if (worstPortCount > worstPorts.size()) {
                out.println("and " + (worstPortCount - worstPorts.size()) + " more that bear as much as the first");
            }
        }
    }

    /** @param least 0 where nothing is sent */
    private static void printLeast(PrintWriter out, String figure, double risk, double least) {
        if (least > 0) {
            out.println(String.format(
                    Locale.ROOT,
                    "%s: %.2f times the least that the cuts of this fabric allow, %.2f",
                    figure,
                    risk / least,
                    least));
        }
    }

    private String patterns() {
        String which = shiftsSampled ? String.format(Locale.ROOT, " of %,d shifts (a sample)", nodes - 1) : " shifts";
        return String.format(Locale.ROOT, ", %,d permutations, %,d%s", permutations, shifts, which);
    }

    private TextTable stageTable() {
        TextTable table = new TextTable(
                "congestion risk", "ports", "all-to-all", "permutations (median)", "shifts (max)", "shifts (mean)");
        int ports = stages.stream().mapToInt(StageRisk::ports).sum();
        table.row("whole fabric", ports, cell(a2a), cell(rp), cell(spMax), cell(spMean));
        for (StageRisk stage : stages) {
            table.row(
                    stage.name(), stage.ports, cell(stage.a2a), cell(stage.rp), cell(stage.spMax), cell(stage.spMean));
        }
        return table;
    }

    private TextTable flowTable() {
        TextTable table =
                new TextTable("what a flow meets", "flows", "mean risk", "% that meet " + FlowRisk.SHARED + " or more");
        if (a2aFlows != null) {
            a2aFlows.row(table, "all-to-all");
        }
        if (rpFlows != null) {
            rpFlows.row(table, "permutations");
        }
        if (spFlows != null) {
            spFlows.row(table, "shifts");
        }
        return table;
    }

    private TextTable portTable() {
        TextTable table = new TextTable(
                "worst ports", "to", "all-to-all", "sources", "dests", "permutations (max)", "shifts (max)");
        for (Port port : worstPorts) {
            table.row(
                    place(port.guid, port.name, port.port),
                    place(port.peerGuid, port.peerName, port.peerPort),
                    cell(port.a2a),
                    port.sources,
                    port.destinations,
                    cell(port.rpMax),
                    cell(port.spMax));
        }
        return table;
    }

    private static String place(String guid, String name, int port) {
        return (name.isBlank() ? guid : name) + " port " + port;
    }

    private static String cell(@Nullable Integer figure) {
        return figure == null ? NONE : figure.toString();
    }

    private static String cell(@Nullable Double figure) {
        return figure == null ? NONE : String.format(Locale.ROOT, "%.2f", figure);
    }
}
