package io.dmodc.routing.dmodc;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.PortPattern;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.SlowUpperPairs;
import io.dmodc.routing.UpperPairs;
import io.dmodc.routing.dmodc.SlowDmodc.Form;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.PlaneNumbers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The engine against its slow twin, entry by entry, on seeded damaged fabrics: {@link RandomFabrics}. */
class DmodcTwinTest {
    private static final int FABRICS_A_BATCH = 100;

    private static ForkJoinPool pool = new ForkJoinPool(1);

    @BeforeAll
    static void startPool() {
        pool.shutdown();
        pool = new ForkJoinPool(3);
    }

    @AfterAll
    static void stopPool() {
        pool.shutdown();
    }

    static LongStream batches() {
        return LongStream.range(0, 5L * Integer.getInteger("more", 1));
    }

    @ParameterizedTest(name = "seeds {0}00..{0}99")
    @MethodSource("batches")
    void shouldMatchSlowTwinOnDamagedFabrics(long batch) {
        for (long seed = batch * FABRICS_A_BATCH; seed < (batch + 1) * FABRICS_A_BATCH; seed++) {
            FabricView view = new PlaneNumbers().number(RandomFabrics.drawSomeByType(seed));

            compare("seed " + seed, view, Dmodc.standard(), new SlowDmodc(view, Form.DMODC));
            compare("seed " + seed + " strict", view, Dmodc.strict(), new SlowDmodc(view, Form.STRICT));
            compare("seed " + seed + " plain", view, Dmodc.plain(), new SlowDmodc(view, Form.PLAIN));
        }
    }

    /** Several ways down to every leaf, parallel cables, lost cables. */
    @ParameterizedTest(name = "seeds {0}0..{0}9")
    @MethodSource("batches")
    void shouldMatchSlowTwinOnLineCards(long batch) {
        for (long seed = batch * 10; seed < (batch + 1) * 10; seed++) {
            FabricView view = LineCards.random(seed);

            compare("seed " + seed, view, Dmodc.standard(), new SlowDmodc(view, Form.DMODC));
            compare("seed " + seed + " strict", view, Dmodc.strict(), new SlowDmodc(view, Form.STRICT));
        }
    }

    @Test
    void shouldMatchSlowTwinOnTwoFabricsInOne() {
        int complete = 0;
        int partial = 0;
        for (int seed = 0; seed < 150; seed++) {
            FabricView view = new PlaneNumbers().number(RandomFabrics.drawTwo(seed));
            compare("two of seed " + seed, view, Dmodc.standard(), new SlowDmodc(view, Form.DMODC));

            if (view.partCount() < 2) {
                continue;
            }
            RoutingResult result = Dmodc.standard().route(view, Parallel.sequential());
            complete += result instanceof RoutingResult.Complete ? 1 : 0;
            partial += result instanceof RoutingResult.Partial ? 1 : 0;
        }
        System.out.println("150 fabrics of two: " + complete + " complete, " + partial + " partial");
        assertThat(complete).isGreaterThan(3);
        assertThat(partial).isGreaterThan(50);
    }

    private static void compare(String what, FabricView view, Dmodc engine, SlowDmodc twin) {
        CostsAndDividers known = engine.costsAndDividers(view, Parallel.sequential());
        compareCosts(what, view, known, twin);

        RoutingResult result = engine.route(view, Parallel.sequential());
        if (liveLeaves(view).isEmpty()) {
            assertThat(result).as(what).isInstanceOf(RoutingResult.Unroutable.class);
            return;
        }
        compareVerdict(what, view, result, twin);
        LftSet tables = tables(result);
        compareNodeTables(what, view, tables, known, twin);
        compareAlternatives(
                what, view, tables, twin, !engine.name().equals(Dmodc.plain().name()));
        assertSame(what, tables, tables(engine.route(view, Parallel.on(pool))));

        LftSet toSwitches = engine.routeSwitches(view, Parallel.sequential());
        compareSwitchTables(what, view, toSwitches, twin);
        assertSame(what, toSwitches, engine.routeSwitches(view, Parallel.on(pool)));
    }

    private static void compareCosts(String what, FabricView view, CostsAndDividers known, SlowDmodc twin) {
        for (int s = 0; s < view.switchCount(); s++) {
            if (known.divider(s) != twin.divider(s)) {
                assertThat((long) known.divider(s))
                        .as("%s: divider of switch %d", what, s)
                        .isEqualTo(twin.divider(s));
            }
            for (int target = 0; target < view.targetCount(); target++) {
                int expected = twin.cost(s, view.targetSwitch(target));
                int cost = known.cost(s, target);
                if (cost != (expected == Integer.MAX_VALUE ? CostsAndDividers.UNREACHABLE : expected)) {
                    assertThat(cost)
                            .as("%s: cost of switch %d to target %d", what, s, target)
                            .isEqualTo(expected);
                }
            }
        }
    }

