package io.dmodc.routing.dmodc;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.Parallel;
import io.dmodc.routing.Rerouter;
import io.dmodc.routing.Tables;
import io.dmodc.routing.dmodc.SlowDmodc.Form;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.PlaneNumbers;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Long lives of plane numbers, and the tables that rest on them, against twins: {@link PlaneHistory}. */
class PlaneHistoryTest {
    private static final int EVENTS = 40;

    static LongStream seeds() {
        return LongStream.range(0, 30);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void shouldNumberAndRouteAsTheTwinsDoWhateverHappens(long seed) {
        PlaneHistory history = new PlaneHistory(seed);
        Rerouter rerouter = Dmodc.standard().rerouter();
        for (int event = 0; event < EVENTS; event++) {
            String what = "seed " + seed + " event " + event;
            FabricView view = history.view();
            assertThat(numbers(history.planes()))
                    .as(what)
                    .isEqualTo(history.twin().numbers());

            Tables tables = rerouter.route(view, Parallel.sequential()).tables();
            Tables anew = Dmodc.standard().route(view, Parallel.sequential()).tables();
            if (tables != null && anew != null) {
                compareWithTwin(what, view, tables, history);
                compareWithOtherIndices(what, view, tables, history.viewWithOtherIndices());
                for (int s = 0; s < view.switchCount(); s++) {
                    assertThat(tables.row(s).sameEntries(anew.row(s)))
                            .as("%s: reroute, row %d", what, s)
                            .isTrue();
                }
            }
            history.next();
        }
    }

    private static Map<Long, Integer> numbers(PlaneNumbers planes) {
        Map<Long, Integer> numbers = new TreeMap<>(Long::compareUnsigned);
        GuidNumbers.parse("test", planes.lines(), PlaneNumbers.NUMBER_MAX).forEach(numbers::put);
        return numbers;
    }

    private static void compareWithTwin(String what, FabricView view, Tables tables, PlaneHistory history) {
        Map<Long, Integer> planes = history.byGuid() ? Map.of() : history.twin().numbers();
        SlowDmodc twin = new SlowDmodc(view, Form.DMODC, planes);
        for (int s = 0; s < view.switchCount(); s++) {
            byte[] row = tables.row(s).toBytes();
            for (int d = 0; d < view.nodeCount(); d++) {
                int expected = twin.portToNode(s, d);
                if ((row[d] & 0xff) != expected) {
                    assertThat(row[d] & 0xff)
                            .as("%s: switch %d to node %d", what, s, d)
                            .isEqualTo(expected);
                }
            }
        }
    }

    private static void compareWithOtherIndices(String what, FabricView view, Tables tables, FabricView more) {
        Tables moved = Dmodc.standard().route(more, Parallel.sequential()).tables();
        for (int s = 0; s < view.switchCount() && moved != null; s++) {
            assertThat(moved.row(more.switchOf(view.switchGuid(s))).sameEntries(tables.row(s)))
                    .as("%s: other indices, row %d", what, s)
                    .isTrue();
        }
    }
}
