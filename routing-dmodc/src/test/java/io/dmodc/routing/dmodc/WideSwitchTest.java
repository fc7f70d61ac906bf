package io.dmodc.routing.dmodc;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.PlaneNumbers;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Switches with as many ports as a table can name, against the slow twin. */
class WideSwitchTest {
    /** A leaf with 253 uplinks, spines above 254 leaves, bundles of 127 cables, and a leaf of 127 hosts and 127 uplinks. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2;1,3;1,253;1,1|0",
                "2;1,3;1,253;1,1|300",
                "2;1,254;1,2;1,1|0",
                "2;1,254;1,2;1,1|200",
                "3;1,127,2;1,2,1;1,1,127|0",
                "3;1,127,2;1,2,1;1,1,127|400",
                "2;127,4;1,127;1,1|150"
            })
    void shouldRouteAsTheSlowTwinDoes(String shape, int lostCables) {
        FabricView view = degraded(PgftShape.parse(shape), lostCables);
        assertThat(IntStream.range(0, view.switchCount()).map(view::portCount).max())
                .hasValue(FabricView.PORT_MAX);

        compare(view, Dmodc.standard(), new SlowDmodc(view, SlowDmodc.Form.DMODC));
        compare(view, Dmodc.plain(), new SlowDmodc(view, SlowDmodc.Form.PLAIN));
    }

    private static FabricView degraded(PgftShape shape, int lostCables) {
        FabricViewBuilder fabric = PgftGenerator.generateShuffled(shape, new SplittableRandom(1));
        NodeIndexMap nodes = new NodeIndexMap();
        FabricView whole = fabric.build(0, nodes, new GuidNumbers());
        GuidNumbers levels = new GuidNumbers();
        IntStream.range(0, whole.switchCount()).forEach(s -> levels.put(whole.switchGuid(s), whole.rank(s)));
        Degradation.apply(fabric, 0, lostCables, new SplittableRandom(2));
        return new PlaneNumbers().number(fabric.build(1, nodes, levels));
    }

    private static void compare(FabricView view, Dmodc engine, SlowDmodc twin) {
        LftSet tables =
                Objects.requireNonNull(engine.route(view, Parallel.sequential()).tables());
        for (int s = 0; s < view.switchCount(); s++) {
            for (int d = 0; d < view.nodeCount(); d++) {
                if (tables.port(s, d) != twin.portToNode(s, d)) {
                    assertThat(tables.port(s, d))
                            .as("%s: switch %d node %d", engine.name(), s, d)
                            .isEqualTo(twin.portToNode(s, d));
                }
            }
        }
    }
}
