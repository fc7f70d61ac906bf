package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.core.Forgettable.CableAt;
import io.dmodc.manager.core.Forgettable.HostPort;
import io.dmodc.manager.core.Forgettable.SwitchGuid;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.core.LoggedEvent.Severity;
import io.dmodc.manager.state.StateRecord.NodeIndex;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.Host;
import io.dmodc.topology.pgft.Degradation.Cable;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What people are told that is forgotten, and what of it is gone then: nothing else waits for it. */
class ForgettingEventsTest {
    private SimulatedFabric fabric = new SimulatedFabric("2;2,4;1,2;1,1").start();
    private final long leaf = fabric.guid("leaf0");
    private final long spine = fabric.guid("l2s0");
    private final Cable uplink = fabric.cable(leaf, spine);
    private final Host host = ((ToHost) Objects.requireNonNull(fabric.metal.claim(leaf, 1))).host();

    private void forget(Forgettable what) {
        fabric.send(new ActAsked(fabric.now, Act.forget(List.of(what)), 0, "ada", ""));
        fabric.calm();
    }

    private void kill(long guid) {
        fabric.leave(guid);
        fabric.setLinks(guid, false, true);
        fabric.calm();
    }

    private List<String> told() {
        return fabric.notes(Kind.FORGOTTEN).stream().map(LoggedEvent::text).toList();
    }

    @Test
    void shouldNameWhatIsForgotten() {
        fabric.setCable(uplink, false, true);
        fabric.setPort(leaf, 1, false, true);
        fabric.calm();
        forget(new CableAt(spine, uplink.farPort()));
        forget(new HostPort(host.portGuid()));
        kill(spine);
        forget(new SwitchGuid(spine));

        assertThat(told())
                .containsExactly(
                        "cable l2s0 port 1 – leaf0 port 3 forgotten (ada)",
                        "host " + host.name() + " at leaf0 port 1 forgotten (ada)",
                        "l2s0 forgotten (ada)");
        assertThat(fabric.notes(Kind.FORGOTTEN))
                .allSatisfy(note -> assertThat(note.severity()).isEqualTo(Severity.INFO));
        assertThat(fabric.notes(Kind.FORGOTTEN)).extracting(LoggedEvent::guid).containsExactly(spine, leaf, spine);
    }

    @Test
    void shouldComputeAnewWithoutAForgottenSwitchAndHost() {
        fabric.setPort(leaf, 1, false, true);
        fabric.calm();
        long epoch = fabric.state.epoch();
        forget(new HostPort(host.portGuid()));
        assertThat(fabric.state.epoch()).isEqualTo(epoch + 1);
        assertThat(causes()).last().isEqualTo("host " + host.name() + " at leaf0 port 1 forgotten");
        assertThat(fabric.state.nodeIndex(host.portGuid())).isEqualTo(-1);
        assertThat(fabric.disk.all(NodeIndex.class))
                .extracting(NodeIndex::portGuid)
                .doesNotContain(host.portGuid())
                .hasSize(7);

        kill(spine);
        forget(new SwitchGuid(spine));
        assertThat(causes()).last().isEqualTo("l2s0 forgotten");
        assertThat(Objects.requireNonNull(fabric.state.view()).switchOf(spine)).isNegative();
    }

    private List<String> causes() {
        return fabric.state.epochs().stream().map(EpochRecord::cause).toList();
    }

    /** A push to it was under way, its port was held, its links unheard, answers about it due: no timer is left. */
    @Test
    void shouldWaitForNothingOfAForgottenSwitch() {
        for (boolean up : new boolean[] {false, true}) {
            fabric.setPort(spine, uplink.farPort(), up, true);
            fabric.work();
        }
        assertThat(fabric.state.heldDown(spine, uplink.farPort())).isTrue();
        fabric.leave(spine);
        fabric.mute.add(leaf);
        fabric.setLinks(spine, false, true);
        fabric.setPort(leaf, uplink.port(), false, false);
        fabric.mute.clear();
        fabric.setPort(leaf, uplink.port(), false, true);
        fabric.work();
        forget(new SwitchGuid(spine));

        assertThat(fabric.state.findSwitch(spine)).isNull();
        assertThat(fabric.state.heldDown(spine, uplink.farPort())).isFalse();
        assertThat(fabric.state.flapCount(spine, uplink.farPort())).isZero();
        assertThat(fabric.state.share.allTold()).isTrue();
        assertThat(fabric.state.share.headless()).isEmpty();
        fabric.pass(20_000 * MILLI);
        assertThat(fabric.state.membership().members())
                .extracting(Effect.Member::guid)
                .doesNotContain(spine);
        assertThat(fabric.step.nextDeadline()).isEqualTo(Long.MAX_VALUE);
        assertThat(fabric.state.calm()).isTrue();
    }

