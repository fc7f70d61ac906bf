package io.dmodc.routing.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.check.Fabrics;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Dmodc's quality as others found it: Zahavi 2010 on whole fabrics, an independent implementation on degraded ones. */
class CongestionRiskPaperTest {
    private static final String SMALL = "3;8,8,16;1,8,8;1,1,1";
    private static final String LARGE = "3;24,12,30;1,12,24;1,2,1";

    private final ForkJoinPool pool = new ForkJoinPool(2);

    @AfterEach
    void endThreads() {
        pool.shutdown();
    }

    private CongestionRisk dmodc(FabricView view) {
        Parallel parallel = Parallel.on(pool);
        LftSet tables =
                Objects.requireNonNull(Dmodc.standard().route(view, parallel).tables());
        return CongestionRisk.of(view, tables, parallel, Progress.NONE);
    }

    /** "D-mod-k routing providing non-blocking traffic for shift permutations": no port carries two flows of a shift. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "1;6;1;1",
                "2;4,4;1,4;1,1",
                "2;6,5;1,3;1,2",
                "3;4,4,4;1,4,4;1,1,1",
                "3;4,2,3;1,2,4;1,2,1",
                "3;2,3,4;1,1,3;1,2,2",
                "4;2,2,2,3;1,2,2,2;1,1,1,1",
                "4;3,2,2,2;1,3,1,2;1,1,2,2"
            })
    void shouldNotBlockAnyShiftOnWholeFabricsOfFullBisection(String shape) {
        PatternRisk shifts = dmodc(Fabrics.pgft(shape)).shifts(Progress.NONE);

        assertThat(shifts.whole().max()).isEqualTo(1);
        assertThat(shifts.whole().mean()).isEqualTo(1);
    }

    /** With half the uplinks two flows must share: the test above would notice a count that never rises. */
    @Test
    void shouldBlockShiftsTwiceWhereHalfTheBisectionIsMissing() {
        assertThat(dmodc(Fabrics.pgft("2;4,4;1,2;1,1"))
                        .shifts(Progress.NONE)
                        .whole()
                        .max())
                .isEqualTo(2);
    }

    /** Reference figures of docs/algorithms/quality.md: all-to-all, median of 1,000 permutations, mean of all shifts. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {SMALL + "|15|5", LARGE + "|29|6"})
    void shouldMatchTheReferenceFiguresOfWholeFabrics(String shape, int allToAll, int permutations) {
        CongestionRisk risk = dmodc(Fabrics.pgft(shape));
        PatternRisk shifts = risk.shifts(Progress.NONE);

        assertThat(risk.allToAll()).isEqualTo(allToAll);
        assertThat(shifts.whole().max()).isEqualTo(1);
        assertThat(shifts.patternCount()).isEqualTo(risk.nodeCount() - 1);
        assertThat(risk.permutations(1_000, 1, Progress.NONE).whole().median()).isEqualTo(permutations);
    }

    /**
     * The other rows, 5 % and 20 % of the switches above the leaves removed. Which ones is chance, so the figures agree only
     * as far as different draws agree with each other: permutations by 1, shifts by 15 %, all-to-all by 25 %.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {SMALL + "|10|25|5|3.65", SMALL + "|38|49|7|5.55"})
    void shouldComeNearTheReferenceFiguresOfDegradedFabrics(
            String shape, int removed, int allToAll, int permutations, double shiftMean) {
        CongestionRisk risk = dmodc(degraded(shape, removed, 1));

        assertThat(risk.unroutedPairs()).isZero();
        assertThat((double) risk.allToAll()).isCloseTo(allToAll, Percentage.withPercentage(25));
        assertThat(risk.permutations(1_000, 1, Progress.NONE).whole().median()).isCloseTo(permutations, within(1));
        assertThat(risk.shifts(Progress.NONE).whole().mean()).isCloseTo(shiftMean, Percentage.withPercentage(15));
    }

    /** The last rows, in which nothing is that the others have not, each by itself. */
    @ParameterizedTest
    @EnabledIfSystemProperty(named = "trials", matches = "|true")
    @CsvSource(
            delimiter = '|',
            value = {LARGE + "|32|51|7|3.92", LARGE + "|130|79|8|5.98"})
    void shouldComeNearTheReferenceFiguresOfALargeDegradedFabric(
            String shape, int removed, int allToAll, int permutations, double shiftMean) {
        shouldComeNearTheReferenceFiguresOfDegradedFabrics(shape, removed, allToAll, permutations, shiftMean);
    }

    /** Levels as designed: faults turn no link around. */
    private static FabricView degraded(String shape, int switches, long seed) {
        FabricViewBuilder fabric = PgftGenerator.generate(PgftShape.parse(shape));
        FabricView whole = Fabrics.view(fabric);
        GuidNumbers levels = new GuidNumbers();
        for (int s = 0; s < whole.switchCount(); s++) {
            levels.put(whole.switchGuid(s), whole.rank(s));
        }
        Degradation.apply(fabric, switches, 0, new SplittableRandom(seed));
        return fabric.build(2, new NodeIndexMap(), levels);
    }
}
