package io.dmodc.routing.dmodc;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.dmodk.Dmodk;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Gliksberg, Capra, Louvet, García, Sohier, "High-Quality Fault Resiliency in Fat-Trees", claim by claim. Headings
 * quote the paper.
 */
class DmodcPaperTest {
    private static final PgftShape FIGURE_1 = PgftShape.parse("3;2,2,3;1,2,2;1,2,1");
    private static final int INF = CostsAndDividers.UNREACHABLE;

    private static FabricView whole(PgftShape shape) {
        return PgftGenerator.generate(shape).build(1, new NodeIndexMap(), new GuidNumbers());
    }

    private static LftSet complete(RoutingResult result) {
        assertThat(result).isInstanceOf(RoutingResult.Complete.class);
        return ((RoutingResult.Complete) result).tables();
    }

    private static LftSet tables(FabricView view) {
        return complete(Dmodc.standard().route(view, Parallel.sequential()));
    }

    private static CostsAndDividers costsAndDividers(FabricView view) {
        return Dmodc.standard().costsAndDividers(view, Parallel.sequential());
    }

    private static String row(LftSet tables, int s) {
        return IntStream.range(0, tables.entryCount())
                .mapToObj(d -> Integer.toString(tables.port(s, d)))
                .collect(Collectors.joining(" "));
    }

    /** Figure 1: "PGFT(3; 2,2,3; 1,2,2; 1,2,1) with leaf switches shown in grey". */
    @Test
    void shouldRouteTheFabricOfFigure1() {
        LftSet tables = tables(whole(FIGURE_1));

        assertThat(row(tables, 0)).as("leaf 1").isEqualTo("1 2 5 6 3 4 5 6 3 4 5 6");
        assertThat(row(tables, 6)).as("level-2 switch 1").isEqualTo("1 1 4 4 5 5 6 6 5 5 6 6");
        assertThat(row(tables, 12)).as("top switch 1").isEqualTo("1 1 1 1 2 2 2 2 3 3 3 3");
    }

    /** Section 1: "at most one downward switch-path from any switch to any node". */
    @Test
    void shouldFindOneWayDownAndAllWaysUpInFigure1() {
        FabricView view = whole(FIGURE_1);
        CostsAndDividers known = costsAndDividers(view);

        assertThat(known.alternatives(0, 4)).as("leaf 1 to another subtree").containsExactly(3, 5, 4, 6);
        assertThat(known.alternatives(6, 0)).as("down both parallel links").containsExactly(1, 3);
        assertThat(known.alternatives(12, 5)).as("top switch").containsExactly(2);
        assertThat(known.alternatives(0, 1)).as("directly linked").containsExactly(2);
    }

    /**
     * Figure 2: costs to the bottom-right leaf B start as ∞ 0 ∞ ∞ ∞ ∞, stand at 4 0 1 3 1 2 after step 4 and end as
     * 2 0 1 3 1 2. "This would have also interrupted the propagation of 2 in step 5. As a result, the long path on the
     * left would not have been avoided."
     *
     * <pre>
     *           F            rank 2
     *         /   \
     *       D   C   E        rank 1
     *        \ / \ /
     *         A   B          rank 0
     * </pre>
     */
    @Test
    void shouldAvoidTheLongPathOfFigure2() {
        SmallFabric fabric = new SmallFabric()
                .switches("A", "B", "D", "C", "E", "F")
                .hosts("A", 1)
                .hosts("B", 1)
                .cable("A", "D")
                .cable("A", "C")
                .cable("B", "C")
                .cable("B", "E")
                .cable("D", "F")
                .cable("E", "F");
        FabricView view = fabric.view();
        CostsAndDividers known = costsAndDividers(view);
        int toB = view.targetOfSwitch(fabric.at("B"));

        assertThat(Stream.of("A", "B", "C", "D", "E", "F").map(name -> known.cost(fabric.at(name), toB)))
                .containsExactly(2, 0, 1, 3, 1, 2);
        int out = tables(view).port(fabric.at("A"), 1);
        assertThat(view.peerSwitch(fabric.at("A"), out)).isEqualTo(fabric.at("C"));
        assertThat(known.alternatives(fabric.at("A"), 1)).containsExactly(out);
    }

