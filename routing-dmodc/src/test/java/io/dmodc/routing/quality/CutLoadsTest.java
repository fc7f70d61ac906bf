package io.dmodc.routing.quality;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.check.Fabrics;
import io.dmodc.routing.engines.Engines;
import io.dmodc.routing.quality.LiteralRisk.Flow;
import io.dmodc.topology.FabricView;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The least risk there can be: never above what there is, and what Dmodc reaches on whole fabrics. */
class CutLoadsTest {
    private static final int PERMUTATIONS = 20;

    private static final int FABRICS = 375 * Integer.getInteger("more", 1);

    private static CongestionRisk dmodc(String shape) {
        FabricView view = Fabrics.pgft(shape);
        return risk(view, Objects.requireNonNull(tables("dmodc", view)));
    }

    private static @Nullable LftSet tables(String engine, FabricView view) {
        return Engines.named(engine, null).route(view, Parallel.sequential()).tables();
    }

    private static CongestionRisk risk(FabricView view, LftSet tables) {
        return CongestionRisk.of(view, tables, Parallel.sequential(), Progress.NONE);
    }

    /** Tables of all kinds, those that lose packets too. */
    @Test
    void shouldBeWhatItsTwinCountsAndNeverAboveTheRisk() {
        long seed = 20_261_125;
        System.out.println("seed " + seed);
        int above = 0;
        for (int run = 0; run < 500; run++) {
            String what = "seed " + (seed + run);
            SpoiltFabric fabric = SpoiltFabric.draw(new SplittableRandom(seed + run));
            CongestionRisk risk = risk(fabric.view(), fabric.tables());
            LiteralRisk twin = new LiteralRisk(fabric.view(), fabric.tables());
            List<Set<Integer>> regions = regions(fabric.view());
            PatternRisk shifts = risk.shifts(Progress.NONE);
            RiskSeries least = shifts.least();
            for (int i = 0; i < shifts.patternCount(); i++) {
                List<Flow> flows = twin.shift(shifts.number(i));
                assertThat(least.get(i))
                        .as("%s, shift by %d", what, shifts.number(i))
                        .isEqualTo(least(fabric.view(), twin, flows, regions));
            }
            above += assertBelow(what, shifts);
            above += assertBelow(what, risk.permutations(PERMUTATIONS, seed, Progress.NONE));
        }
        System.out.println(above + " patterns have a bound above 1");
        assertThat(above).isGreaterThan(1_000);
    }

    @Test
    void shouldNeverBeAboveTheRiskOfAnyEngine() {
        long seed = 20_261_126;
        System.out.println("seed " + seed);
        Map<String, Integer> bounded = new TreeMap<>();
        for (int run = 0; run < FABRICS; run++) {
            SpoiltFabric fabric = SpoiltFabric.draw(new SplittableRandom(seed + run));
            for (String engine : List.of("dmodc", "dmodc-strict", "minhop", "updn")) {
                LftSet tables = tables(engine, fabric.view());
                if (tables != null) {
                    CongestionRisk risk = risk(fabric.view(), tables);
                    String what = engine + ", seed " + (seed + run);
                    int above = assertBelow(what, risk.shifts(Progress.NONE))
                            + assertBelow(what, risk.permutations(PERMUTATIONS, seed, Progress.NONE));
                    bounded.merge(engine, above, Integer::sum);
                }
            }
        }
        System.out.println("patterns with a bound above 1: " + bounded);
        assertThat(bounded)
                .hasSize(4)
                .allSatisfy((engine, count) -> assertThat(count).isGreaterThan(FABRICS * 2 / 3));
    }

    private static int assertBelow(String what, PatternRisk patterns) {
        int above = 0;
        RiskSeries least = patterns.least();
        for (int i = 0; i < patterns.patternCount(); i++) {
            assertThat(least.get(i))
                    .as("%s, pattern %d", what, i)
                    .isLessThanOrEqualTo(patterns.whole().get(i));
            above += least.get(i) > 1 ? 1 : 0;
        }
        return above;
    }

    /** Each switch with nodes; from each live switch what can be walked to over ranks 0..r. */
    static List<Set<Integer>> regions(FabricView view) {
        Set<Set<Integer>> regions = new HashSet<>();
        for (int s = 0; s < view.switchCount(); s++) {
            if (view.alive(s)) {
                regions.add(Set.of(s));
            }
            for (int rank = 1; rank < view.rankMax(); rank++) {
                if (isBelow(view, s, rank)) {
                    regions.add(walk(view, s, rank));
                }
            }
        }
        return List.copyOf(regions);
    }

    private static Set<Integer> walk(FabricView view, int from, int rank) {
        Set<Integer> seen = new HashSet<>(Set.of(from));
        Deque<Integer> open = new ArrayDeque<>(seen);
        while (!open.isEmpty()) {
            int s = open.pop();
            for (int port = 1; port <= view.portCount(s); port++) {
                int remote = view.peerSwitch(s, port);
                if (remote >= 0 && isBelow(view, remote, rank) && seen.add(remote)) {
                    open.push(remote);
                }
            }
        }
        return seen;
    }

    private static boolean isBelow(FabricView view, int s, int rank) {
        return view.alive(s) && view.rank(s) >= 0 && view.rank(s) <= rank;
    }

    private static int least(FabricView view, LiteralRisk twin, List<Flow> flows, List<Set<Integer>> regions) {
        List<Flow> arriving =
                flows.stream().filter(flow -> twin.unrouted(List.of(flow)) == 0).toList();
        int least = arriving.isEmpty() ? 0 : 1;
        for (Set<Integer> region : regions) {
            int out = 0;
            int in = 0;
            for (Flow flow : arriving) {
                boolean from = region.contains(view.nodeSwitch(flow.from()));
                boolean to = region.contains(view.nodeSwitch(flow.to()));
                out += from && !to ? 1 : 0;
                in += to && !from ? 1 : 0;
            }
            int ports = 0;
            for (int s : region) {
                for (int port = 1; port <= view.portCount(s); port++) {
                    int remote = view.peerSwitch(s, port);
                    ports += remote >= 0 && !region.contains(remote) ? 1 : 0;
                }
            }
            least = ports == 0 ? least : Math.max(least, (int) Math.ceil(Math.max(out, in) / (double) ports));
        }
        return least;
    }

    /** Oversubscribed at the leaves, between pods, and not at all. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2;4,4;1,4;1,1|1",
                "2;4,4;1,2;1,1|2",
                "2;6,4;1,2;1,1|3",
                "2;4,4;1,2;1,2|1",
                "3;4,4,4;1,4,2;1,1,1|2",
                "3;4,4,4;1,4,4;1,1,1|1",
                "3;4,2,3;1,2,4;1,2,1|1"
            })
    void shouldBeWhatDmodcReachesOnWholeFabrics(String shape, int expected) {
        PatternRisk shifts = dmodc(shape).shifts(Progress.NONE);

        assertThat(shifts.least().max()).isEqualTo(expected);
        assertThat(shifts.least().max()).isEqualTo(shifts.whole().max());
    }

    /** A leaf of 4 hosts and 2 cables: of the shift by 1 three flows stay, of the one by 3 a single one does. */
    @Test
    void shouldCountWhatStaysAtALeaf() {
        RiskSeries least = dmodc("2;4,4;1,2;1,1").shifts(Progress.NONE).least();

        assertThat(new int[] {least.get(0), least.get(1), least.get(2), least.get(3)})
                .containsExactly(1, 1, 2, 2);
        assertThat(least.get(14)).isEqualTo(1);
    }
}
