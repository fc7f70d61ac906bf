package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.core.FabricEvent.PortsReported;
import io.dmodc.manager.core.Forgettable.CableAt;
import io.dmodc.manager.core.Forgettable.HostPort;
import io.dmodc.manager.core.Forgettable.SwitchGuid;
import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.Removed;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.pgft.Degradation.Cable;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What is there cannot be forgotten nor replaced, and people are told why. */
class ForgettingTest {
    private static final long UNKNOWN = 0x999;

    private final SimulatedFabric fabric = new SimulatedFabric("2;2,4;1,2;1,1").start();
    private final long leaf = fabric.guid("leaf0");
    private final long spine = fabric.guid("l2s0");
    private final Cable uplink = fabric.cable(leaf, spine);
    private final long host = ((ToHost) Objects.requireNonNull(fabric.metal.claim(leaf, 1)))
            .host()
            .portGuid();

    private void forget(Forgettable what) {
        fabric.send(new ActAsked(fabric.now, Act.forget(List.of(what)), 0, "ada", ""));
        fabric.calm();
    }

    private void kill(long guid) {
        fabric.leave(guid);
        fabric.setLinks(guid, false, true);
        fabric.calm();
    }

    @Test
    void shouldKnowWhatThereIs() {
        FabricState state = fabric.state;

        assertThat(Forgetting.knows(state, new SwitchGuid(spine))).isTrue();
        assertThat(Forgetting.knows(state, new SwitchGuid(UNKNOWN))).isFalse();
        assertThat(Forgetting.knows(state, new CableAt(leaf, uplink.port()))).isTrue();
        assertThat(Forgetting.knows(state, new CableAt(leaf, 1))).as("a host's").isFalse();
        assertThat(Forgetting.knows(state, new CableAt(UNKNOWN, 1))).isFalse();
        assertThat(Forgetting.knows(state, new HostPort(host))).isTrue();
        assertThat(Forgetting.knows(state, new HostPort(UNKNOWN))).isFalse();
    }

    @Test
    void shouldSayWhyItIsStillThere() {
        FabricState state = fabric.state;
        assertThat(Forgetting.obstacle(state, new SwitchGuid(spine))).isEqualTo("l2s0: its agent is connected");
        assertThat(Forgetting.obstacle(state, new CableAt(leaf, uplink.port()))).isEqualTo("the cable is up");
        assertThat(Forgetting.obstacle(state, new HostPort(host))).isEqualTo("the host is up");

        fabric.leave(spine);
        fabric.calm();
        assertThat(Forgetting.obstacle(state, new SwitchGuid(spine)))
                .isEqualTo("l2s0: its neighbours see links to it up");

        fabric.setLinks(spine, false, true);
        fabric.setPort(leaf, 1, false, true);
        fabric.calm();
        assertThat(Forgetting.obstacle(state, new SwitchGuid(spine))).isNull();
        assertThat(Forgetting.obstacle(state, new CableAt(leaf, uplink.port()))).isNull();
        assertThat(Forgetting.obstacle(state, new HostPort(host))).isNull();
    }

    @Test
    void shouldForgetAHostAndSaySoOnce() {
        fabric.setPort(leaf, 1, false, true);
        fabric.calm();

        forget(new HostPort(host));
        forget(new HostPort(host));

        assertThat(fabric.state.inventory().hostCount()).isEqualTo(7);
        assertThat(fabric.state.alarms()).isEmpty();
        assertThat(fabric.notes(LoggedEvent.Kind.FORGOTTEN)).hasSize(1);
        assertThat(fabric.state.snapshot().hostTotals()).isEqualTo(new Totals(7, 7, 0, 0));
    }

    /** Its port is up on the metal: forgotten now, it would be nowhere until the hold is over. */
    @Test
    void shouldNotForgetAHostThatIsHeldDown() {
        fabric.setPort(leaf, 1, false, true);
        fabric.setPort(leaf, 1, true, true);
        fabric.work();

        forget(new HostPort(host));

        assertThat(fabric.notes(LoggedEvent.Kind.FORGOTTEN)).isEmpty();
        assertThat(Forgetting.obstacle(fabric.state, new HostPort(host))).isEqualTo("the host is up");
    }

