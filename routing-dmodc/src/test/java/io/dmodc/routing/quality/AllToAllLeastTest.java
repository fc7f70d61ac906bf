package io.dmodc.routing.quality;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.check.Fabrics;
import io.dmodc.routing.engines.Engines;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
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

/** The least risk all-to-all traffic can have: never above what there is. */
class AllToAllLeastTest {
    private static @Nullable LftSet tables(String engine, FabricView view) {
        return Engines.named(engine, null).route(view, Parallel.sequential()).tables();
    }

    private static CongestionRisk risk(FabricView view, LftSet tables) {
        return CongestionRisk.of(view, tables, Parallel.sequential(), Progress.NONE);
    }

    @Test
    void shouldNeverBeAboveTheRiskOfAnyEngine() {
        long seed = 20_261_127;
        System.out.println("seed " + seed);
        Map<String, Integer> bounded = new TreeMap<>();
        Map<String, Integer> reached = new TreeMap<>();
        for (int run = 0; run < 1_500; run++) {
            SpoiltFabric fabric = SpoiltFabric.draw(new SplittableRandom(seed + run));
            Map<String, LftSet> made = new TreeMap<>(Map.of("drawn", fabric.tables()));
            for (String engine : List.of("dmodc", "dmodc-strict", "minhop", "updn", "ftree")) {
                LftSet tables = tables(engine, fabric.view());
                if (tables != null) {
                    made.put(engine, tables);
                }
            }
            made.forEach((engine, tables) -> {
                CongestionRisk risk = risk(fabric.view(), tables);
                int least = risk.allToAllLeast();
                assertThat(least).as("%s of %s, %s", engine, seed, fabric).isLessThanOrEqualTo(risk.allToAll());
                bounded.merge(engine, least > 1 ? 1 : 0, Integer::sum);
                reached.merge(engine, least > 1 && least == risk.allToAll() ? 1 : 0, Integer::sum);
            });
        }
        System.out.println("a bound above 1: " + bounded + ", reached: " + reached);
        assertThat(bounded)
                .containsOnlyKeys("drawn", "dmodc", "dmodc-strict", "minhop", "updn", "ftree")
                .allSatisfy((engine, count) -> assertThat(count).isGreaterThan(200));
        assertThat(reached).allSatisfy((engine, count) -> assertThat(count).isGreaterThan(50));
    }

    /** Each risk is tried, from 0 on, on each region and what is beside it. */
    @Test
    void shouldBeWhatItsTwinFinds() {
        long seed = 20_261_128;
        System.out.println("seed " + seed);
        int lost = 0;
        for (int run = 0; run < 500; run++) {
            SpoiltFabric fabric = SpoiltFabric.draw(new SplittableRandom(seed + run));
            CongestionRisk risk = risk(fabric.view(), fabric.tables());
            lost += risk.unroutedPairs() > 0 ? 1 : 0;

            assertThat(risk.allToAllLeast())
                    .as("seed %s", seed + run)
                    .isEqualTo(twin(fabric.view(), risk.unroutedPairs(), risk.pairs()));
        }
        assertThat(lost).isGreaterThan(50);
    }

    private static int twin(FabricView view, long unrouted, long all) {
        int least = all > unrouted ? 1 : 0;
        for (Set<Integer> region : CutLoadsTest.regions(view)) {
            Set<Integer> rest = new HashSet<>();
            for (int s = 0; s < view.switchCount(); s++) {
                if (view.alive(s) && !region.contains(s)) {
                    rest.add(s);
                }
            }
            least = Math.max(least, least(view, region, rest, unrouted));
            least = Math.max(least, least(view, rest, region, unrouted));
        }
        return least;
    }

    private static int least(FabricView view, Set<Integer> from, Set<Integer> to, long unrouted) {
        List<Integer> hosts = new ArrayList<>();
        from.forEach(s -> hosts.add(hosts(view, s)));
        long h = hosts.stream().mapToInt(i -> i).sum();
        long others = to.stream().mapToInt(s -> hosts(view, s)).sum();
        long ports = from.stream().mapToLong(s -> ports(view, s, to)).sum();
        int r = 0;
        while (ports * Math.max(largestSum(hosts, r, 0) * others, r * h) < h * others - unrouted) {
            r++;
        }
        return r;
    }

    private static int hosts(FabricView view, int s) {
        int hosts = 0;
        for (int node = 0; node < view.nodeCount(); node++) {
            hosts += view.nodeSwitch(node) == s ? 1 : 0;
        }
        return hosts;
    }

    private static long ports(FabricView view, int s, Set<Integer> to) {
        long ports = 0;
        for (int port = 1; port <= view.portCount(s); port++) {
            ports += to.contains(view.peerSwitch(s, port)) ? 1 : 0;
        }
        return ports;
    }

    /** Of some of the numbers from one on, not above {@code most}: each is taken, or not. */
    private static long largestSum(List<Integer> numbers, int most, int at) {
        if (at == numbers.size()) {
            return 0;
        }
        long without = largestSum(numbers, most, at + 1);
        int number = numbers.get(at);
        return number == 0 || number > most
                ? without
                : Math.max(without, number + largestSum(numbers, most - number, at + 1));
    }

    /**
     * A leaf: min(h, ⌈(n − h)/u⌉). In the last one, 12 nodes of a pod share 3 cables: 4 would do, but 4 are no whole
     * leaves of 3 nodes, so 6.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1;5;1;1|1",
                "2;4,2;1,4;1,1|1",
                "2;4,2;1,2;1,1|2",
                "2;4,4;1,2;1,1|4",
                "2;4,4;1,4;1,1|3",
                "3;8,8,16;1,8,8;1,1,1|8",
                "3;3,4,4;1,3,1;1,1,1|6"
            })
    void shouldFollowFromPortsAndNodesOfWholeFabrics(String shape, int expected) {
        FabricView view = Fabrics.pgft(shape);

        assertThat(risk(view, Objects.requireNonNull(tables("dmodc", view))).allToAllLeast())
                .isEqualTo(expected);
    }
}
