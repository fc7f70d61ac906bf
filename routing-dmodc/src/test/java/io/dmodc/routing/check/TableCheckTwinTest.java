package io.dmodc.routing.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.check.CheckReport.Failure;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.PgftShape;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The check against its slow twin on random tables of random fabrics. */
class TableCheckTwinTest {
    private static final String[] SHAPES = {
        "2;2,4;1,2;1,1", "2;3,3;1,3;1,2", "3;2,2,3;1,2,2;1,2,1", "3;2,3,2;1,2,3;1,1,1", "3;1,2,4;1,3,2;1,1,2"
    };
    private static final String[] LARGER = {"2;16,80;1,3;1,1", "2;150,9;1,3;1,2", "3;5,9,25;1,2,2;1,1,1"};
    private static final int RUNS = 500 * Integer.getInteger("more", 1);

    @Test
    void shouldAgreeWithItsLiteralTwin() {
        long seed = 20_261_121;
        System.out.println("seed " + seed);
        Map<TableProperty, Integer> failing = new EnumMap<>(TableProperty.class);
        int valid = 0;
        for (int run = 0; run < RUNS; run++) {
            SplittableRandom random = new SplittableRandom(seed + run);
            FabricView view = Fabrics.spoiltView(PgftShape.parse(SHAPES[run % SHAPES.length]), random);
            boolean toSwitches = run % 7 == 0;
            LftSet tables = NaiveTables.set(view, rows(view, toSwitches, random));

            CheckReport report = toSwitches
                    ? TableCheck.checkSwitchTables(view, tables, Parallel.sequential())
                    : TableCheck.check(view, tables, Parallel.sequential());

            LiteralCheck twin = new LiteralCheck(view, tables, toSwitches);
            assertThat(counts(report)).as("seed %d", seed + run).isEqualTo(twin.failures());
            assertThat(report.pairs()).as("seed %d", seed + run).isEqualTo(twin.pairs);
            report.failures().forEach(failure -> failing.merge(failure.property(), 1, Integer::sum));
            valid += report.valid() ? 1 : 0;
        }
        System.out.println(RUNS + " tables, valid " + valid + ", failing " + failing);
        assertThat(valid).isGreaterThan(RUNS / 10);
        assertThat(failing.keySet()).containsExactly(TableProperty.values());
        assertThat(failing.values()).allMatch(count -> count > RUNS / 20);
    }

    @Test
    void shouldAgreeWithItsLiteralTwinOnRuns() {
        long seed = 20_261_121;
        System.out.println("seed " + seed);
        Map<TableProperty, Integer> failing = new EnumMap<>(TableProperty.class);
        int valid = 0;
        for (int run = 0; run < RUNS; run++) {
            SplittableRandom random = new SplittableRandom(seed + run);
            FabricView view = runView(run, random);
            RoutingEngine engine = run % 3 == 0 ? Dmodc.plain() : Dmodc.standard();
            LftSet tables = engine.route(view, Parallel.sequential()).tables();
            if (tables != null) {
                int spoilt = random.nextInt(3) == 0 ? random.nextInt(4) : 0;
                LftSet runs = RunTables.spoilt(view, tables, spoilt, random);

                CheckReport report = TableCheck.check(view, runs, Parallel.sequential());

                LiteralCheck twin = new LiteralCheck(view, runs, false);
                assertThat(counts(report)).as("seed %d", seed + run).isEqualTo(twin.failures());
                assertThat(report.pairs()).as("seed %d", seed + run).isEqualTo(twin.pairs);
                requireSameOfWrittenRows(view, runs, report, seed + run);
                report.failures().forEach(failure -> failing.merge(failure.property(), 1, Integer::sum));
                valid += report.valid() ? 1 : 0;
            }
        }
        System.out.println(RUNS + " tables of runs, valid " + valid + ", failing " + failing);
        assertThat(valid).isGreaterThan(RUNS / 3);
        assertThat(failing.keySet()).containsExactly(TableProperty.values());
    }

    /** Also examples and order: rows of single entries take another way through the check. */
    private static void requireSameOfWrittenRows(FabricView view, LftSet runs, CheckReport report, long seed) {
        LftSet written = RunTables.written(runs);
        assertThat(TableCheck.check(view, written, Parallel.sequential()))
                .as("seed %d", seed)
                .isEqualTo(report);
        assertThat(TableCheck.check(view, written, SurplusEntryRule.NOTED, Parallel.sequential()))
                .as("seed %d, noted", seed)
                .isEqualTo(TableCheck.check(view, runs, SurplusEntryRule.NOTED, Parallel.sequential()));
    }

    /** One in 50 has several spans of columns and several words of homes; a third have scattered node indices. */
    private static FabricView runView(int run, SplittableRandom random) {
        String shape = run % 50 == 0 ? LARGER[run / 50 % LARGER.length] : SHAPES[run % SHAPES.length];
        GuidNumbers levels = new GuidNumbers();
        FabricViewBuilder fabric = Fabrics.spoilt(PgftShape.parse(shape), levels, random);
        if (random.nextBoolean()) {
            Degradation.apply(fabric, 0, Fabrics.view(fabric).linkCount() / 2, random);
        }
        NodeIndexMap nodes = random.nextInt(3) == 0 ? scattered(Fabrics.view(fabric), random) : new NodeIndexMap();
        return fabric.build(1, nodes, random.nextBoolean() ? levels : new GuidNumbers());
    }

    /** Indices without order, some of them without a host. */
    private static NodeIndexMap scattered(FabricView view, SplittableRandom random) {
        GuidNumbers nodes = new GuidNumbers();
        int[] free = IntStream.range(0, view.nodeCount() + 5).toArray();
        for (int node = 0; node < view.nodeCount(); node++) {
            int at = node + random.nextInt(free.length - node);
            int index = free[at];
            free[at] = free[node];
            nodes.put(view.nodeGuid(node), index);
        }
        return NodeIndexMap.parse("scattered", nodes.lines());
    }

    private static byte[][] rows(FabricView view, boolean toSwitches, SplittableRandom random) {
        if (toSwitches) {
            byte[][] rows = NaiveTables.minimalToSwitches(view, random);
            NaiveTables.spoil(view, rows, random.nextInt(3), random);
            return rows;
        }
        int kind = random.nextInt(4);
        byte[][] rows = kind == 0 ? NaiveTables.shortest(view, random) : NaiveTables.minimal(view, random);
        int spoilt = kind == 1 ? random.nextInt(3) : kind == 2 ? random.nextInt(view.switchCount() * 4) : 0;
        NaiveTables.spoil(view, rows, spoilt, random);
        return rows;
    }

    /** Channels count as one: the twin only knows whether there is a circle. */
    private static Map<TableProperty, Long> counts(CheckReport report) {
        Map<TableProperty, Long> counts = new EnumMap<>(TableProperty.class);
        for (Failure failure : report.failures()) {
            counts.put(failure.property(), failure.property() == TableProperty.ACYCLIC_CHANNELS ? 1 : failure.count());
        }
        return counts;
    }
}