    /** Section 3.2: costs are "the minimum number of hops between each other under up–down restrictions". */
    @Test
    void shouldNotCountPathsThatClimbAgain() {
        SmallFabric valley = new SmallFabric()
                .switches("A", "B", "V", "left", "right")
                .hosts("A", 1)
                .hosts("B", 1)
                .hosts("V", 1)
                .cable("A", "left")
                .cable("V", "left")
                .cable("V", "right")
                .cable("B", "right");
        FabricView view = valley.view();
        CostsAndDividers known = costsAndDividers(view);

        assertThat(known.cost(valley.at("A"), view.targetOfSwitch(valley.at("V"))))
                .isEqualTo(2);
        assertThat(known.cost(valley.at("A"), view.targetOfSwitch(valley.at("B"))))
                .isEqualTo(INF);
    }

    /**
     * Figure 3: dividers of three switches of one rank, 3 2 3, go up through 2, 2 and 3 upswitches: tops stand at 6 6 1,
     * then 6 6 4, then 9 9 9. "Even though there are multiple degradations in the considered case, all top switches end
     * up with the divider that they would have had in the complete network."
     */
    @Test
    void shouldPropagateTheDividersOfFigure3() {
        assertThat(dividersOfFigure3("m1")).containsExactly(3, 1, 1, 6, 6, 1);
        assertThat(dividersOfFigure3("m1", "m2")).containsExactly(3, 2, 1, 6, 6, 4);
        assertThat(dividersOfFigure3("m1", "m2", "m3")).containsExactly(3, 2, 3, 9, 9, 9);
    }

    /** m1, m2, m3 in three subtrees; the leaf of m2 has lost an uplink, m1 and m2 one each. */
    private static List<Integer> dividersOfFigure3(String... present) {
        SmallFabric fabric = new SmallFabric().switches("m1", "m2", "m3", "t1", "t2", "t3");
        for (String m : List.of("m1", "m2", "m3")) {
            fabric.switches("leaf of " + m, "beside " + m, "also beside " + m)
                    .hosts("leaf of " + m, 1)
                    .cable("leaf of " + m, m)
                    .cable("leaf of " + m, "beside " + m);
        }
        fabric.cable("leaf of m1", "also beside m1").cable("leaf of m3", "also beside m3");
        fabric.cable("m1", "t1").cable("m1", "t2");
        fabric.cable("m2", "t2").cable("m2", "t3");
        fabric.cable("m3", "t1").cable("m3", "t2").cable("m3", "t3");
        List.of("t1", "t2", "t3").forEach(top -> fabric.level(top, 2));
        Stream.of("m1", "m2", "m3").filter(m -> !List.of(present).contains(m)).forEach(fabric::kill);
        CostsAndDividers known = costsAndDividers(fabric.view());
        return Stream.of("m1", "m2", "m3", "t1", "t2", "t3")
                .map(name -> known.divider(fabric.at(name)))
                .toList();
    }

    /** Section 3.3: "keep only the maximum … the same values as in the non-degraded PGFT". */
    @Test
    void shouldCountUpSwitchesAndNotLinksInDividers() {
        CostsAndDividers known = costsAndDividers(whole(FIGURE_1));

        assertThat(IntStream.range(0, 16).map(known::divider))
                .containsExactly(1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 4, 4, 4, 4);
    }

    /**
     * Figure 4: Π = 4, d = 20, costs 3 at s, 2 at both upswitches, 4 at both downswitches. "The top-right group is
     * chosen because ⌊20/4⌋ mod 2 = 1, and the right port … because ⌊20/(4×2)⌋ mod 3 = 2."
     */
    @Test
    void shouldChooseThePortOfFigure4() {
        SmallFabric fabric = new SmallFabric()
                .switches("left below", "right below", "home", "s", "beside 1", "beside 2", "beside 3")
                .switches("above home", "top left", "top right")
                .hosts("left below", 10)
                .hosts("right below", 10)
                .hosts("home", 1);
        for (String leaf : List.of("left below", "right below")) {
            fabric.cable(leaf, "s")
                    .cable(leaf, "beside 1")
                    .cable(leaf, "beside 2")
                    .cable(leaf, "beside 3");
        }
        fabric.cables("s", "top left", 2).cables("s", "top right", 3);
        fabric.cable("home", "above home").cable("above home", "top left").cable("above home", "top right");
        FabricView view = fabric.view();
        int s = fabric.at("s");
        int home = view.targetOfSwitch(fabric.at("home"));
        CostsAndDividers known = costsAndDividers(view);

        assertThat(view.nodeSwitch(20)).isEqualTo(fabric.at("home"));
        assertThat(known.divider(s)).isEqualTo(4);
        assertThat(Stream.of("s", "top left", "top right", "left below", "right below")
                        .map(name -> known.cost(fabric.at(name), home)))
                .containsExactly(3, 2, 2, 4, 4);
        assertThat(known.alternatives(s, 20)).as("P, equation (2)").containsExactly(3, 4, 5, 6, 7);
        int port = complete(Dmodc.plain().route(view, Parallel.sequential())).port(s, 20);
        assertThat(view.peerSwitch(s, port)).as("g, equation (3)").isEqualTo(fabric.at("top right"));
        assertThat(port).as("p, equation (4): the third of ports 5, 6, 7").isEqualTo(7);
        assertThat(tables(view).port(s, 20)).as("strict").isEqualTo(7);
    }

