package io.dmodc.routing.vtftr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class TurnTablesTest {
    @Test
    void shouldHoldEachSegmentOnce() {
        TurnTables tables = GridFabric.square(8).tables(SpareMode.PAPER);

        Set<byte[]> segments = Collections.newSetFromMap(new IdentityHashMap<>());
        for (byte[][] leaf : tables.injection) {
            segments.addAll(List.of(leaf));
        }

        assertThat(segments).hasSize(2 * 8);
    }

    @Test
    void shouldSpreadTheNodesOfALeafOverAllRoots() {
        TurnTables tables = GridFabric.grid("4x4;hosts=4;roots=4,2").tables(SpareMode.PAIRWISE);

        for (int destination = 1; destination < 4; destination++) {
            Set<Integer> roots = new TreeSet<>();
            for (int host = 0; host < 4; host++) {
                roots.add(tables.root(0, Turn.ROW, destination, host));
            }
            assertThat(roots).containsExactly(0, 1, 2, 3);
        }
    }

    @Test
    void shouldLeaveOutRootsWithoutACableToTheLeafToBeReached() {
        GridFabric fabric = GridFabric.grid("4x4;hosts=4;roots=4,2");
        FabricView view = fabric.view();
        for (Cable cable : Degradation.cables(view)) {
            String root = view.switchName(view.switchOf(cable.farGuid()));
            String leaf = view.switchName(view.switchOf(cable.guid()));
            if (root.equals("row0-2") && leaf.equals("leaf0-3")) {
                fabric.cut(cable);
            }
        }
        TurnTables tables = fabric.tables(SpareMode.PAIRWISE);

        for (int host = 0; host < 4; host++) {
            assertThat(tables.root(0, Turn.ROW, 3, host)).isIn(0, 1, 3);
            assertThat(tables.root(0, Turn.ROW, 1, host)).isIn(0, 1, 2, 3);
        }
        assertThat(tables.state().whole()).isTrue();
    }

    @Test
    void shouldRefuseToWriteAGridInParts() {
        GridFabric fabric = GridFabric.grid("4x4;hosts=1;roots=1,1");
        fabric.cut(Degradation.cables(fabric.view()).get(0));
        TurnTables tables = fabric.tables(SpareMode.PAPER);

        assertThatThrownBy(() -> TurnDumpWriter.write(tables, List.of(), new StringBuilder()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("roots or cables are lost");
    }

    @Test
    void shouldRefuseAGridOfAnotherFabric() {
        GridFabric small = GridFabric.square(3);
        GridFabric large = GridFabric.square(4);

        assertThatThrownBy(() -> GridState.of(small.grid(), large.view()))
                .hasMessage("a grid of 3 rows and 21 switches does not describe a view of 32 switches");
    }

    @Test
    void shouldChangeTheChannelAtOneTurnOnly() {
        assertThat(VcMap.next(InputClass.HOST, 1, Turn.ROW)).isZero();
        assertThat(VcMap.next(InputClass.ROW, 1, Turn.COLUMN)).isEqualTo(1);
        assertThat(VcMap.next(InputClass.COLUMN, 0, Turn.ROW)).isEqualTo(1);
        assertThat(VcMap.next(InputClass.COLUMN, 1, Turn.ROW)).isEqualTo(VcMap.DROP);
        assertThat(VcMap.next(InputClass.ROW, 0, Turn.ROW)).isEqualTo(VcMap.DROP);
    }
}
