package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.Alarm.Kind;
import io.dmodc.manager.core.FabricEvent.PortsReported;
import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.LastAlarm;
import io.dmodc.manager.state.StateRecord.OpenAlarm;
import io.dmodc.manager.state.StateRecord.Removed;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.Host;
import io.dmodc.topology.pgft.Degradation.Cable;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which alarms a restart keeps, drops, or finds; and under which other ones they are. */
class AlarmRestartTest {
    private SimulatedFabric fabric = new SimulatedFabric("2;2,4;1,2;1,1").start();
    private final long leaf = fabric.guid("leaf0");
    private final long spine = fabric.guid("l2s0");
    private final Cable uplink = fabric.cable(leaf, spine);

    private List<Alarm> alarms(Kind kind) {
        return fabric.state.alarms().stream()
                .filter(alarm -> alarm.kind() == kind)
                .toList();
    }

    private Alarm only(Kind kind) {
        assertThat(alarms(kind)).as("%s among %s", kind, fabric.state.alarms()).hasSize(1);
        return alarms(kind).get(0);
    }

    private void kill(long guid) {
        fabric.leave(guid);
        fabric.setLinks(guid, false, true);
        fabric.calm();
    }

    /** The cabling really says so: the spine's port names a host where a leaf is. */
    private void contradict() {
        PortSeen seen = new PortSeen(spine, 1, true, new ToHost(new Host(0x77, 0x77, 1, "strange")));
        fabric.metal.apply(seen);
        fabric.send(new PortsReported(fabric.now, fabric.session(spine), spine, false, List.of(seen)));
    }

    @Test
    void shouldNeverUseTheNumberOfAnAlarmAgainThatWasMendedBeforeARestart() {
        fabric.setPort(leaf, 1, false, true);
        fabric.calm();
        fabric.setPort(leaf, 1, true, true);
        fabric.calm();
        assertThat(fabric.state.alarms()).isEmpty();
        assertThat(fabric.disk.all(LastAlarm.class)).containsExactly(new LastAlarm(1));

        fabric = fabric.restarted().start();
        fabric.setPort(leaf, 2, false, true);
        fabric.calm();

        assertThat(only(Kind.HOST_DOWN).id()).isEqualTo(2);
    }

    /** Of that switch nothing is known but that it should be there. */
    @Test
    void shouldMissASwitchThatIsOnlyExpected() {
        fabric.disk.apply(new Removed(new StateRecord.Key(StateRecord.Kind.SWITCH, spine, 0, "")));
        fabric = fabric.restarted();
        fabric.state.switches.keySet().forEach(fabric::join);
        fabric.calm();

        assertThat(fabric.state.findSwitch(spine)).isNull();
        assertThat(only(Kind.SWITCH_MISSING).guid()).isEqualTo(spine);
        assertThat(only(Kind.SWITCH_MISSING).text())
                .isEqualTo("l2s0: no agent has come in for it since the manager started");
        assertThat(alarms(Kind.LINK_DOWN))
                .hasSize(4)
                .allSatisfy(alarm ->
                        assertThat(fabric.state.snapshot().parentOf(alarm)).isEqualTo(only(Kind.SWITCH_MISSING)));

        fabric.join(spine);
        fabric.calm();
        assertThat(fabric.state.alarms()).isEmpty();
    }

    @Test
    void shouldKeepNumberAndTimeOfAContradictionOverARestart() {
        fabric.pass(3_000 * MILLI);
        contradict();
        fabric.pass(5_000 * MILLI);
        Alarm before = only(Kind.CABLE_DISAGREES);

        fabric = fabric.restarted().start();
        fabric.pass(5_000 * MILLI);

        assertThat(only(Kind.CABLE_DISAGREES).id()).isEqualTo(before.id());
        assertThat(only(Kind.CABLE_DISAGREES).sinceMillis()).isEqualTo(before.sinceMillis());
    }

