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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What works and moves to where it may be lost does so before what it came by until then is taken away, in any column.
 *
 * <pre>
 *   l2s0    l2s1   nobody knows what it holds, and it cannot be told
 *    | \    / |
 *    |  \  /  |    leaf0 sends to the host by l2s0, and shall send by l2s1
 *    |   \/   |    l2s0 shall have no route to it
 *    |   /\   |
 *   leaf0  leaf1 — host
 * </pre>
 */
class LostEntriesTest {
    private static final int HOST = 1;

    private final FabricView view = Fabrics.view(PgftGenerator.generate(PgftShape.parse("2;1,2;1,2;1,1")));
    private final LftSet before = Objects.requireNonNull(
            Dmodc.standard().route(view, Parallel.sequential()).tables());

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldMoveWhatMayBeLostBeforeItsWayIsTakenAway(boolean suspect) {
        int leaf = switchNamed("leaf0");
        int old = view.peerSwitch(leaf, before.port(leaf, HOST));
        int unknown = old == switchNamed("l2s0") ? switchNamed("l2s1") : switchNamed("l2s0");
        List<List<LftRow>> inForce = new ArrayList<>();
        LftRow[] next = new LftRow[view.switchCount()];
        for (int s = 0; s < next.length; s++) {
            inForce.add(s == unknown ? List.of() : List.of(before.row(s)));
            next[s] = before.row(s);
        }
        next[leaf] = with(leaf, portTo(leaf, unknown));
        next[old] = with(old, LftSet.NO_ROUTE);
        BitSet untold = new BitSet();
        untold.set(unknown);
        BitSet notRight = new BitSet();
        notRight.set(HOST, suspect);

        ChangePlan plan = new ChangeWatch(view, before, new BitSet())
                .plan(
                        view,
                        RowsInForce.of(before.entryCount(), inForce, untold),
                        new LftSet(1, before.entryCount(), next),
                        notRight);

        assertThat(plan.suspects().get(HOST)).isEqualTo(suspect);
        assertThat(plan.rounds()).isEqualTo(3);
        assertThat(plan.later(leaf, 2).get(HOST)).isTrue();
        assertThat(plan.later(old, 3).get(HOST)).isTrue();
        assertThat(plan.awaited(old, 3).get(leaf)).isTrue();
    }

    private LftRow with(int s, int port) {
        byte[] row = before.row(s).toBytes();
        row[HOST] = (byte) port;
        return LftRow.of(row);
    }

    private int portTo(int s, int other) {
        int port = 1;
        while (view.peerSwitch(s, port) != other) {
            port++;
        }
        return port;
    }

    private int switchNamed(String name) {
        int s = 0;
        while (!view.switchName(s).equals(name)) {
            s++;
        }
        return s;
    }
}
