package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.FabricEvent.Doubt;
import io.dmodc.manager.core.FabricEvent.PortsReported;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.Guid;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who is asked about a contradiction, when it counts, and when it is over. */
class ContradictionTest {
    private final SimulatedFabric fabric = new SimulatedFabric("2;2,4;1,2;1,1").start();
    private final long leaf = fabric.guid("leaf0");
    private final long other = fabric.guid("leaf1");
    private final long spine = fabric.guid("l2s0");
    private final Neighbour host = Objects.requireNonNull(fabric.metal.claim(leaf, 1));

    /** Else the spines' ports would be contradicted, too. */
    @BeforeEach
    void pullOutBothCablesOfTheFirstLeaf() {
        says(spine, 1, false, new ToSwitch(leaf, 3), Map.of());
        says(fabric.guid("l2s1"), 1, false, new ToSwitch(leaf, 4), Map.of());
    }

    private void says(long guid, int port, boolean up, Neighbour far, Map<Integer, Doubt> doubts) {
        PortSeen seen = new PortSeen(guid, port, up, far);
        fabric.metal.apply(seen);
        fabric.send(new PortsReported(fabric.now, fabric.session(guid), guid, false, List.of(seen), doubts));
        fabric.work();
    }

    private void says(long guid, int port, Neighbour far) {
        says(guid, port, true, far, Map.of());
    }

    private List<Effect.QueryPorts> asked(int from) {
        return fabric.log.subList(from, fabric.log.size()).stream()
                .filter(Effect.QueryPorts.class::isInstance)
                .map(Effect.QueryPorts.class::cast)
                .toList();
    }

    private List<String> told() {
        return fabric.notes(Kind.CABLE_DISAGREES).stream()
                .map(LoggedEvent::text)
                .toList();
    }

    @Test
    void shouldAskOnceTheEndThatHasNotSpoken() {
        int before = fabric.log.size();
        says(leaf, 3, new ToSwitch(spine, 2));

        assertThat(asked(before)).containsExactly(new Effect.QueryPorts(fabric.session(spine), List.of(2)));
        assertThat(fabric.state.disagreements.undecided()).isTrue();
        fabric.pass(1_999 * MILLI);
        assertThat(asked(before)).hasSize(1);
        assertThat(told()).isEmpty();
        fabric.pass(MILLI);

        assertThat(told())
                .containsExactly(
                        "cable: leaf0 port 3 says it leads to l2s0 port 2, and that one says to leaf1 port 3; not used");
        assertThat(fabric.state.disagreements.undecided()).isFalse();
        assertThat(fabric.step.nextDeadline()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldSayWhichHostTwoPortsNameBesideTheText() {
        says(other, 1, host);
        fabric.pass(2_000 * MILLI);

        ToHost to = (ToHost) host;
        assertThat(told())
                .containsExactly("host " + to.host().name() + " ("
                        + Guid.format(to.host().portGuid())
                        + "): leaf1 port 1 and leaf0 port 1 both say to have it; leaf0 port 1 keeps it");
        assertThat(fabric.notes(Kind.CABLE_DISAGREES).get(0).cable())
                .isEqualTo(
                        new LoggedEvent.Cable(1, to.host().portGuid(), to.host().name(), 0));
        assertThat(fabric.state.disagrees(other, 1)).isTrue();
        assertThat(fabric.state.disagrees(leaf, 1)).as("it has the host").isFalse();
        assertThat(fabric.state.alarmCount(Alarm.Kind.CABLE_DISAGREES)).isEqualTo(1);
    }

    /** What it says is another thing now: that one has to last, too. */
    @Test
    void shouldWaitAnewWhenThePortSaysSomethingElse() {
        says(leaf, 3, new ToSwitch(spine, 2));
        fabric.pass(1_500 * MILLI);
        says(leaf, 3, new ToSwitch(spine, 3));
        fabric.pass(1_500 * MILLI);
        assertThat(told()).isEmpty();

        fabric.pass(500 * MILLI);
        assertThat(told())
                .containsExactly(
                        "cable: leaf0 port 3 says it leads to l2s0 port 3, and that one says to leaf2 port 3; not used");
    }

    @Test
    void shouldCloseTheAlarmWhenTheEndsAgreeAgain() {
        says(leaf, 3, new ToSwitch(spine, 2));
        fabric.pass(2_000 * MILLI);
        assertThat(fabric.state.alarmCount(Alarm.Kind.CABLE_DISAGREES)).isEqualTo(1);

        says(spine, 1, new ToSwitch(leaf, 3));
        says(leaf, 3, new ToSwitch(spine, 1));

        assertThat(fabric.state.alarmCount(Alarm.Kind.CABLE_DISAGREES)).isZero();
        assertThat(fabric.state.disagreements.contradicted()).isEmpty();
    }

    @Test
    void shouldHoldNothingAgainstAPortThatHearsNothing() {
        says(leaf, 3, new ToSwitch(spine, 2));
        fabric.pass(2_000 * MILLI);
        assertThat(fabric.state.alarmCount(Alarm.Kind.CABLE_DISAGREES)).isEqualTo(1);

        says(spine, 2, true, new ToSwitch(other, 3), Map.of(2, Doubt.UNHEARD));

        assertThat(fabric.state.alarmCount(Alarm.Kind.CABLE_DISAGREES)).isZero();
    }

    @Test
    void shouldSayNothingOfACableToAPortThatIsDown() {
        says(spine, 2, false, new ToSwitch(other, 3), Map.of());
        says(leaf, 3, new ToSwitch(spine, 2));
        fabric.pass(10_000 * MILLI);

        assertThat(told()).isEmpty();
    }

    /** It came back as another machine, with fewer ports: what the one before said is nobody's word. */
    @Test
    void shouldForgetWhatPortsSaidThatAreNotThereAnyMore() {
        int last = fabric.metal.portCount(leaf);
        says(leaf, last, new ToSwitch(spine, 2));
        fabric.pass(2_000 * MILLI);
        assertThat(fabric.state.alarmCount(Alarm.Kind.CABLE_DISAGREES)).isEqualTo(1);

        fabric.leave(leaf);
        fabric.metal.apply(new SwitchSeen(leaf, "leaf0", last - 1));
        fabric.join(leaf);
        fabric.calm();

        assertThat(fabric.state.alarmCount(Alarm.Kind.CABLE_DISAGREES)).isZero();
        assertThat(fabric.state.disagreements.contradicted()).isEmpty();
    }

    /** A port that names itself contradicts nobody. */
    @Test
    void shouldTakeAPortThatNamesItselfForNoContradiction() {
        says(leaf, 3, new ToSwitch(leaf, 3));
        fabric.pass(10_000 * MILLI);

        assertThat(told()).isEmpty();
        assertThat(fabric.state.disagreements.contradicted()).isEmpty();
    }
}
