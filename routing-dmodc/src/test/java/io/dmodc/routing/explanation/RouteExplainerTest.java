package io.dmodc.routing.explanation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.check.Fabrics;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.routing.dmodc.RandomFabrics;
import io.dmodc.routing.engines.Engines;
import io.dmodc.routing.explanation.RouteExplanation.Way;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.PortPlace;
import io.dmodc.topology.pgft.PgftShape;
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
import org.junit.jupiter.params.provider.ValueSource;

/** Explanations against the tables they explain. */
class RouteExplainerTest {
    private static final int FABRICS_A_BATCH = 100;
    private static final String FIGURE_1 = "3;2,2,3;1,2,2;1,2,1";

    static LongStream batches() {
        return LongStream.range(0, 6);
    }

    private static LftSet tables(RoutingEngine engine, FabricView view) {
        LftSet tables = engine.route(view, Parallel.sequential()).tables();
        return tables == null ? noTables(view) : tables;
    }

    /** Where no leaf is alive. */
    private static LftSet noTables(FabricView view) {
        byte[][] rows = new byte[view.switchCount()][view.nodeCount()];
        for (byte[] row : rows) {
            Arrays.fill(row, (byte) LftSet.NO_ROUTE);
        }
        return new LftSet(view.epoch(), view.nodeCount(), rows);
    }

    @ParameterizedTest(name = "seeds {0}00..{0}99")
    @MethodSource("batches")
    void shouldSayThePortOfEveryEntry(long batch) {
        for (long seed = batch * FABRICS_A_BATCH; seed < (batch + 1) * FABRICS_A_BATCH; seed++) {
            FabricView view = RandomFabrics.draw(seed);

            for (Dmodc engine : List.of(Dmodc.standard(), Dmodc.plain())) {
                RouteExplainer explainer = RouteExplainer.of(engine.name(), view, Parallel.sequential());
                compare("seed " + seed + " " + engine.name(), view, tables(engine, view), explainer);
            }
        }
    }

    private static void compare(String what, FabricView view, LftSet tables, RouteExplainer explainer) {
        for (int s = 0; s < view.switchCount(); s++) {
            for (int node = 0; node < view.nodeCount(); node++) {
                RouteExplanation why = explainer.explain(s, node);
                if (why.port() != tables.port(s, node)) {
                    assertThat(why.port())
                            .as("%s: switch %d, node %d: %s", what, s, node, why)
                            .isEqualTo(tables.port(s, node));
                }
                assertThat(why.way().goesOn()).isEqualTo(why.formula() != null);
                assertThat(why.port() == LftSet.NO_ROUTE)
                        .as("%s: %s", what, why)
                        .isEqualTo(why.way() != Way.HERE && !why.way().goesOn());
                if (why.way().goesOn()) {
                    assertThat(why.alternatives()).contains(why.port());
                }
            }
        }
    }

    /** The engine itself says what the table would be without the cable. */
    @Test
    void shouldSayTheEntryWithoutTheCable() {
        int asked = 0;
        for (long seed = 0; seed < 60; seed++) {
            FabricView view = RandomFabrics.draw(seed);
            SplittableRandom random = new SplittableRandom(seed);
            RouteExplainer explainer = RouteExplainer.of("dmodc", view, Parallel.sequential());
            for (int i = 0; i < 40; i++) {
                asked += compareLoss(
                        "seed " + seed,
                        explainer,
                        random.nextInt(view.switchCount()),
                        random.nextInt(view.nodeCount()));
            }
        }
        assertThat(asked).isGreaterThan(1000);
    }

    /** Returns how many entries that lead to another switch were looked at. */
    private static int compareLoss(String what, RouteExplainer explainer, int s, int node) {
        FabricView view = explainer.view();
        RouteExplanation why = explainer.explain(s, node);
        RouteExplanation loss = explainer.afterLoss(s, why.port(), node);
        if (!why.way().goesOn()) {
            assertThat(loss).as(what).isNull();
            return 0;
        }
        FabricView without = view.without(new BitSet(), List.of(new PortPlace(view.switchGuid(s), why.port())));
        assertThat(Objects.requireNonNull(loss).port())
                .as("%s, switch %d, node %d", what, s, node)
                .isEqualTo(tables(Dmodc.standard(), without).port(s, node))
                .isNotEqualTo(why.port());
        return 1;
    }

    /** The whole fabric that dmodk routes has the tables of dmodc. */
    @Test
    void shouldExplainDmodk() {
        FabricView view = Fabrics.pgft(FIGURE_1);

        compare(
                "dmodk",
                view,
                tables(Engines.named("dmodk", PgftShape.parse(FIGURE_1)), view),
                RouteExplainer.of("dmodk", view, Parallel.sequential()));
    }