    @Test
    void shouldDropAContradictionThatIsNoneAfterARestart() {
        contradict();
        fabric.pass(5_000 * MILLI);
        assertThat(alarms(Kind.CABLE_DISAGREES)).hasSize(1);
        fabric.metal.apply(new PortSeen(spine, 1, true, new ToSwitch(leaf, uplink.port())));

        fabric = fabric.restarted().start();

        assertThat(fabric.disk.all(OpenAlarm.class)).isEmpty();
    }

    /** The first tables of the new manager say whether it still is so; until then the alarm is waited for. */
    @Test
    void shouldKeepNumberAndTimeOfACutOffLeafUntilTablesAreComputed() {
        fabric.setLinks(leaf, false, true);
        fabric.calm();
        Alarm before = only(Kind.LEAF_CUT_OFF);

        fabric = fabric.restarted();
        fabric.state.switches.keySet().forEach(fabric::join);
        fabric.holdComputations = true;
        fabric.work();
        fabric.finishComputation(true);
        assertThat(fabric.state.computing())
                .as("the tables of the last run are known")
                .isTrue();
        assertThat(fabric.disk.all(OpenAlarm.class)).anyMatch(alarm -> alarm.id() == before.id());
        fabric.finishComputation(false);
        fabric.calm();

        assertThat(only(Kind.LEAF_CUT_OFF).id()).isEqualTo(before.id());
        assertThat(only(Kind.LEAF_CUT_OFF).causeEpoch()).isEqualTo(before.causeEpoch());
    }

    @Test
    void shouldSayThatACableIsHeldDown() {
        fabric.setCable(uplink, false, true);
        fabric.work();
        assertThat(only(Kind.LINK_DOWN).text()).isEqualTo("link leaf0 port 3 – l2s0 port 1 down");
        fabric.setCable(uplink, true, true);
        fabric.work();

        assertThat(only(Kind.LINK_HELD).text()).isEqualTo("link leaf0 port 3 – l2s0 port 1 held down, it flapped");
        assertThat(fabric.state.alarmCount(Kind.LINK_DOWN)).isZero();
    }

    private void assertCablesUnderTheDeadSwitch() {
        Alarm dead = only(Kind.SWITCH_DEAD);
        assertThat(alarms(Kind.LINK_DOWN))
                .hasSize(4)
                .allSatisfy(alarm ->
                        assertThat(fabric.state.snapshot().parentOf(alarm)).isEqualTo(dead));
    }

    /** As many as there are of each kind: none hides the others. */
    @Test
    void shouldPutCablesUnderADeadSwitchBesideAHeadlessOne() {
        fabric.leave(leaf);
        fabric.calm();
        assertThat(alarms(Kind.SWITCH_HEADLESS)).hasSize(1);

        kill(spine);

        assertCablesUnderTheDeadSwitch();
    }

    @Test
    void shouldPutCablesUnderADeadSwitchBesideAMissingOne() {
        long other = fabric.guid("leaf3");
        fabric = fabric.restarted();
        fabric.state.switches.keySet().stream().filter(guid -> guid != other).forEach(fabric::join);
        fabric.calm();
        assertThat(alarms(Kind.SWITCH_MISSING)).hasSize(1);

        kill(spine);

        assertCablesUnderTheDeadSwitch();
    }

    /** The text of an alarm follows what is known, its number and time stay. */
    @Test
    void shouldTellAnewWhatIsOtherwiseWithTheSameAlarm() {
        fabric.setPort(leaf, 1, false, true);
        fabric.calm();
        Alarm before = only(Kind.HOST_DOWN);
        fabric.pass(1_000 * MILLI);

        fabric.leave(leaf);
        fabric.metal.apply(new SwitchSeen(leaf, "renamed", 4));
        fabric.join(leaf);
        fabric.calm();

        assertThat(only(Kind.HOST_DOWN).text()).contains("at renamed port 1");
        assertThat(only(Kind.HOST_DOWN).id()).isEqualTo(before.id());
        assertThat(only(Kind.HOST_DOWN).sinceMillis()).isEqualTo(before.sinceMillis());
        assertThat(fabric.state.alarmCount(Kind.HOST_DOWN)).isEqualTo(1);
    }
}
