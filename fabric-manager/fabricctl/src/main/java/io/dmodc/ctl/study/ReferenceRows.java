package io.dmodc.ctl.study;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.cycles.CycleSimulator;
import io.dmodc.routing.cycles.PacketRouting;
import io.dmodc.routing.cycles.RandomUpRouting;
import io.dmodc.routing.cycles.RunResult;
import io.dmodc.routing.cycles.SimulationSettings;
import io.dmodc.routing.cycles.TableRouting;
import io.dmodc.routing.dmodk.Dmodk;
import io.dmodc.routing.throughput.Fraction;
import io.dmodc.routing.throughput.TableRoutes;
import io.dmodc.routing.throughput.Throughput;
import io.dmodc.routing.traffic.Endpoints;
import io.dmodc.routing.traffic.TrafficPattern;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.grid.GridShape;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.IntConsumer;

/**
 * The simulator beside BookSim2 (commit 28f4329; figures in docs/algorithms/throughput.md) and beside max-min fairness: rows
 * S1 to S3. Without them nobody need believe the rest.
 */
final class ReferenceRows {
    private static final String TREE_16_2 = "2;16,16;1,16;1,1";
    private static final String TREE_4_4 = "4;4,4,4,4;1,4,4,4;1,1,1,1";
    private static final String TREE_10_3 = "3;10,10,10;1,10,10;1,1,1";
    private static final String TAPERED = "3;8,8,4;1,8,4;1,1,1";

    /** Means that BookSim2 found for Dmodk's tables, 0.9 offered. */
    private record Permutation(String shape, String pattern, double bookSim) {}

    private static final List<Permutation> PERMUTATIONS = List.of(
            new Permutation(TREE_16_2, "bit-complement", 0.9008),
            new Permutation(TREE_16_2, "shuffle", 0.5500),
            new Permutation(TREE_16_2, "transpose", 0.1189),
            new Permutation(TAPERED, "bit-complement", 0.5000),
            new Permutation(TAPERED, "shuffle", 0.389),
            new Permutation(TAPERED, "transpose", 0.171));

    /** Latencies that BookSim2 found on trees without faults at loads 0.1 and 0.5. */
    private record Tree(String name, String shape, double atTenth, double atHalf) {}

    private static final List<Tree> TREES = List.of(
            new Tree("16,2", TREE_16_2, 13.7, 18.4),
            new Tree("4,4", TREE_4_4, 27.6, 33.3),
            new Tree("10,3", TREE_10_3, 21.4, 29.0));

    private final SimulationSettings settings;
    private final List<Tree> trees;
    private final IntConsumer runsDone;
    private int done;

    /** @param runsDone hears after each simulation how many there were */
    ReferenceRows(StudyEffort effort, IntConsumer runsDone) {
        this.settings = effort.reference();
        this.trees = TREES.subList(0, effort.trees());
        this.runsDone = runsDone;
    }

    /** How many simulations are made. */
    static int runs(StudyEffort effort) {
        return 2 + PERMUTATIONS.size() + 3 * effort.trees();
    }

    private RunResult counted(RunResult result) {
        runsDone.accept(++done);
        return result;
    }

    List<StudyRow> rows() {
        return List.of(zeroLoad(), permutations(), trees());
    }

    /**
     * Shifts by a whole row and by a row and a column, full load, one host a leaf and one root a line: no two packets ever
     * want the same port. One routing passes three switches, two pass five.
     */
    private StudyRow zeroLoad() {
        StudyGrid grid = new StudyGrid(GridShape.parse("4x4;hosts=1;roots=1,1"));
        double one = shift(grid, 4);
        double two = shift(grid, 5);
        return new StudyRow(
                "S1",
                "packets that meet nobody, in a grid, one routing (3 switches) and two (5)",
                text("%.4f and %.4f cycles", one, two),
                "4 x switches + 2 exactly: 14 and 22",
                one == 14 && two == 22);
    }

