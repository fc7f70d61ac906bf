package io.dmodc.routing.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.check.Fabrics;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which columns are ordered one by one after a start, when it is not known what was in force before. */
class ChangeWatchTest {
    private final FabricView view = Fabrics.view(PgftGenerator.generate(PgftShape.parse("3;2,2,3;1,2,2;1,2,1")));
    private final LftSet tables = Objects.requireNonNull(
            Dmodc.standard().route(view, Parallel.sequential()).tables());
    private final ChangeWatch watch = new ChangeWatch(view, tables, new BitSet(), true);

    /** Every switch has its row, but for the last. */
    private IntStream suspects(List<LftRow> last) {
        List<List<LftRow>> rows = new ArrayList<>();
        for (int s = 0; s + 1 < view.switchCount(); s++) {
            rows.add(List.of(tables.row(s)));
        }
        rows.add(last);
        return watch.plan(view, RowsInForce.of(tables.entryCount(), rows), tables, new BitSet()).suspects().stream();
    }

    private LftRow lastWith(int column, int port) {
        byte[] entries = tables.row(view.switchCount() - 1).toBytes();
        entries[column] = (byte) port;
        return LftRow.of(entries);
    }

    @Test
    void shouldDoubtNothingThatIsNotKnownToBeThere() {
        assertThat(suspects(List.of())).isEmpty();
        assertThat(suspects(List.of(LftRow.noRoutes(0)))).isEmpty();
        assertThat(suspects(List.of(lastWith(3, LftSet.NO_ROUTE)))).isEmpty();
    }

    @Test
    void shouldDoubtTheColumnsInWhichARowLeadsAnotherWayThanAnyRightOne() {
        int other = tables.port(view.switchCount() - 1, 3) == 1 ? 2 : 1;

        assertThat(suspects(List.of(lastWith(3, other)))).containsExactly(3);
    }

    @Test
    void shouldDoubtThemAlsoIfTheRowWasNotKnownBefore() {
        int other = tables.port(view.switchCount() - 1, 3) == 1 ? 2 : 1;
        suspects(List.of());

        assertThat(suspects(List.of(lastWith(3, other)))).containsExactly(3);
    }

    @Test
    void shouldDoubtNothingAnyMoreOnceAllWasInForce() {
        int other = tables.port(view.switchCount() - 1, 3) == 1 ? 2 : 1;
        suspects(List.of(tables.row(view.switchCount() - 1)));

        assertThat(suspects(List.of(lastWith(3, other)))).isEmpty();
    }
}
