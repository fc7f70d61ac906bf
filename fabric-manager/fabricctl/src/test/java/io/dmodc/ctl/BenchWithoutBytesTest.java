package io.dmodc.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What {@code bench} tells of a fabric whose tables do not fit into memory as bytes. */
class BenchWithoutBytesTest {
    private static final FabricView VIEW =
            PgftGenerator.generate(PgftShape.parse(Ctl.FIGURE_1)).build(1, new NodeIndexMap(), new GuidNumbers());

    private static BenchReport report(FullRerouteBench full) {
        BenchReport.Phases phases =
                new BenchReport.Phases(full.costs.median(), full.route.median(), null, full.distinctRows(), null, null);
        BenchReport.Degraded degraded = new BenchReport.Degraded(1, 2, 5, 3.0, null, null, null, null, 4096, null);
        return new BenchReport(
                "f", "dmodc", 1_048_576, 3, 4, 1, 2, 5, 6, 7.0, null, null, null, null, null, 8, 9, phases, Map.of(),
                degraded);
    }

    @Test
    void shouldRouteWithoutWriting() throws IOException {
        FullRerouteBench full = new FullRerouteBench(Dmodc.standard(), VIEW, Parallel.sequential(), null)
                .run(new Repetition(2, Long.MAX_VALUE, System::nanoTime));
        JsonNode json = new ObjectMapper().readTree(Json.print(report(full)));

        assertThat(full.distinctRows()).isPositive();
        assertThat(json.get("routesMedianMs").asDouble()).isEqualTo(7);
        for (String absent : new String[] {"fullMedianMs", "floorMedianMs", "ratio"}) {
            assertThat(json.has(absent)).as(absent).isFalse();
        }
    }

    @Test
    void shouldPrintNoFigureThatWasNotMeasured() {
        FullRerouteBench full = new FullRerouteBench(Dmodc.standard(), VIEW, Parallel.sequential(), null)
                .run(new Repetition(2, Long.MAX_VALUE, System::nanoTime));
        StringWriter text = new StringWriter();

        new BenchText(report(full), new PrintWriter(text)).print();

        assertThat(text.toString())
                .contains(
                        "routes, as runs", "7.00 ms", "with 1 switches and 2 links lost: full reroute 3.00 ms as runs")
                .doesNotContain("filling as much", "rows as bytes", "null");
    }
}
