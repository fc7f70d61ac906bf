package io.dmodc.routing.quality;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.check.Fabrics;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.topology.FabricView;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The least risk of shifts: nobody is below it, and where it is known what can be reached it says that. */
class ShiftBoundTest {
    private static CongestionRisk risk(FabricView view, LftSet tables) {
        return CongestionRisk.of(view, tables, Parallel.sequential(), Progress.NONE);
    }

    /** Whatever made the tables: engines, chance, mistakes. */
    @Test
    void shouldNeverBeAboveTheRiskOfAnyTables() {
        long seed = 20_261_125;
        System.out.println("seed " + seed);
        int bounded = 0;
        int above = 0;
        for (int run = 0; run < 3_000; run++) {
            SpoiltFabric fabric = SpoiltFabric.draw(new SplittableRandom(seed + run));
            CongestionRisk risk = risk(fabric.view(), fabric.tables());
            PatternRisk shifts = risk.shifts(Progress.NONE);
            RiskSeries least = risk.leastOfShifts(shifts);

            assertThat(least == null).isEqualTo(risk.unroutedPairs() > 0);
            for (int i = 0; least != null && i < least.size(); i++) {
                assertThat(least.get(i))
                        .as("seed %d, shift by %d", seed + run, shifts.number(i))
                        .isBetween(1, shifts.whole().get(i));
                above += least.get(i) > 1 ? 1 : 0;
            }
            bounded += least == null ? 0 : 1;
        }
        System.out.println(bounded + " of 3,000 have a bound, " + above + " shifts one above 1");
        assertThat(bounded).isGreaterThan(500);
        assertThat(above).isGreaterThan(1_000);
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
        FabricView view = Fabrics.pgft(shape);
        CongestionRisk risk = risk(
                view,
                Objects.requireNonNull(
                        Dmodc.standard().route(view, Parallel.sequential()).tables()));
        PatternRisk shifts = risk.shifts(Progress.NONE);
        RiskSeries least = Objects.requireNonNull(risk.leastOfShifts(shifts));

        assertThat(least.max()).isEqualTo(expected);
        assertThat(least.max()).isEqualTo(shifts.whole().max());
    }

    /** A leaf of 4 hosts and 2 cables: of the shift by 1 three flows stay, of the one by 3 a single one does. */
    @Test
    void shouldCountWhatStaysAtALeaf() {
        FabricView view = Fabrics.pgft("2;4,4;1,2;1,1");
        CongestionRisk risk = risk(
                view,
                Objects.requireNonNull(
                        Dmodc.standard().route(view, Parallel.sequential()).tables()));
        RiskSeries least = Objects.requireNonNull(risk.leastOfShifts(risk.shifts(Progress.NONE)));

        assertThat(new int[] {least.get(0), least.get(1), least.get(2), least.get(3)})
                .containsExactly(1, 1, 2, 2);
        assertThat(least.get(14)).isEqualTo(1);
    }
}
