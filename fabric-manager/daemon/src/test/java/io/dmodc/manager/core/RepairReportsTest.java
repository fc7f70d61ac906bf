package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.FabricEvent.RepairReported;
import io.dmodc.manager.core.LoggedEvent.Kind;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a switch did by itself for a port, dead or up, is in the history, and decides nothing. */
class RepairReportsTest {
    private final SimulatedFabric fabric = new SimulatedFabric("2;2,4;1,2;1,1");
    private final long leaf = fabric.guid("leaf0");
    private int uplink;

    @BeforeEach
    void start() {
        fabric.start();
        uplink = 1;
        while (!(fabric.state.cabling.claim(leaf, uplink) instanceof io.dmodc.topology.FabricChange.ToSwitch)) {
            uplink++;
        }
    }

    private void repaired(long session, int moved, int stranded) {
        fabric.send(new RepairReported(fabric.now, session, leaf, uplink, moved, stranded));
        fabric.work();
    }

    @Test
    void shouldTellEachChangeOnceWithItsCable() {
        long epoch = fabric.state.epoch;

        repaired(fabric.session(leaf), 4, 1);
        repaired(fabric.session(leaf), 4, 1);
        repaired(fabric.session(leaf), 0, 2);
        repaired(fabric.session(leaf), 0, 0);
        repaired(fabric.session(leaf), 0, 0);

        assertThat(fabric.notes(Kind.LOCAL_REPAIR)).hasSize(3).allSatisfy(note -> {
            assertThat(note.guid()).isEqualTo(leaf);
            LoggedEvent.Cable cable = Objects.requireNonNull(note.cable());
            assertThat(cable.port()).isEqualTo(uplink);
            assertThat(cable.peerName()).startsWith("l2s");
        });
        assertThat(fabric.notes(Kind.LOCAL_REPAIR).get(0).text())
                .startsWith("leaf0 port " + uplink + " – l2s")
                .endsWith(": its switch led 4 entries over other ports by itself; 1 entry has no other port");
        assertThat(fabric.notes(Kind.LOCAL_REPAIR).get(1).text()).endsWith(": 2 entries have no other port");
        assertThat(fabric.notes(Kind.LOCAL_REPAIR).get(2).text()).endsWith(": its entries lead by the table again");
        assertThat(fabric.state.epoch).isEqualTo(epoch);
    }

    @Test
    void shouldTellNoMoreThanOneASecondOfAnAgentThatSaysSomethingElseAllTheTime() {
        for (int i = 1; i <= 10_000; i++) {
            fabric.send(new RepairReported(fabric.now, fabric.session(leaf), leaf, uplink, i, 0));
        }
        fabric.work();

        assertThat(fabric.notes(Kind.LOCAL_REPAIR)).hasSize(AgentEventLimit.AT_ONCE_MAX);

        fabric.now += AgentEventLimit.EACH_NANOS;
        repaired(fabric.session(leaf), 0, 0);
        repaired(fabric.session(leaf), 1, 0);

        assertThat(fabric.notes(Kind.LOCAL_REPAIR))
                .hasSize(AgentEventLimit.AT_ONCE_MAX + 1)
                .last()
                .extracting(LoggedEvent::text)
                .asString()
                .endsWith(": its entries lead by the table again; 9488 events like this were left out before it");
    }

    @Test
    void shouldTellOfAnotherSwitchMeanwhile() {
        for (int i = 1; i <= 1_000; i++) {
            fabric.send(new RepairReported(fabric.now, fabric.session(leaf), leaf, uplink, i, 0));
        }
        long other = fabric.guid("leaf1");
        fabric.send(new RepairReported(fabric.now, fabric.session(other), other, uplink, 1, 0));
        fabric.work();

        assertThat(fabric.notes(Kind.LOCAL_REPAIR))
                .last()
                .extracting(LoggedEvent::guid)
                .isEqualTo(other);
    }

    @Test
    void shouldPassOverWhatALateSessionSays() {
        repaired(fabric.session(leaf) + 1, 4, 0);

        assertThat(fabric.notes(Kind.LOCAL_REPAIR)).isEmpty();
    }
}
