package io.dmodc.routing.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.check.CheckReport.Failure;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.pgft.PgftShape;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The check against its slow twin on random tables of random fabrics. */
class TableCheckTwinTest {
    private static final String[] SHAPES = {
        "2;2,4;1,2;1,1", "2;3,3;1,3;1,2", "3;2,2,3;1,2,2;1,2,1", "3;2,3,2;1,2,3;1,1,1", "3;1,2,4;1,3,2;1,1,2"
    };
    private static final int RUNS = 2_000;

    @Test
    void shouldAgreeWithItsLiteralTwin() {
        long seed = 20_261_121;
        System.out.println("seed " + seed);
        Map<Property, Integer> failing = new EnumMap<>(Property.class);
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
        assertThat(failing.keySet()).containsExactly(Property.values());
        assertThat(failing.values()).allMatch(count -> count > RUNS / 20);
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
    private static Map<Property, Long> counts(CheckReport report) {
        Map<Property, Long> counts = new EnumMap<>(Property.class);
        for (Failure failure : report.failures()) {
            counts.put(failure.property(), failure.property() == Property.ACYCLIC_CHANNELS ? 1 : failure.count());
        }
        return counts;
    }
}
