package io.dmodc.routing.prediction;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.LftDelta;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftRowBuilder;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.change.ChangePlan.Step;
import io.dmodc.routing.change.ChangePlan.Verdict;
import io.dmodc.routing.change.ChangeTerms;
import io.dmodc.routing.check.Fabrics;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.routing.prediction.CongestionChange.PortChange;
import io.dmodc.routing.prediction.Prediction.CutOff;
import io.dmodc.routing.quality.CongestionSummary.Samples;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.PortPlace;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Predictions of drains and losses against what comes of them, pair by pair and entry by entry. */
class PredictionTest {
    private static final String FIGURE_1 = "3;2,2,3;1,2,2;1,2,1";
    private static final List<String> SHAPES = List.of(
            FIGURE_1, "2;3,4;1,3;1,1", "3;2,3,2;1,1,4;1,3,1", "3;3,2,4;1,2,3;1,1,1", "4;2,2,2,2;1,2,2,1;1,1,2,3");
    private static final int FABRICS_A_BATCH = 50;
    private static final int MIXES = 4;

    /** Something happens to a fabric that lost some cables already. */
    private static final class Act {
        final SplittableRandom random;
        final FabricView view;
        final boolean drain;
        final BitSet switches = new BitSet();
        final RoutedFabric before;
        final RoutedFabric after;
        final Prediction prediction;

        Act(long seed, boolean drain) {
            this.drain = drain;
            random = new SplittableRandom(seed);
            view = damaged();
            List<PortPlace> links = new ArrayList<>();
            for (int i = random.nextInt(3); i > 0; i--) {
                switches.set(random.nextInt(view.switchCount()));
            }
            for (int i = switches.isEmpty() ? 1 : random.nextInt(3); i > 0; i--) {
                int s = random.nextInt(view.switchCount());
                links.add(new PortPlace(view.switchGuid(s), 1 + random.nextInt(view.portCount(s))));
            }
            FabricView routed = view.without(switches, links);
            before = RoutedFabric.of(view, tables(view));
            after = new RoutedFabric(drain ? view : routed, routed, tables(routed));
            prediction = Prediction.of(
                    before,
                    after,
                    before.inForce(view, drain ? switches : new BitSet()),
                    ChangeTerms.UNBOUNDED,
                    Parallel.sequential());
        }

        private FabricView damaged() {
            FabricViewBuilder fabric =
                    PgftGenerator.generate(PgftShape.parse(SHAPES.get(random.nextInt(SHAPES.size()))));
            FabricView whole = Fabrics.view(fabric);
            GuidNumbers levels = new GuidNumbers();
            IntStream.range(0, whole.switchCount()).forEach(s -> levels.put(whole.switchGuid(s), whole.rank(s)));
            Degradation.apply(fabric, random.nextInt(2), random.nextInt(4), random);
            return fabric.build(1, new NodeIndexMap(), levels);
        }

        /** What a switch forwards by in the end. */
        LftRow last(int s) {
            return drain && switches.get(s)
                    ? before.tables().row(s)
                    : after.tables().row(s);
        }
    }

    private static LftSet tables(FabricView view) {
        LftSet tables = Dmodc.standard().route(view, Parallel.sequential()).tables();
        if (tables != null) {
            return tables;
        }
        LftRow[] none = new LftRow[view.switchCount()];
        Arrays.fill(none, LftRow.noRoutes(view.nodeCount()));
        return new LftSet(view.epoch(), view.nodeCount(), none);
    }

    /** Says by which row a switch forwards. */
    private interface Rows {
        LftRow of(int s, int node);
    }

    private static boolean delivers(FabricView view, int from, int node, Rows rows) {
        int at = from;
        for (int hops = 0; hops <= view.switchCount(); hops++) {
            int port = rows.of(at, node).port(node);
            if (!view.alive(at) || port < 1 || port > view.portCount(at)) {
                return false;
            }
            if (view.peerNode(at, port) >= 0) {
                return view.peerNode(at, port) == node;
            }
            at = view.peerSwitch(at, port);
            if (at < 0) {
                return false;
            }
        }
        return false;
    }

    static LongStream batches() {
        return LongStream.range(0, 8);
    }

