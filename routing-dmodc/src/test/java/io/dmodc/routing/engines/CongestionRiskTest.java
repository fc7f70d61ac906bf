package io.dmodc.routing.engines;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.Parallel;
import io.dmodc.routing.minhop.MinHop;
import io.dmodc.routing.updown.UpDown;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** All-to-all congestion risk of whole fabrics, against the figures published for OpenSM's tables. */
class CongestionRiskTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"3;8,8,16;1,8,8;1,1,1 | 64", "3;24,12,30;1,12,24;1,2,1 | 288"})
    void shouldHaveThePublishedRisk(String shape, int risk) {
        FabricView view =
                PgftGenerator.generate(PgftShape.parse(shape)).build(1, new NodeIndexMap(), new GuidNumbers());
        Parallel here = Parallel.sequential();

        assertThat(OpenSmEnginesBenchmark.risk(
                        view,
                        Objects.requireNonNull(new MinHop().route(view, here).tables())))
                .isEqualTo(risk);
        assertThat(OpenSmEnginesBenchmark.risk(
                        view,
                        Objects.requireNonNull(
                                new UpDown(null).route(view, here).tables())))
                .isEqualTo(risk);
    }
}