    /** Of a whole fabric the nearest ports are those of the formula. */
    @ParameterizedTest
    @ValueSource(strings = {"minhop", "updn"})
    void shouldTellTheNearestPortsWhereThereIsNoFormula(String name) {
        FabricView view = Fabrics.pgft(FIGURE_1);
        LftSet tables = tables(Engines.named(name, null), view);
        RouteExplainer explainer = RouteExplainer.of(name, view, Parallel.sequential());
        RouteExplainer dmodc = RouteExplainer.of("dmodc", view, Parallel.sequential());

        assertThat(explainer.hasFormula()).isFalse();
        for (int s = 0; s < view.switchCount(); s++) {
            for (int node = 0; node < view.nodeCount(); node++) {
                RouteExplanation why = explainer.explain(s, node, tables.port(s, node));
                assertThat(why.port()).isEqualTo(tables.port(s, node));
                assertThat(why.formula()).isNull();
                assertThat(why.candidates()).isEqualTo(dmodc.explain(s, node).candidates());
                assertThat(why.hops()).isEqualTo(dmodc.explain(s, node).hops());
            }
        }
        assertThatIllegalStateException()
                .isThrownBy(() -> explainer.explain(0, 5))
                .withMessage("engine " + name + " has no formula; its entry must be given");
    }

    /** Leaf 0 has nodes 0 and 1, and two cables to each of two switches above. */
    @Test
    void shouldTellEachStepWithItsNumbers() {
        RouteExplainer explainer = RouteExplainer.of("dmodc", Fabrics.pgft(FIGURE_1), Parallel.sequential());

        assertThat(ExplanationReport.of(explainer, 0, 7).text())
                .containsExactly(
                        "leaf0 sends packets to node7 out of port 6 to l2s1 port 3",
                        "up: node7 is on leaf3 port 2, 4 hops from here",
                        "candidates (1): 2 port groups lead closer: l2s0 (ports 3, 5), l2s1 (ports 4, 6)",
                        "divider: 1, how many consecutive nodes share a port",
                        "group (3): ⌊7 / 1⌋ mod 2 = 7 mod 2 = 1: l2s1",
                        "port (4): ⌊7 / (1 · 2)⌋ mod 2 = 3 mod 2 = 1: port 6",
                        "alternatives (2): ports 3, 5, 4, 6",
                        "without this cable: port 4 to l2s1 port 1");
        assertThat(ExplanationReport.of(explainer, 0, 1).text())
                .containsExactly(
                        "leaf0 sends packets to node1 out of port 2 to node1", "here: node1 is cabled to this port");
    }

    @Test
    void shouldSayWhyThereIsNoRoute() {
        FabricView whole = Fabrics.pgft(FIGURE_1);
        BitSet dead = new BitSet();
        dead.set(3);
        FabricView view = whole.without(dead, List.of());
        RouteExplainer explainer = RouteExplainer.of("dmodc", view, Parallel.sequential());

        assertThat(ExplanationReport.of(explainer, 0, 7).text())
                .containsExactly(
                        "leaf0 has no route to node7",
                        "no path that dmodc allows leads to leaf3, which is dead or drained, where node7 is");
        assertThat(ExplanationReport.of(explainer, 3, 0).text())
                .containsExactly("leaf3 has no route to node0", "leaf3 is dead or drained: no table is made for it");
        assertThat(ExplanationReport.of(explainer, 3, 0).port()).isNull();
    }

    @Test
    void shouldSayThatAnEngineWithoutFormulaDecidedInItsOwnOrder() {
        FabricView view = Fabrics.pgft(FIGURE_1);
        RouteExplainer explainer = RouteExplainer.of("minhop", view, Parallel.sequential());

        ExplanationReport report = ExplanationReport.of(explainer, explainer.explain(0, 7, 5));
        ExplanationReport wrong = ExplanationReport.of(explainer, explainer.explain(6, 0, 5));

        assertThat(report.text())
                .containsExactly(
                        "leaf0 sends packets to node7 out of port 5 to l2s0 port 3",
                        "up: node7 is on leaf3 port 2, 4 hops from here",
                        "candidates (1): 2 port groups lead closer: l2s0 (ports 3, 5), l2s1 (ports 4, 6)",
                        "minhop has no formula: of the ports it may use it took the one that fewest nodes before had, in its own"
                                + " order");
        assertThat(report.formula()).isNull();
        assertThat(report.afterLoss()).isNull();
        assertThat(wrong.text().get(3)).isEqualTo("port 5 is none of them: minhop does not go by fewest hops alone");
    }

    /** Every (switch, node) of a whole fabric has as many hops as a walk along the tables. */
    @Test
    void shouldCountTheHopsOfTheRoute() {
        FabricView view = Fabrics.pgft(FIGURE_1);
        LftSet tables = tables(Dmodc.standard(), view);
        RouteExplainer explainer = RouteExplainer.of("dmodc", view, Parallel.sequential());

        IntStream.range(0, view.switchCount()).forEach(s -> {
            for (int node = 0; node < view.nodeCount(); node++) {
                int hops = 0;
                for (int at = s; at != view.nodeSwitch(node); hops++) {
                    at = view.peerSwitch(at, tables.port(at, node));
                }
                assertThat(explainer.explain(s, node).hops()).isEqualTo(hops);
            }
        });
    }
}