    private double shift(StudyGrid grid, int distance) {
        RunResult run = grid.simulate(
                        GridScenario.WHOLE,
                        "shift:" + distance,
                        new SimulationSettings(GridScenario.VCS, 16, 100, 200),
                        new double[] {1},
                        new long[] {1},
                        Parallel.sequential(),
                        cycles -> {})
                .get(0)
                .runs()
                .get(0);
        return counted(run).meanLatency();
    }

    private StudyRow permutations() {
        double fromFlows = 0;
        double fromBookSim = 0;
        List<String> figures = new ArrayList<>();
        for (Permutation permutation : PERMUTATIONS) {
            Pgft tree = new Pgft(permutation.shape);
            double flows = Throughput.of(
                            tree.nodes,
                            TrafficPattern.named(permutation.pattern, tree.nodes.count(), 1),
                            new TableRoutes(tree.view, tree.tables),
                            Fraction.of(9, 10))
                    .mean()
                    .toDouble();
            double packets = tree.run(
                            new TableRouting(tree.view, tree.tables, GridScenario.VCS), permutation.pattern, 0.9)
                    .accepted();
            fromFlows = Math.max(fromFlows, Math.abs(packets / flows - 1));
            fromBookSim = Math.max(fromBookSim, Math.abs(packets / permutation.bookSim - 1));
            figures.add(text("%.4f", packets));
        }
        return new StudyRow(
                "S2",
                "six permutations over Dmodk's tables of 2;16,16;… and 3;8,8,4;…, 0.9 offered",
                text(
                        "accepted %s: %.1f %% from max-min at most, %.1f %% from BookSim2",
                        String.join(", ", figures), 100 * fromFlows, 100 * fromBookSim),
                "within 6 % of max-min fairness and of BookSim2",
                fromFlows <= 0.06 && fromBookSim <= 0.06);
    }

    private StudyRow trees() {
        double off = 0;
        List<String> saturated = new ArrayList<>();
        boolean inBand = true;
        for (Tree tree : trees) {
            Pgft fabric = new Pgft(tree.shape);
            PacketRouting routing = new RandomUpRouting(fabric.view, fabric.tables, GridScenario.VCS);
            double tenth = fabric.run(routing, "uniform", 0.1).meanLatency();
            double half = fabric.run(routing, "uniform", 0.5).meanLatency();
            double accepted = fabric.run(routing, "uniform", 0.9).accepted();
            off = Math.max(off, Math.max(Math.abs(tenth / tree.atTenth - 1), Math.abs(half / tree.atHalf - 1)));
            inBand &= accepted >= 0.60 && accepted <= 0.80;
            saturated.add(text("%.3f", accepted));
        }
        return new StudyRow(
                "S3",
                "k-ary n-trees "
                        + String.join(" and ", trees.stream().map(Tree::name).toList()) + ", uniform, a random way up",
                text("latency %.1f %% from BookSim2 at most; saturated %s", 100 * off, String.join(", ", saturated)),
                "latency at 0.1 and 0.5 within 10 %; saturated .60 to .80",
                off <= 0.10 && inBand);
    }

    /** A whole PGFT under tables of Dmodk. */
    private final class Pgft {
        private final FabricView view;
        private final Endpoints nodes;
        private final LftSet tables;

        Pgft(String text) {
            PgftShape shape = PgftShape.parse(text);
            view = PgftGenerator.generate(shape).build(0, new NodeIndexMap(), new GuidNumbers());
            nodes = new Endpoints(view);
            tables = Objects.requireNonNull(
                    new Dmodk(shape).route(view, Parallel.sequential()).tables());
        }

        RunResult run(PacketRouting routing, String pattern, double load) {
            TrafficPattern traffic = TrafficPattern.named(pattern, nodes.count(), 1);
            return counted(new CycleSimulator(view, nodes, traffic, routing, settings, load, 1).run(cycles -> {}));
        }
    }

    private static String text(String format, Object... arguments) {
        return String.format(Locale.ROOT, format, arguments);
    }
}