    /** It was plugged in elsewhere and flaps there: what remembers it at its old port is forgotten, and nothing else. */
    @Test
    void shouldForgetOnlyWhereAHeldHostWasBefore() {
        long other = fabric.guid("leaf1");
        fabric.setPort(leaf, 1, false, true);
        fabric.calm();
        PortSeen moved = new PortSeen(other, 1, true, fabric.metal.claim(leaf, 1));
        fabric.setPort(other, 1, false, true);
        fabric.metal.apply(moved);
        fabric.send(new PortsReported(fabric.now, fabric.session(other), other, false, List.of(moved)));
        fabric.work();

        fabric.send(new ActAsked(fabric.now, Act.forget(List.of(new HostPort(host))), 0, "ada", ""));
        fabric.work();

        assertThat(fabric.state.cabling.claim(other, 1)).isEqualTo(moved.neighbour());
        assertThat(fabric.state.identity.nodes.indexOf(host)).isNotNegative();
    }

    @Test
    void shouldForgetADeadSwitchOverARestart() {
        kill(spine);

        forget(new SwitchGuid(spine));

        assertThat(fabric.state.snapshot().switchTotals()).isEqualTo(new Totals(5, 5, 0, 0));
        assertThat(fabric.state.snapshot().linkTotals()).isEqualTo(new Totals(4, 4, 0, 0));
        assertThat(fabric.state.learntLinkCount()).isEqualTo(4);
        SimulatedFabric next = fabric.restarted();
        assertThat(next.state.switches()).hasSize(5);
        assertThat(next.state.inventory().hasSwitch(spine)).isFalse();
    }

    @Test
    void shouldSayWhyASwitchCannotTakeTheOthersPlace() {
        long other = fabric.guid("l2s1");
        assertThat(Replacement.obstacle(fabric.state, spine, spine))
                .isEqualTo("l2s0: a switch does not replace itself");
        assertThat(Replacement.obstacle(fabric.state, spine, other)).isEqualTo("l2s0: its agent is connected");
        assertThat(Replacement.obstacle(fabric.state, spine, UNKNOWN))
                .isEqualTo("0x0000000000000999: its agent has not told its ports yet");

        kill(spine);
        assertThat(Replacement.obstacle(fabric.state, spine, other)).isNull();
        fabric.mute.add(other);
        fabric.leave(other);
        fabric.join(other);
        fabric.work();
        assertThat(Replacement.obstacle(fabric.state, spine, other))
                .isEqualTo("l2s1: its agent has not told its ports yet");

        fabric.send(new ActAsked(fabric.now, Act.replace(spine, other), 0, "ada", ""));
        fabric.calm();
        assertThat(fabric.state.findSwitch(spine)).as("nothing happened").isNotNull();
        assertThat(fabric.notes(LoggedEvent.Kind.SWITCH_REPLACED)).isEmpty();
    }

    /** A person mistypes the new switch's name: it is that of a leaf that works. */
    @Test
    void shouldNotPutALeafInThePlaceOfASpine() {
        kill(spine);
        assertThat(Replacement.obstacle(fabric.state, spine, leaf)).isEqualTo("l2s0 has level 1, leaf0 has level 0");
        long epoch = fabric.state.epoch();

        fabric.send(new ActAsked(fabric.now, Act.replace(spine, leaf), 0, "ada", ""));
        fabric.calm();

        assertThat(fabric.count(Effect.Declined.class)).isEqualTo(1);
        assertThat(fabric.state.identity.levels().levels().getOrDefault(leaf, -1))
                .isZero();
        assertThat(fabric.state.epoch()).isEqualTo(epoch);
        assertThat(fabric.state.inventory().hasSwitch(spine)).isTrue();
    }

    /** The manager has started again, and of the missing switch nothing is known but what was expected. */
    @Test
    void shouldAskTheNeighboursOfASwitchThatHasNotComeIn() {
        fabric.disk.apply(new Removed(new StateRecord.Key(StateRecord.Kind.SWITCH, spine, 0, "")));
        SimulatedFabric next = fabric.restarted();
        for (String name : List.of("leaf0", "leaf1", "leaf2", "leaf3", "l2s1")) {
            next.join(next.guid(name));
        }
        next.calm();

        assertThat(next.state.findSwitch(spine)).isNull();
        assertThat(Forgetting.knows(next.state, new SwitchGuid(spine))).isTrue();
        assertThat(Forgetting.obstacle(next.state, new SwitchGuid(spine)))
                .isEqualTo("l2s0: its neighbours see links to it up");
        next.setLinks(spine, false, true);
        next.calm();
        assertThat(Forgetting.obstacle(next.state, new SwitchGuid(spine))).isNull();
    }
}
