package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** How many tables a switch is given when a cable is back: two where an agent takes them, one where they are loaded in batches. */
class BatchedTablesTest {
    /** By switch, how many pushes. */
    private static Map<Long, Long> tablesAfterReturn(SimulatedFabric fabric) {
        Cable cable = Degradation.cables(fabric.whole()).get(0);
        fabric.setCable(cable, false, true);
        fabric.calm();
        fabric.log.clear();
        fabric.setCable(cable, true, true);
        fabric.calm();
        return fabric.log.stream()
                .filter(effect -> effect instanceof Effect.Push)
                .map(effect -> ((Effect.Push) effect).update().guid())
                .collect(Collectors.groupingBy(guid -> guid, Collectors.counting()));
    }

    @Test
    void shouldGiveAnAgentAtOnceWhatNeedNotWait() {
        assertThat(tablesAfterReturn(new SimulatedFabric("3;8,4,4;1,4,4;1,1,1").start())
                        .values())
                .contains(2L);
    }

    /** Of a switch that does not take its table meanwhile nobody knows whether it would. */
    @Test
    void shouldBlameNoSwitchWhileTheSubnetManagerTakesNoTables() {
        SimulatedFabric fabric = new SimulatedFabric("3;2,2,3;1,2,2;1,2,1");
        fabric.countSessionsFrom(SwitchRecord.BATCHED_SESSIONS);
        fabric.start();
        long leaf = fabric.guid("leaf0");
        fabric.deaf.add(leaf);
        fabric.send(new FabricEvent.SubnetManagerReported(fabric.now, List.of("no opensm"), true));
        fabric.setCable(Degradation.cables(fabric.whole()).get(0), false, true);
        fabric.work();

        fabric.pass(600_000 * SimulatedFabric.MILLI);
        assertThat(fabric.state.switches.get(leaf).flagged).isFalse();
        assertThat(fabric.state.switches.get(leaf).outstanding).isTrue();

        fabric.send(new FabricEvent.SubnetManagerReported(fabric.now, List.of(), false));
        fabric.pass(600_000 * SimulatedFabric.MILLI);
        assertThat(fabric.state.switches.get(leaf).flagged).isTrue();
    }

    @Test
    void shouldGiveASwitchWithoutAnAgentAllAtOnce() {
        SimulatedFabric fabric = new SimulatedFabric("3;8,4,4;1,4,4;1,1,1");
        fabric.countSessionsFrom(SwitchRecord.BATCHED_SESSIONS);

        assertThat(tablesAfterReturn(fabric.start()).values()).isNotEmpty().containsOnly(1L);
    }
}