    @ParameterizedTest(name = "seeds {0} * 50 ..")
    @MethodSource("batches")
    void shouldNameTheNodesThatAreCutOffAndNoOthers(long batch) {
        for (long seed = batch * FABRICS_A_BATCH; seed < (batch + 1) * FABRICS_A_BATCH; seed++) {
            Act act = new Act(seed, seed % 2 == 0);
            FabricView is = act.after.routed();
            BitSet cutOff = new BitSet();
            act.prediction.cutOff().forEach(each -> each.nodes().forEach(cutOff::set));
            for (int node = 0; node < is.nodeCount(); node++) {
                boolean lost = false;
                for (int leaf = 0; leaf < is.switchCount(); leaf++) {
                    int to = node;
                    if (is.isLeaf(leaf)
                            && delivers(
                                    act.view,
                                    leaf,
                                    to,
                                    (s, d) -> act.before.tables().row(s))) {
                        boolean loses = !delivers(
                                is, leaf, to, (s, d) -> act.after.tables().row(s));
                        lost |= loses;
                        assertThat(!loses || cutOff.get(node) || isCutOff(act, cutOff, leaf))
                                .as("seed %d: %s loses node %d", seed, is.switchName(leaf), node)
                                .isTrue();
                    }
                }
                assertThat(lost || !cutOff.get(node))
                        .as("seed %d: node %d", seed, node)
                        .isTrue();
            }
        }
    }

    /** A pair is lost at either end. */
    private static boolean isCutOff(Act act, BitSet cutOff, int leaf) {
        return IntStream.range(0, act.view.nodeCount())
                .anyMatch(node -> act.view.nodeSwitch(node) == leaf && cutOff.get(node));
    }

    @ParameterizedTest(name = "seeds {0} * 50 ..")
    @MethodSource("batches")
    void shouldCountWhatIsRewritten(long batch) {
        for (long seed = batch * FABRICS_A_BATCH; seed < (batch + 1) * FABRICS_A_BATCH; seed++) {
            Act act = new Act(seed, seed % 2 == 0);
            int switches = 0;
            int blocks = 0;
            int entries = 0;
            for (int s = 0; s < act.view.switchCount(); s++) {
                byte[] was = act.before.tables().row(s).toBytes();
                byte[] is = act.last(s).toBytes();
                BitSet changed = new BitSet();
                for (int d = 0; act.after.works().alive(s) && d < was.length; d++) {
                    if (was[d] != is[d]) {
                        entries++;
                        changed.set(d / LftDelta.BLOCK);
                    }
                }
                switches += changed.isEmpty() ? 0 : 1;
                blocks += changed.cardinality();
            }
            assertThat(act.prediction.switches()).as("seed %d", seed).isEqualTo(switches);
            assertThat(act.prediction.blocks()).as("seed %d", seed).isEqualTo(blocks);
            assertThat(act.prediction.entries()).as("seed %d", seed).isEqualTo(entries);
            assertThat(act.prediction.after().valid()).as("seed %d", seed).isTrue();
        }
    }

    /** What is drained carries on while the tables change: whoever delivers before and after does so all the time. */
    @ParameterizedTest(name = "seeds {0} * 50 ..")
    @MethodSource("batches")
    void shouldPlanDrainsThatLoseNothingOnTheWay(long batch) {
        for (long seed = batch * FABRICS_A_BATCH; seed < (batch + 1) * FABRICS_A_BATCH; seed++) {
            Act act = new Act(seed, true);
            assertThat(act.prediction.plan().verdict()).as("seed %d", seed).isNotEqualTo(Verdict.NOT_PROVABLE);
            for (int s = 0; s < act.view.switchCount(); s++) {
                assertThat(act.switches.get(s)
                                && !act.prediction
                                        .plan()
                                        .steps(s, new LftRowBuilder())
                                        .isEmpty())
                        .as("seed %d: drained switch %d is told something", seed, s)
                        .isFalse();
            }
            for (int round = 1; round <= act.prediction.plan().rounds(); round++) {
                for (int mix = 0; mix < MIXES; mix++) {
                    requireDelivery("seed " + seed + " round " + round, act, mixed(act, round));
                }
            }
        }
    }

