package io.dmodc.manager.northbound.answer;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.northbound.answer.PathAnswer.Hop;
import io.dmodc.manager.northbound.answer.PathWalk.Held;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftRowEdit;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.TurnTableSet;
import io.dmodc.routing.vtftr.SpareMode;
import io.dmodc.routing.vtftr.VtftrEngine;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.grid.GridGenerator;
import io.dmodc.topology.grid.GridShape;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A grid of 3 x 3 leaves with a host each, node r · 3 + c at leaf (r, c), and one root for each row and column. */
class GridPathWalkTest {
    private final FabricViewBuilder cabling = GridGenerator.generate(GridShape.parse("3x3;hosts=1;roots=1,1"));
    private final NodeIndexMap nodes = new NodeIndexMap();
    private final GuidNumbers levels = new GuidNumbers();
    private final Map<Long, Held> tables = new HashMap<>();

    private FabricView view() {
        return cabling.build(5, nodes, levels);
    }

    private void route() {
        FabricView view = view();
        TurnTableSet made = (TurnTableSet) Objects.requireNonNull(new VtftrEngine(SpareMode.PAPER)
                .route(view, Parallel.sequential())
                .made());
        for (int s = 0; s < view.switchCount(); s++) {
            levels.put(view.switchGuid(s), view.rank(s));
            put(view.switchGuid(s), made.row(s));
        }
    }

    private void put(long guid, LftRow row) {
        tables.put(guid, new Held(row, true, false));
    }

    private PathAnswer walk(int from, int to) {
        return new PathWalk(view(), 5, tables::get, DownCables.none()).walk(from, to);
    }

    @Test
    void shouldGoByRowFirst() {
        route();

        assertThat(walk(0, 5).delivered()).isTrue();
        assertThat(walk(0, 5).hops())
                .extracting(Hop::name)
                .containsExactly("leaf0-0", "row0-0", "leaf0-2", "column2-0", "leaf1-2");
    }

    @Test
    void shouldGoByColumnFirstRoundADeadCorner() {
        route();
        FabricView view = view();
        cabling.apply(new SwitchState(view.switchGuid(view.nodeSwitch(2)), false));
        route();

        assertThat(walk(0, 5).hops())
                .extracting(Hop::name)
                .containsExactly("leaf0-0", "column0-0", "leaf1-0", "row1-0", "leaf1-2");
    }

    /** From a column to a row it turned once; a second time there is no channel for it. */
    @Test
    void shouldStopWhereAPacketMayNotTurnAgain() {
        route();
        FabricView view = view();
        long leaf = view.switchGuid(view.nodeSwitch(0));
        LftRowEdit edit =
                new LftRowEdit(Objects.requireNonNull(tables.get(leaf)).row());
        edit.put(TurnTableSet.CHANNEL_MAP, TurnTableSet.NONE);
        put(leaf, edit.build());

        PathAnswer path = walk(0, 5);

        assertThat(path.delivered()).isFalse();
        assertThat(path.end()).isEqualTo("leaf0-0 may not send it on: it has turned from a column to a row before");
    }
}
