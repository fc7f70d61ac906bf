package io.dmodc.routing.prediction;

import io.dmodc.routing.Parallel;
import io.dmodc.routing.change.ChangePlan;
import io.dmodc.routing.change.ChangeTerms;
import io.dmodc.routing.change.ChangeWatch;
import io.dmodc.routing.change.RowsInForce;
import io.dmodc.routing.check.CheckReport;
import io.dmodc.routing.check.LostPaths;
import io.dmodc.routing.check.SurplusEntryRule;
import io.dmodc.routing.check.TableWatch;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What replacing tables by others would do to a fabric.
 *
 * <p><b>Drain and loss.</b> What is drained carries packets while the tables change: {@link RoutedFabric#works} has it,
 * {@link RoutedFabric#routed} has not, and the switch itself is not told anything and keeps its row. What is lost is in neither.
 *
 * <p>Indices are those of the fabric afterwards; switches of before are found by GUID, node indices stand for the same nodes. Immutable.
 *
 * @param before tables of before against their fabric
 * @param after tables of afterwards against theirs; what is drained counts as dead there
 * @param cutOff nodes that lose their paths to others, by the switch they are cabled to, ascending: all of a switch that dies, and of a
 *     small set of switches that every pair which loses its paths has a member of
 * @param plan how the tables are replaced
 * @param switches that get other entries
 * @param blocks of 64 entries that are rewritten, each counted once
 * @param entries that change, or may
 * @param congestion {@code null} if it was not asked for
 */
public record Prediction(
        FabricView view,
        CheckReport before,
        CheckReport after,
        List<CutOff> cutOff,
        ChangePlan plan,
        int switches,
        long blocks,
        long entries,
        @Nullable CongestionChange congestion) {
    public Prediction {
        cutOff = List.copyOf(cutOff);
    }

    /**
     * Nodes of one switch that are cut off.
     *
     * @param nodes indices, ascending
     */
    public record CutOff(int switchIndex, List<Integer> nodes) {
        public CutOff {
            nodes = List.copyOf(nodes);
        }
    }

    /**
     * Predicts, without congestion.
     *
     * @param inForce by which rows the switches of {@code after} may forward, and who is not told anything: drained switches, and silent ones
     * @param terms what the plan of the change may cost
     * @param parallel where it is worked on; the result does not depend on it
     * @throws IllegalArgumentException if rows and columns are not as many as switches and nodes
     */
    public static Prediction of(
            RoutedFabric before, RoutedFabric after, RowsInForce inForce, ChangeTerms terms, Parallel parallel) {
        TableWatch watch = new TableWatch();
        CheckReport checkedBefore = check(before, watch, parallel);
        ChangeWatch changes = new ChangeWatch(before.works(), before.tables(), watch.notRight());
        CheckReport checkedAfter = check(after, watch, parallel);
        ChangePlan plan = changes.plan(after.works(), inForce, after.tables(), watch.notRight(), terms);
        int[] blocks = new int[after.works().switchCount()];
        parallel.forEach(blocks.length, s -> blocks[s] = plan.changedBlocks(s));
        return new Prediction(
                after.works(),
                checkedBefore,
                checkedAfter,
                cutOff(before.routed(), after.routed()),
                plan,
                (int) IntStream.of(blocks).filter(count -> count > 0).count(),
                IntStream.of(blocks).asLongStream().sum(),
                plan.changedEntries(),
                null);
    }

    private static CheckReport check(RoutedFabric fabric, TableWatch watch, Parallel parallel) {
        return watch.check(fabric.routed(), fabric.tables(), SurplusEntryRule.NOTED, parallel);
    }

    private static List<CutOff> cutOff(FabricView was, FabricView is) {
        LostPaths lost = LostPaths.of(was, is);
        Map<Integer, List<Integer>> bySwitch = new TreeMap<>();
        lost.dead().forEach(s -> bySwitch.put(s, new ArrayList<>()));
        lost.parted().forEach(s -> bySwitch.put(s, new ArrayList<>()));
        for (int node = 0; node < is.nodeCount(); node++) {
            List<Integer> nodes = is.isHost(node) ? bySwitch.get(is.nodeSwitch(node)) : null;
            if (nodes != null) {
                nodes.add(node);
            }
        }
        return bySwitch.entrySet().stream()
                .map(each -> new CutOff(each.getKey(), each.getValue()))
                .toList();
    }

    /** The same with congestion. */
    public Prediction with(CongestionChange change) {
        return new Prediction(view, before, after, cutOff, plan, switches, blocks, entries, change);
    }

    /** Nodes that are cut off. */
    public int cutOffNodes() {
        return cutOff.stream().mapToInt(each -> each.nodes().size()).sum();
    }

    /** The prediction in lines for people. */
    public List<String> text() {
        return new PredictionText(this).lines();
    }
}
