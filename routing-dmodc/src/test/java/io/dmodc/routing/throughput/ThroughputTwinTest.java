package io.dmodc.routing.throughput;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.check.Fabrics;
import io.dmodc.routing.check.NaiveTables;
import io.dmodc.routing.engines.Engines;
import io.dmodc.routing.traffic.Endpoints;
import io.dmodc.routing.traffic.TrafficPattern;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.pgft.PgftShape;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Loads and max-min rates against water filling, word by word. */
class ThroughputTwinTest {
    private static final int RUNS = 300;
    private static final List<String> SHAPES =
            List.of("2;2,4;1,2;1,1", "2;4,4;1,2;1,1", "2;3,3;1,3;1,2", "3;2,2,3;1,2,2;1,2,1", "3;2,2,2;1,2,1;1,1,2");
    private static final List<String> ENGINES = List.of("dmodc", "minhop", "updn", "minimal", "shortest", "spoilt");
    private static final List<String> PATTERNS =
            List.of("uniform", "permutation", "shift:3", "bit-complement", "bit-reverse", "shuffle", "transpose");

    @Test
    void shouldAgreeWithWaterFillingOnDegradedFabrics() {
        long seed = 20_261_125;
        System.out.println("seed " + seed);
        Map<String, Integer> compared = new TreeMap<>();
        int unrouted = 0;
        int uneven = 0;
        for (int run = 0; run < RUNS; run++) {
            SplittableRandom random = new SplittableRandom(seed + run);
            FabricView view = Fabrics.spoiltView(PgftShape.parse(SHAPES.get(random.nextInt(SHAPES.size()))), random);
            String engine = ENGINES.get(random.nextInt(ENGINES.size()));
            LftSet tables = tables(engine, view, random);
            Endpoints nodes = new Endpoints(view);
            for (String name : PATTERNS) {
                if (tables == null || nodes.count() < 2 || !fits(name, nodes.count())) {
                    continue;
                }
                TrafficPattern pattern = TrafficPattern.named(name, nodes.count(), seed);
                Fraction offered = Fraction.of(1 + random.nextInt(10), 10);
                String what = "seed " + (seed + run) + ", " + engine + ", " + name + ", offered " + offered;

                Throughput found = Throughput.of(nodes, pattern, new TableRoutes(view, tables), offered);

                compare(what, found, twin(view, tables, nodes, pattern, offered), nodes, pattern.isUniform());
                compared.merge(engine, 1, Integer::sum);
                unrouted += found.unroutedFlows() > 0 ? 1 : 0;
                uneven += found.min().compareTo(found.mean()) < 0 && found.unroutedFlows() == 0 ? 1 : 0;
            }
        }
        System.out.println(compared + ", with unrouted flows " + unrouted + ", without, but uneven " + uneven);
        assertThat(compared).containsOnlyKeys(ENGINES);
        assertThat(unrouted).isGreaterThan(RUNS / 10);
        assertThat(uneven).isGreaterThan(RUNS / 10);
    }

    private static boolean fits(String name, int nodes) {
        int bits = Integer.numberOfTrailingZeros(nodes);
        boolean power = nodes == 1 << bits;
        return switch (name) {
            case "uniform", "permutation", "shift:3" -> true;
            case "transpose" -> power && bits % 2 == 0;
            default -> power;
        };
    }

    private static @Nullable LftSet tables(String engine, FabricView view, SplittableRandom random) {
        return switch (engine) {
            case "minimal" -> NaiveTables.set(view, NaiveTables.minimal(view, random));
            case "shortest" -> NaiveTables.set(view, NaiveTables.shortest(view, random));
            case "spoilt" -> {
                byte[][] rows = NaiveTables.minimal(view, random);
                NaiveTables.spoil(view, rows, 1 + random.nextInt(view.switchCount() * 2), random);
                yield NaiveTables.set(view, rows);
            }
            default ->
                Engines.named(engine, null).route(view, Parallel.sequential()).tables();
        };
    }

    private static WaterFilling twin(
            FabricView view, LftSet tables, Endpoints nodes, TrafficPattern pattern, Fraction offered) {
        WaterFilling twin = new WaterFilling(view, tables);
        for (int i = 0; i < nodes.count(); i++) {
            for (int d = 0; d < nodes.count(); d++) {
                if (pattern.isUniform() ? i != d : pattern.destination(i) == d) {
                    twin.send(nodes.node(i), nodes.node(d));
                }
            }
        }
        twin.fill(pattern.isUniform() ? offered.over(nodes.count() - 1) : offered);
        return twin;
    }

    private static void compare(String what, Throughput found, WaterFilling twin, Endpoints nodes, boolean uniform) {
        Fraction sum = Fraction.ZERO;
        Fraction min = Fraction.ONE;
        for (int i = 0; i < nodes.count(); i++) {
            Fraction sent = twin.sent(nodes.node(i));
            sum = sum.plus(sent);
            min = min.min(sent);
        }
        assertThat(found.unroutedFlows()).as(what).isEqualTo(twin.unrouted);
        assertThat(found.flows()).as(what).isEqualTo(twin.unrouted + twin.flows.size());
        assertThat(found.maxChannelLoad())
                .as(what)
                .isEqualTo(Fraction.of(twin.most(), uniform ? nodes.count() - 1 : 1));
        assertThat(found.mean()).as(what).isEqualTo(sum.over(nodes.count()));
        assertThat(found.min()).as(what).isEqualTo(min);
    }
}
