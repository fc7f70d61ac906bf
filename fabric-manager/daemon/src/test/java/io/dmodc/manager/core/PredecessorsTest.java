package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.Removed;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A new switch is plugged in where a spine was that is gone: its four cables led to port 3 of each leaf. */
class PredecessorsTest {
    private static final long FRESH = 0x7700;

    private SimulatedFabric fabric = new SimulatedFabric("2;2,4;1,2;1,1").start();
    private final long spine = fabric.guid("l2s0");

    private void kill() {
        fabric.leave(spine);
        fabric.setLinks(spine, false, true);
        fabric.calm();
    }

    /** Ports from 1 on to the cables of the spine, further ones to ports of the leaves where hosts were. */
    private void plug(int inItsPlace, int elsewhere) {
        fabric.metal.apply(new SwitchSeen(FRESH, "fresh", 8));
        for (int i = 0; i < inItsPlace + elsewhere; i++) {
            boolean its = i < inItsPlace;
            long leaf = fabric.guid("leaf" + (its ? i : i - inItsPlace));
            ToSwitch far = new ToSwitch(leaf, its ? 3 : 1);
            fabric.metal.apply(new PortSeen(FRESH, i + 1, true, far));
            fabric.metal.apply(new PortSeen(leaf, far.port(), true, new ToSwitch(FRESH, i + 1)));
            fabric.setPort(leaf, far.port(), true, true);
        }
        fabric.join(FRESH);
        fabric.pass(120_000 * MILLI);
    }

    private int level() {
        return new Predecessors(fabric.state).levelFor(FRESH);
    }

    @ParameterizedTest
    @CsvSource({"4, 0, 1", "1, 0, 1", "3, 2, 1", "2, 1, 1", "2, 2, -1", "1, 2, -1", "0, 3, -1"})
    void shouldGiveTheLevelOfTheOneThatHadMoreThanHalfOfItsCables(int inItsPlace, int elsewhere, int level) {
        kill();
        plug(inItsPlace, elsewhere);

        assertThat(level()).isEqualTo(level);
    }

    @Test
    void shouldNotTakeForGoneWhoseAgentIsThere() {
        plug(4, 0);

        assertThat(level()).isEqualTo(FabricView.UNRANKED);
    }

    @Test
    void shouldNotCountCablesThatAreDown() {
        kill();
        plug(3, 2);
        for (int i = 0; i < 2; i++) {
            fabric.setPort(fabric.guid("leaf" + i), 3, false, true);
        }
        fabric.calm();

        assertThat(level()).as("one of three that are up").isEqualTo(FabricView.UNRANKED);
    }

    /** Of the old one nothing is known since the restart but that it should be there, and where its cables led. */
    @Test
    void shouldKnowWhereTheCablesLedOfASwitchThatIsOnlyExpected() {
        kill();
        fabric.disk.apply(new Removed(new StateRecord.Key(StateRecord.Kind.SWITCH, spine, 0, "")));
        fabric = fabric.restarted();
        fabric.state.switches.keySet().forEach(fabric::join);
        fabric.calm();
        assertThat(fabric.state.findSwitch(spine)).isNull();

        fabric.metal.apply(new SwitchSeen(FRESH, "fresh", 8));
        ToSwitch last = new ToSwitch(fabric.guid("leaf3"), 3);
        Predecessors before = new Predecessors(fabric.state);
        fabric.metal.apply(new PortSeen(FRESH, 1, true, last));
        fabric.metal.apply(new PortSeen(last.guid(), 3, true, new ToSwitch(FRESH, 1)));
        fabric.setPort(last.guid(), 3, true, true);
        fabric.join(FRESH);
        fabric.pass(120_000 * MILLI);

        assertThat(before.levelFor(FRESH)).isEqualTo(1);
    }
}