    /** Section 3.2: some topologies "would result in up–down–up–down paths … path selection does not distinguish". */
    @Test
    void shouldClimbAgainOnlyInThePlainForm() {
        SmallFabric fabric = new SmallFabric()
                .switches("A", "B", "C", "s", "m", "n", "t")
                .hosts("A", 3)
                .hosts("B", 3)
                .hosts("C", 3)
                .cable("A", "s")
                .cable("B", "s")
                .cable("B", "m")
                .cable("C", "m")
                .cable("C", "n")
                .cable("s", "t")
                .cable("n", "t");
        FabricView view = fabric.view();
        int s = fabric.at("s");

        // s reaches C over t in 3 hops; its down neighbour B does in 2, but only by climbing again, over m.
        assertThat(costsAndDividers(view).cost(s, view.targetOfSwitch(fabric.at("C"))))
                .isEqualTo(3);
        int plain = tables(Dmodc.plain(), view).port(s, 8);
        int strict = tables(view).port(s, 8);
        assertThat(Dmodc.plain().costsAndDividers(view, Parallel.sequential()).alternatives(s, 8))
                .hasSize(2)
                .contains(plain, strict);
        assertThat(costsAndDividers(view).alternatives(s, 8)).containsExactly(strict);
        assertThat(view.peerSwitch(s, strict)).isEqualTo(fabric.at("t"));
        assertThat(view.peerSwitch(s, plain)).isEqualTo(fabric.at("B"));
    }

    private static LftSet tables(Dmodc engine, FabricView view) {
        return complete(engine.route(view, Parallel.sequential()));
    }

    static Stream<PgftShape> completeShapes() {
        SplittableRandom random = new SplittableRandom(2019);
        List<PgftShape> shapes = new ArrayList<>();
        while (shapes.size() < 80) {
            int levels = 1 + random.nextInt(4);
            PgftShape shape = PgftShape.parse(levels + ";" + numbers(random, levels, 1, 5, false) + ";"
                    + numbers(random, levels, 1, 4, true) + ";" + numbers(random, levels, 1, 3, true));
            if (shape.switchCount() <= 500 && !shapes.contains(shape)) {
                shapes.add(shape);
            }
        }
        return shapes.stream();
    }

