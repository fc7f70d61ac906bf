package io.dmodc.manager.northbound.answer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.dmodc.manager.northbound.answer.PathAnswer.Hop;
import io.dmodc.manager.northbound.answer.PathWalk.Held;
import io.dmodc.routing.LftRow;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Two leaves with two nodes each (ports 1 and 2), two spines; leaf ports 3 and 4 lead up, spine ports 1 and 2 down. */
class PathWalkTest {
    private final FabricViewBuilder cabling = PgftGenerator.generate(PgftShape.parse("2;2,2;1,2;1,1"));
    private final Map<Long, Held> tables = new HashMap<>();

    PathWalkTest() {
        FabricView view = view();
        table(view, 0, 1, 2, 3, 3);
        table(view, 1, 3, 3, 1, 2);
        table(view, 2, 1, 1, 2, 2);
        table(view, 3, 1, 1, 2, 2);
    }

    private FabricView view() {
        return cabling.build(5, new NodeIndexMap(), new GuidNumbers());
    }

    private void table(FabricView view, int s, int... ports) {
        byte[] row = new byte[ports.length];
        for (int d = 0; d < row.length; d++) {
            row[d] = (byte) ports[d];
        }
        tables.put(view.switchGuid(s), new Held(LftRow.of(row), s != 2, false));
    }

    private PathAnswer walk(int from, int to) {
        return new PathWalk(view(), 5, tables::get, DownCables.none()).walk(from, to);
    }

    @Test
    void shouldFollowTheTables() {
        PathAnswer path = walk(0, 3);

        assertThat(path.delivered()).isTrue();
        assertThat(path.epoch()).isEqualTo(5);
        assertThat(path.hops())
                .extracting(Hop::name, Hop::port, Hop::next, Hop::acked)
                .containsExactly(
                        tuple("leaf0", 3, "l2s0", true),
                        tuple("l2s0", 2, "leaf1", false),
                        tuple("leaf1", 2, "node3", true));
    }

    @Test
    void shouldDeliverToTheNodeItself() {
        assertThat(walk(1, 1).hops()).extracting(Hop::port).containsExactly(2);
    }

    @Test
    void shouldNoticeALoop() {
        table(view(), 2, 1, 1, 1, 1);

        PathAnswer path = walk(0, 3);

        assertThat(path.delivered()).isFalse();
        assertThat(path.end()).isEqualTo("leaf0 was passed before: a loop");
        assertThat(path.hops()).hasSize(3);
    }

    @Test
    void shouldStopAtADeadLink() {
        long leaf = view().switchGuid(0);
        ToSwitch spine = new ToSwitch(view().switchGuid(2), 1);
        cabling.apply(new PortSeen(leaf, 3, false, spine));

        assertThat(walk(0, 3).end()).isEqualTo("leaf0 port 3 has no live link");
        assertThat(walk(0, 3).hops().get(0).next()).isEmpty();
    }

    @Test
    void shouldStopAtADeadSwitch() {
        cabling.apply(new SwitchState(view().switchGuid(0), false));

        assertThat(walk(0, 3).end()).isEqualTo("leaf0 is dead");
    }

    @Test
    void shouldNoticeTheWrongNode() {
        table(view(), 1, 3, 3, 1, 1);

        assertThat(walk(0, 3).end()).isEqualTo("leaf1 port 1 leads to another node");
    }

    @Test
    void shouldNoticeAPortTheSwitchHasNot() {
        table(view(), 0, 1, 2, 9, 9);

        assertThat(walk(0, 3).end()).isEqualTo("leaf0 sends it to port 9, which it has not");
    }

    @Test
    void shouldStopWhereThereIsNoTable() {
        tables.remove(view().switchGuid(2));

        PathAnswer path = walk(0, 3);

        assertThat(path.end()).isEqualTo("l2s0 has no route to node3");
        assertThat(path.hops().get(1)).isEqualTo(new Hop(path.hops().get(1).guid(), "l2s0", 0, "", false, false));
    }
}