    /** Each entry of a switch is that of its step in this round, or still what it was before. */
    private static Rows mixed(Act act, int round) {
        int nodes = act.view.nodeCount();
        List<LftRow> rows = new ArrayList<>();
        for (int s = 0; s < act.view.switchCount(); s++) {
            byte[] earlier = act.before.tables().row(s).toBytes();
            byte[] now = earlier;
            for (Step step : act.prediction.plan().steps(s, new LftRowBuilder())) {
                earlier = step.round() < round ? step.row().toBytes() : earlier;
                now = step.round() <= round ? step.row().toBytes() : now;
            }
            byte[] mix = new byte[nodes];
            for (int d = 0; d < nodes; d++) {
                mix[d] = act.random.nextBoolean() ? earlier[d] : now[d];
            }
            rows.add(LftRow.of(mix));
        }
        return (s, d) -> rows.get(s);
    }

    private static void requireDelivery(String what, Act act, Rows mix) {
        for (int leaf = 0; leaf < act.view.switchCount(); leaf++) {
            for (int node = 0; act.view.isLeaf(leaf) && node < act.view.nodeCount(); node++) {
                boolean both = delivers(
                                act.view,
                                leaf,
                                node,
                                (s, d) -> act.before.tables().row(s))
                        && delivers(act.view, leaf, node, (s, d) -> act.last(s));
                assertThat(!both || delivers(act.view, leaf, node, mix))
                        .as("%s: %s to node %d", what, act.view.switchName(leaf), node)
                        .isTrue();
            }
        }
    }

    private static Prediction ofFigure1(boolean drain, String... names) {
        FabricView view = Fabrics.pgft(FIGURE_1);
        BitSet switches = new BitSet();
        for (String name : names) {
            IntStream.range(0, view.switchCount())
                    .filter(s -> view.switchName(s).equals(name))
                    .forEach(switches::set);
        }
        FabricView routed = view.without(switches, List.of());
        RoutedFabric before = RoutedFabric.of(view, tables(view));
        RoutedFabric after = new RoutedFabric(drain ? view : routed, routed, tables(routed));
        Prediction prediction = Prediction.of(
                before,
                after,
                before.inForce(view, drain ? switches : new BitSet()),
                ChangeTerms.UNBOUNDED,
                Parallel.sequential());
        return prediction.with(CongestionChange.of(before, after, new Samples(20, 20, 1), Parallel.sequential()));
    }

    @Test
    void shouldTellALossInAFewLines() {
        Prediction leaf = ofFigure1(false, "leaf1");

        assertThat(leaf.cutOff()).containsExactly(new CutOff(1, List.of(2, 3)));
        assertThat(leaf.text()).startsWith("cut off: 2 nodes of leaf1: node2, node3");
        assertThat(ofFigure1(false, "l3s0").text()).startsWith("cut off: none").hasSize(4);
        assertThat(ofFigure1(false).text()).contains("cut off: none", "no table changes");
    }

    @Test
    void shouldSayWhatBecomesOfPairsAndHotPorts() {
        Prediction upper = ofFigure1(false, "l2s0", "l2s1");

        assertThat(upper.cutOffNodes()).isEqualTo(4);
        assertThat(upper.after().unreachableLeafPairs()).isEqualTo(18);
        assertThat(upper.text())
                .contains("pairs of leaves without a path: 0 → 18")
                .anyMatch(line -> line.matches("cut off: 4 nodes of 2 switches: node\\d.*"));
        CongestionChange congestion = Objects.requireNonNull(upper.congestion());
        PortChange hot = congestion.hottest().get(0);
        assertThat(hot.after()).isEqualTo(congestion.after().allToAll());
        assertThat(upper.text().get(4))
                .isEqualTo("hottest: " + upper.view().switchName(hot.switchIndex()) + " port " + hot.port() + " ("
                        + hot.before() + " → " + hot.after() + ")");
    }

    /** The links are there while the tables change, or they are not. */
    @Test
    void shouldTellADrainFromALoss() {
        Prediction drain = ofFigure1(true, "l2s0");
        Prediction loss = ofFigure1(false, "l2s0");

        assertThat(drain.plan().verdict()).isEqualTo(Verdict.IN_ROUNDS);
        assertThat(drain.text().get(1)).matches("\\d+ switches, \\d+ blocks, 2 rounds( with a drain)?, transient-safe");
        assertThat(loss.plan().verdict()).isEqualTo(Verdict.ANY_ORDER);
        assertThat(loss.text().get(1)).matches("\\d+ switches, \\d+ blocks, 1 round, transient-safe");
        assertThat(drain.congestion()).isEqualTo(loss.congestion());
    }
}
