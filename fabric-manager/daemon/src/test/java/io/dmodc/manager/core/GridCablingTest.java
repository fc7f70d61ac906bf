package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.FabricEvent.PortsReported;
import io.dmodc.routing.vtftr.SpareMode;
import io.dmodc.routing.vtftr.VtftrEngine;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.grid.GridGenerator;
import io.dmodc.topology.grid.GridShape;
import io.dmodc.topology.pgft.Degradation.Cable;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is not cabled as in a grid is told, once, and the rest is routed. */
class GridCablingTest {
    private static final String GRID = "4x4;hosts=1;roots=2,2";

    private static SimulatedFabric started(FabricViewBuilder metal) {
        SimulatedFabric fabric = new SimulatedFabric(metal);
        VtftrEngine engine = new VtftrEngine(SpareMode.PAPER);
        for (Effect.Method method : Effect.Method.values()) {
            fabric.engines.put(method, engine);
        }
        return fabric.start();
    }

    private static List<String> told(SimulatedFabric fabric) {
        return fabric.notes(LoggedEvent.Kind.LEVELS_LEARNT).stream()
                .map(LoggedEvent::text)
                .toList();
    }

    @Test
    void shouldSayThatAFabricIsAGrid() {
        SimulatedFabric fabric = started(GridGenerator.generate(GridShape.parse(GRID)));

        assertThat(told(fabric)).singleElement().asString().endsWith("learnt from 64 links: a grid of 4x4 leaves");
    }

    @Test
    void shouldTellACableIntoAnotherRowOnceAndRouteTheRest() {
        SimulatedFabric fabric = started(GridGenerator.generate(GridShape.parse(GRID)));
        long leaf = fabric.guid("leaf1-0");
        long root = fabric.guid("row3-0");
        Cable own = fabric.cable(leaf, fabric.guid("row1-0"));
        fabric.setCable(own, false, true);
        Cable other = fabric.cable(fabric.guid("leaf3-3"), root);
        fabric.setCable(other, false, true);
        fabric.calm();

        connect(fabric, leaf, own.port(), root, other.farPort());
        fabric.calm();
        fabric.setCable(fabric.cable(fabric.guid("leaf2-2"), fabric.guid("row2-1")), false, true);
        fabric.calm();

        assertThat(told(fabric).subList(1, told(fabric).size()))
                .containsExactly("not cabled as a grid: leaf1-0 is cabled to row3-0 of row 3, expected row 1");
        assertThat(fabric.state.cutOff()).isEmpty();
        assertThat(fabric.state.outstanding()).isZero();
    }

    private static void connect(SimulatedFabric fabric, long one, int port, long other, int otherPort) {
        for (PortSeen seen : List.of(
                new PortSeen(one, port, true, new ToSwitch(other, otherPort)),
                new PortSeen(other, otherPort, true, new ToSwitch(one, port)))) {
            fabric.metal.apply(seen);
            fabric.send(new PortsReported(fabric.now, fabric.session(seen.guid()), seen.guid(), false, List.of(seen)));
        }
    }

    @Test
    void shouldTellEmptyPlacesOfARaggedGridButNotDeadLeaves() {
        FabricViewBuilder metal = GridGenerator.generate(GridShape.parse(GRID));
        SimulatedFabric whole = new SimulatedFabric(metal);
        long missing = whole.guid("leaf2-1");
        FabricViewBuilder ragged = new FabricViewBuilder();
        for (String name : names()) {
            long guid = whole.guid(name);
            if (guid != missing) {
                ragged.apply(new SwitchSeen(guid, name, metal.portCount(guid)));
                for (int port = 1; port <= metal.portCount(guid); port++) {
                    if (!(metal.neighbour(guid, port) instanceof ToSwitch to && to.guid() == missing)) {
                        ragged.apply(new PortSeen(guid, port, true, metal.claim(guid, port)));
                    }
                }
            }
        }

        SimulatedFabric fabric = started(ragged);
        long dead = fabric.guid("leaf0-0");
        fabric.leave(dead);
        fabric.setLinks(dead, false, true);
        fabric.calm();

        assertThat(told(fabric)).hasSize(2);
        assertThat(told(fabric).get(1)).isEqualTo("not cabled as a grid: no leaf in row 2 and column 1");
        assertThat(fabric.state.cutOff()).containsExactly("leaf0-0");
    }

    private static List<String> names() {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < 4; j++) {
                names.add("leaf" + i + "-" + j);
            }
            for (int k = 0; k < 2; k++) {
                names.add("row" + i + "-" + k);
                names.add("column" + i + "-" + k);
            }
        }
        return names;
    }
}