    private static void compareNodeTables(
            String what, FabricView view, LftSet tables, CostsAndDividers known, SlowDmodc twin) {
        assertThat(tables.epoch()).isEqualTo(view.epoch());
        for (int s = 0; s < view.switchCount(); s++) {
            for (int d = 0; d < view.nodeCount(); d++) {
                if (tables.port(s, d) != twin.portToNode(s, d)) {
                    assertThat(tables.port(s, d))
                            .as("%s: switch %d node %d", what, s, d)
                            .isEqualTo(twin.portToNode(s, d));
                }
            }
            int d = s % view.nodeCount();
            assertThat(Arrays.stream(known.alternatives(s, d)).boxed().toList())
                    .as("%s: alternatives of switch %d node %d", what, s, d)
                    .isEqualTo(twin.alternatives(s, d));
        }
    }

    /** What patterns say of other ports is equation (2); of a plain row they say nothing, as an up–down path is not sure there. */
    private static void compareAlternatives(
            String what, FabricView view, LftSet tables, SlowDmodc twin, boolean strict) {
        for (int s = 0; s < view.switchCount(); s++) {
            int row = s;
            tables.row(s).forEachRun(0, view.nodeCount(), (from, to, pattern) -> {
                Set<Integer> ports = ports(pattern);
                for (int d = from; d < to; d++) {
                    Set<Integer> all = strict ? new TreeSet<>(twin.alternatives(row, d)) : Set.of();
                    if (pattern.interchangeable() ? !ports.equals(all) : all.size() > 1) {
                        assertThat(ports)
                                .as("%s: %s, switch %d node %d", what, pattern, row, d)
                                .isEqualTo(all);
                    }
                }
            });
        }
    }

    private static Set<Integer> ports(PortPattern pattern) {
        Set<Integer> ports = new TreeSet<>();
        for (byte port : pattern.ports()) {
            ports.add(Byte.toUnsignedInt(port));
        }
        return ports;
    }

    private static void compareSwitchTables(String what, FabricView view, LftSet tables, SlowDmodc twin) {
        for (int s = 0; s < view.switchCount(); s++) {
            for (int target = 0; target < view.switchCount(); target++) {
                if (tables.port(s, target) != twin.portToSwitch(s, target)) {
                    assertThat(tables.port(s, target))
                            .as("%s: switch %d to switch %d", what, s, target)
                            .isEqualTo(twin.portToSwitch(s, target));
                }
            }
        }
    }

    /** Section 4.1, and that the named leaves cover what is unreachable and name nobody for nothing. */
    private static void compareVerdict(String what, FabricView view, RoutingResult result, SlowDmodc twin) {
        List<Integer> live = liveLeaves(view);
        List<int[]> unreachable = new ArrayList<>();
        for (int a : live) {
            for (int b : live) {
                if (view.belongTogether(a, b) && twin.cost(a, b) == Integer.MAX_VALUE) {
                    unreachable.add(new int[] {a, b});
                }
            }
        }
        List<Integer> named = result instanceof RoutingResult.Partial partial ? partial.cutOffLeaves() : List.of();
        UpperPairs upper = SlowUpperPairs.of(view, (a, b) -> twin.cost(a, b) != Integer.MAX_VALUE, named);
        if (unreachable.isEmpty() && live.size() == view.leafCount() && upper.isEmpty()) {
            assertThat(result).as(what).isInstanceOf(RoutingResult.Complete.class);
            return;
        }
        assertThat(result).as(what).isInstanceOf(RoutingResult.Partial.class);
        RoutingResult.Partial partial = (RoutingResult.Partial) result;
        assertThat(partial.upperPairs()).as(what).isEqualTo(upper);
        assertThat(partial.unreachableLeafPairs()).as(what).isEqualTo(unreachable.size());
        assertThat(named).as(what).isSorted().doesNotHaveDuplicates();
        assertThat(unreachable).as(what).allMatch(pair -> named.contains(pair[0]) || named.contains(pair[1]));
        assertThat(named)
                .as(what)
                .allMatch(s -> view.isLeaf(s)
                        && (!view.alive(s) || unreachable.stream().anyMatch(pair -> pair[0] == s)));
        assertThat(named).as(what).containsAll(deadLeaves(view));
    }

    private static List<Integer> liveLeaves(FabricView view) {
        return leaves(view).filter(view::alive).boxed().toList();
    }

    private static List<Integer> deadLeaves(FabricView view) {
        return leaves(view).filter(s -> !view.alive(s)).boxed().toList();
    }

    private static IntStream leaves(FabricView view) {
        return IntStream.range(0, view.switchCount()).filter(view::isLeaf);
    }

    private static LftSet tables(RoutingResult result) {
        return result instanceof RoutingResult.Complete complete
                ? complete.tables()
                : ((RoutingResult.Partial) result).tables();
    }

    private static void assertSame(String what, LftSet one, LftSet other) {
        for (int s = 0; s < one.switchCount(); s++) {
            assertThat(one.row(s).sameEntries(other.row(s)))
                    .as("%s: row %d on several threads", what, s)
                    .isTrue();
        }
    }
}