    /** Its agent went, and its neighbours have not answered yet: it is not known to be gone. */
    @Test
    void shouldForgetASwitchWhileAnswersAboutItAreDue() {
        fabric.setLinks(spine, false, true);
        fabric.calm();
        fabric.mute.add(leaf);
        fabric.leave(spine);
        fabric.pass(AlternativeNews.DELAY_NANOS);
        assertThat(fabric.step.nextDeadline()).isEqualTo(fabric.now + 1_000 * MILLI - AlternativeNews.DELAY_NANOS);

        fabric.send(new ActAsked(fabric.now, Act.forget(List.of(new SwitchGuid(spine))), 0, "ada", ""));
        fabric.work();
        fabric.pass(2_000 * MILLI);

        assertThat(fabric.state.findSwitch(spine)).isNull();
        assertThat(fabric.state.defects.alarmText()).isEmpty();
    }

    @Test
    void shouldNotForgetASwitchOfWhichOnlyTheLastPortIsSeenUp() {
        kill(spine);
        int last = fabric.metal.portCount(spine);
        ToSwitch far = (ToSwitch) Objects.requireNonNull(fabric.metal.claim(spine, last));
        fabric.setPort(far.guid(), far.port(), true, true);
        fabric.work();

        assertThat(Forgetting.obstacle(fabric.state, new SwitchGuid(spine)))
                .isEqualTo("l2s0: its neighbours see links to it up");
    }

    /** The host is gone from one port, and another one that is down remembers it, too. */
    @Test
    void shouldForgetAHostWithAllThatRememberIt() {
        long other = fabric.guid("leaf1");
        fabric.setPort(leaf, 1, false, true);
        PortSeen remembered = new PortSeen(other, 1, false, new ToHost(host));
        fabric.metal.apply(remembered);
        fabric.setPort(other, 1, false, true);
        fabric.calm();

        forget(new HostPort(host.portGuid()));

        assertThat(fabric.state.cabling().claimants(host.portGuid())).isEmpty();
        assertThat(fabric.state.nodeIndex(host.portGuid())).isEqualTo(-1);
    }

    /** Its place is taken by a switch with fewer ports, one of which leads elsewhere. */
    @Test
    void shouldHandOverToAReplacementWhatItHasRoomFor() {
        long fresh = 0x7700;
        long third = fabric.guid("leaf2");
        kill(spine);
        fabric.metal.apply(new SwitchSeen(fresh, "fresh", 3));
        ToSwitch far = (ToSwitch) Objects.requireNonNull(fabric.metal.claim(spine, 3));
        fabric.metal.apply(new PortSeen(fresh, 1, true, far));
        PortSeen back = new PortSeen(far.guid(), far.port(), true, new ToSwitch(fresh, 1));
        fabric.metal.apply(back);
        fabric.setPort(far.guid(), far.port(), true, true);
        fabric.join(fresh);
        fabric.pass(5_000 * MILLI);
        assertThat(far.guid()).isEqualTo(third);

        fabric.send(new ActAsked(fabric.now, Act.replace(spine, fresh), 0, "ada", ""));
        fabric.calm();

        Inventory inventory = fabric.state.inventory();
        assertThat(inventory.hasSwitch(spine)).isFalse();
        assertThat(inventory.expected(fresh, 1)).as("it leads elsewhere").isEqualTo(far);
        assertThat(inventory.expected(fresh, 2)).isEqualTo(new ToSwitch(fabric.guid("leaf1"), 3));
        assertThat(inventory.expected(fresh, 3))
                .as("that cable is at port 1 now")
                .isNull();
        assertThat(fabric.state.alarmCount(Alarm.Kind.LINK_DOWN)).isEqualTo(1);
        assertThat(fabric.notes(Kind.SWITCH_REPLACED)).singleElement().satisfies(note -> {
            assertThat(note.guid()).isEqualTo(fresh);
            assertThat(note.name()).isEqualTo("fresh");
            assertThat(note.severity()).isEqualTo(Severity.INFO);
        });
        assertThat(causes()).last().asString().contains("forgotten and ");
    }
}