    private static String numbers(SplittableRandom random, int count, int low, int high, boolean firstIsOne) {
        return IntStream.range(0, count)
                .map(i -> i == 0 && firstIsOne ? 1 : random.nextInt(low, high + 1))
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(","));
    }

    /** Section 3: "the same closed-form arithmetic formula as Dmodk"; so the same tables on a complete PGFT. */
    @ParameterizedTest(name = "{0} (shapes of seed 2019)")
    @MethodSource("completeShapes")
    void shouldEqualDmodkOnCompleteShapes(PgftShape shape) {
        FabricView view = whole(shape);
        Dmodk dmodk = new Dmodk(shape);
        LftSet expected = complete(dmodk.route(view, Parallel.sequential()));
        LftSet expectedToSwitches = dmodk.routeSwitches(view, Parallel.sequential());

        for (Dmodc engine : List.of(Dmodc.standard(), Dmodc.plain())) {
            LftSet tables = tables(engine, view);
            for (int s = 0; s < view.switchCount(); s++) {
                assertThat(row(tables, s)).as("%s, switch %d", engine.name(), s).isEqualTo(row(expected, s));
            }
        }
        LftSet toSwitches = Dmodc.standard().routeSwitches(view, Parallel.sequential());
        for (int s = 0; s < view.switchCount(); s++) {
            assertThat(row(toSwitches, s)).as("to switches, switch %d", s).isEqualTo(row(expectedToSwitches, s));
        }
    }

    static LongStream degradedSeeds() {
        return LongStream.range(0, 60);
    }

    /**
     * Section 3.2: for degraded PGFTs an interrupted propagation is "actually impossible": faults cut pairs or leave
     * costs alone. Section 4.1: "valid for degraded PGFTs if and only if the cost of every leaf switch to every other
     * leaf switch is finite". And there the two forms are one wherever both have a route.
     */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("degradedSeeds")
    void shouldKeepOrLoseCostsInDegradedPgfts(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        FabricViewBuilder fabric = PgftGenerator.generate(FIGURE_1);
        NodeIndexMap nodes = new NodeIndexMap();
        FabricView whole = fabric.build(1, nodes, new GuidNumbers());
        GuidNumbers designed = new GuidNumbers();
        IntStream.range(0, whole.switchCount()).forEach(s -> designed.put(whole.switchGuid(s), whole.rank(s)));
        Degradation.apply(fabric, random.nextInt(4), random.nextInt(13), random);
        FabricView view = fabric.build(2, nodes, designed);
        CostsAndDividers before = costsAndDividers(whole);
        CostsAndDividers known = costsAndDividers(view);

        boolean allFinite = true;
        for (int s = 0; s < view.switchCount(); s++) {
            for (int leaf = 0; leaf < view.leafCount(); leaf++) {
                assertThat(known.cost(s, leaf)).isIn(before.cost(s, leaf), INF);
                allFinite &= !view.isLeaf(s) || known.cost(s, leaf) != INF;
            }
        }
        RoutingResult result = Dmodc.standard().route(view, Parallel.sequential());
        assertThat(result instanceof RoutingResult.Complete).isEqualTo(allFinite);
        assertSameWhereRouted(result, Dmodc.plain().route(view, Parallel.sequential()));
    }

    private static void assertSameWhereRouted(RoutingResult strict, RoutingResult plain) {
        LftSet one = anyTables(strict);
        LftSet other = anyTables(plain);
        for (int s = 0; s < one.switchCount(); s++) {
            for (int d = 0; d < one.entryCount(); d++) {
                if (one.port(s, d) != LftSet.NO_ROUTE) {
                    assertThat(other.port(s, d)).isEqualTo(one.port(s, d));
                }
            }
        }
    }

    private static LftSet anyTables(RoutingResult result) {
        return result instanceof RoutingResult.Partial partial ? partial.tables() : complete(result);
    }

    /** Section 3.1: port groups are "sorted by globally unique identifier (GUID)", so cabling order is no matter. */
    @Test
    void shouldOrderGroupsByRemoteGuid() {
        SmallFabric fabric = new SmallFabric()
                .switches("leaf", "other", "first", "second")
                .hosts("leaf", 4)
                .hosts("other", 2)
                .cable("leaf", "second")
                .cable("leaf", "first")
                .cable("other", "first")
                .cable("other", "second");
        FabricView view = fabric.view();
        LftSet tables = tables(view);

        assertThat(view.peerSwitch(fabric.at("leaf"), tables.port(fabric.at("leaf"), 4)))
                .isEqualTo(fabric.at("first"));
        assertThat(view.peerSwitch(fabric.at("leaf"), tables.port(fabric.at("leaf"), 5)))
                .isEqualTo(fabric.at("second"));
    }

    /** Section 3.3: other nodes' ports do not move when a switch elsewhere dies and comes back. */
    @Test
    void shouldReturnToTheFirstTablesWhenAllIsWell() {
        FabricViewBuilder fabric = PgftGenerator.generate(FIGURE_1);
        NodeIndexMap nodes = new NodeIndexMap();
        FabricView first = fabric.build(1, nodes, new GuidNumbers());
        long spine = first.switchGuid(7);

        fabric.apply(new SwitchState(spine, false));
        LftSet damaged = tables(fabric.build(2, nodes, new GuidNumbers()));
        fabric.apply(new SwitchState(spine, true));
        LftSet healed = tables(fabric.build(3, nodes, new GuidNumbers()));

        LftSet before = tables(first);
        assertThat(IntStream.range(0, 16).filter(s -> !before.row(s).sameEntries(damaged.row(s))))
                .isNotEmpty();
        assertThat(IntStream.range(0, 16)).allMatch(s -> before.row(s).sameEntries(healed.row(s)));
        assertThat(healed.epoch()).isEqualTo(3);
    }
}
