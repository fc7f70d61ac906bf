package io.dmodc.routing.engines;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.SlowUpperPairs;
import io.dmodc.routing.UpperPairs;
import io.dmodc.routing.dmodc.RandomFabrics;
import io.dmodc.routing.minhop.MinHop;
import io.dmodc.routing.minhop.MinHopEngine;
import io.dmodc.routing.minhop.MinHopTables;
import io.dmodc.routing.minhop.TargetChoice;
import io.dmodc.routing.updown.UpDown;
import io.dmodc.topology.FabricView;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Both engines against {@link LiteralOpenSm}, entry by entry, on seeded damaged and mis-cabled fabrics. */
class OpenSmTwinTest {
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
        return LongStream.range(0, 2L * Integer.getInteger("more", 1));
    }

    @ParameterizedTest(name = "seeds {0}00..{0}99")
    @MethodSource("batches")
    void shouldDoAsOpenSmDoesOnDamagedFabrics(long batch) {
        for (long seed = batch * FABRICS_A_BATCH; seed < (batch + 1) * FABRICS_A_BATCH; seed++) {
            FabricView view = RandomFabrics.draw(seed);
            LiteralOpenSm minhop = LiteralOpenSm.minhop(view);
            compare("seed " + seed, view, new MinHop(), new BitSet(), minhop);

            BitSet roots = new UpDown(null).roots(view, Parallel.sequential());
            assertThat(roots).as("seed %d: roots", seed).isEqualTo(minhop.roots());
            if (!roots.isEmpty() && linksJoinNeighbouringRanks(view, LiteralOpenSm.ranks(view, roots))) {
                compare("seed " + seed, view, new UpDown(null), roots, LiteralOpenSm.updn(view, roots));
            }
        }
    }

    /** Elsewhere OpenSM keeps the direction it came with first, and may climb again: see {@link UpDownLegalityTest}. */
    static boolean linksJoinNeighbouringRanks(FabricView view, int[] rank) {
        return IntStream.range(0, view.switchCount())
                .allMatch(s -> IntStream.rangeClosed(1, view.portCount(s))
                        .map(port -> view.peerSwitch(s, port))
                        .allMatch(remote -> remote < 0 || rank[remote] != rank[s]));
    }

    private static void compare(
            String what, FabricView view, MinHopEngine engine, BitSet roots, LiteralOpenSm literal) {
        String name = what + " " + engine.name();
        MinHopTables minHops = engine.minHops(view, roots, TargetChoice.ALL, Parallel.sequential());
        int[] ports = new int[FabricView.PORT_MAX];
        for (int s = 0; s < view.switchCount(); s++) {
            for (int t = 0; t < view.switchCount(); t++) {
                int count = minHops.ports(s, t, ports);
                List<Integer> found =
                        IntStream.range(0, count).mapToObj(i -> ports[i]).toList();
                if (minHops.hops(s, t) != literal.hops[s][t][0] || !found.equals(literal.ports(s, t))) {
                    assertThat(minHops.hops(s, t))
                            .as("%s: hops %d to %d", name, s, t)
                            .isEqualTo(literal.hops[s][t][0]);
                    assertThat(found).as("%s: ports %d to %d", name, s, t).isEqualTo(literal.ports(s, t));
                }
            }
        }
        RoutingResult result = engine.route(view, Parallel.sequential());
        assertThat(result.tables() == null).as(name).isEqualTo(liveLeaves(view).isEmpty());
        if (result.tables() != null) {
            compareTables(name, literal.tables(false), Objects.requireNonNull(result.tables()));
            compareTables(
                    name,
                    literal.tables(false),
                    Objects.requireNonNull(engine.route(view, Parallel.on(pool)).tables()));
            compareVerdict(name, view, result, literal);
        }
        compareTables(name + " to switches", literal.tables(true), engine.routeSwitches(view, Parallel.on(pool)));
    }

    private static void compareTables(String what, int[][] rows, LftSet tables) {
        for (int s = 0; s < rows.length; s++) {
            for (int d = 0; d < rows[s].length; d++) {
                if (tables.port(s, d) != rows[s][d]) {
                    assertThat(tables.port(s, d))
                            .as("%s: switch %d to %d", what, s, d)
                            .isEqualTo(rows[s][d]);
                }
            }
        }
    }

    private static void compareVerdict(String what, FabricView view, RoutingResult result, LiteralOpenSm literal) {
        List<Integer> live = liveLeaves(view);
        long unreachable = live.stream()
                .mapToLong(a -> live.stream()
                        .filter(b -> view.belongTogether(a, b) && literal.hops[a][b][0] == LiteralOpenSm.NONE)
                        .count())
                .sum();
        List<Integer> named = result instanceof RoutingResult.Partial cut ? cut.cutOffLeaves() : List.of();
        UpperPairs upper = SlowUpperPairs.of(view, (a, b) -> literal.hops[a][b][0] != LiteralOpenSm.NONE, named);
        if (unreachable == 0 && live.size() == view.leafCount() && upper.isEmpty()) {
            assertThat(result).as(what).isInstanceOf(RoutingResult.Complete.class);
            return;
        }
        RoutingResult.Partial partial = (RoutingResult.Partial) result;
        assertThat(partial.upperPairs()).as(what).isEqualTo(upper);
        assertThat(partial.unreachableLeafPairs()).as(what).isEqualTo(unreachable);
        assertThat(partial.cutOffLeaves()).as(what).isSorted().doesNotHaveDuplicates();
        assertThat(live)
                .as(what)
                .allMatch(a -> partial.cutOffLeaves().contains(a)
                        || live.stream()
                                .allMatch(b -> partial.cutOffLeaves().contains(b)
                                        || !view.belongTogether(a, b)
                                        || literal.hops[a][b][0] < LiteralOpenSm.NONE));
    }

    private static List<Integer> liveLeaves(FabricView view) {
        return IntStream.range(0, view.leafCount())
                .map(view::targetSwitch)
                .filter(view::alive)
                .boxed()
                .toList();
    }
}
