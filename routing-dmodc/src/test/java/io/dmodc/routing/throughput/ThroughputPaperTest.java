package io.dmodc.routing.throughput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dmodc.routing.Parallel;
import io.dmodc.routing.check.Fabrics;
import io.dmodc.routing.dmodk.Dmodk;
import io.dmodc.routing.traffic.Endpoints;
import io.dmodc.routing.traffic.TrafficPattern;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.pgft.PgftShape;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Figures that another implementation of max-min fairness found for tables of Dmodk, and that BookSim2 came near to. */
class ThroughputPaperTest {
    private static final String WHOLE = "2;16,16;1,16;1,1";
    private static final String TAPERED = "3;8,8,4;1,8,4;1,1,1";

    private static Throughput dmodk(String shape, String pattern, Fraction offered) {
        FabricView view = Fabrics.pgft(shape);
        Endpoints nodes = new Endpoints(view);
        return Throughput.of(
                nodes,
                TrafficPattern.named(pattern, nodes.count(), 1),
                new TableRoutes(
                        view,
                        Objects.requireNonNull(new Dmodk(PgftShape.parse(shape))
                                .route(view, Parallel.sequential())
                                .tables())),
                offered);
    }

    /** The VTFTR paper's simulation anchors: load 0.9, tables of Dmodk; means to four digits. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                WHOLE + "|bit-complement|1|0.9|9/10",
                WHOLE + "|shuffle|2|0.55|1/2",
                WHOLE + "|transpose|15|0.11875|1/15",
                TAPERED + "|bit-complement|2|0.5|1/2",
                TAPERED + "|shuffle|4|0.4|1/4",
                TAPERED + "|transpose|8|0.18125|1/8"
            })
    void shouldFindTheMaxMinFiguresOfDmodkOnPermutations(
            String shape, String pattern, int maxChannelLoad, double mean, String min) {
        Throughput found = dmodk(shape, pattern, Fraction.of(9, 10));

        assertThat(found.maxChannelLoad()).isEqualTo(Fraction.of(maxChannelLoad, 1));
        assertThat(found.mean().toDouble()).isEqualTo(mean);
        assertThat(found.min()).hasToString(min);
        assertThat(found.unroutedFlows()).isZero();
    }

    /** 192 of 255 destinations are in other pods, and 64 nodes share 32 cables: 64 · 192 / 255 / 32. */
    @Test
    void shouldFindTheFluidBoundOfUniformTraffic() {
        Throughput tapered = dmodk(TAPERED, "uniform", Fraction.ONE);
        Throughput whole = dmodk(WHOLE, "uniform", Fraction.of(9, 10));

        assertThat(tapered.maxChannelLoad()).isEqualTo(Fraction.of(64 * 192, 255 * 32));
        assertThat(tapered.saturation()).isEqualTo(Fraction.of(255, 384));
        assertThat(tapered.mean()).isEqualTo(Fraction.of(63 * 2 + 255, 255 * 2));
        assertThat(whole.saturation()).isEqualTo(Fraction.ONE);
        assertThat(whole.mean()).isEqualTo(Fraction.of(9, 10));
    }

    @Test
    void shouldCarryEveryShiftOfAWholeFabricInFull() {
        for (int k = 1; k < 256; k += 17) {
            assertThat(dmodk(WHOLE, "shift:" + k, Fraction.ONE).min()).isEqualTo(Fraction.ONE);
        }
    }

    @Test
    void shouldRefuseLoadsNobodyCanOffer() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> dmodk(WHOLE, "uniform", Fraction.of(11, 10)))
                .withMessage("offered load 11/10; expected more than 0 and at most 1");
        assertThatIllegalArgumentException().isThrownBy(() -> dmodk(WHOLE, "uniform", Fraction.ZERO));
    }
}
