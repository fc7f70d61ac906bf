package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.Effect.DismissReason;
import io.dmodc.manager.core.Effect.Member;
import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.core.FabricEvent.AgentJoined;
import io.dmodc.manager.core.FabricEvent.AgentLeft;
import io.dmodc.manager.core.FabricEvent.HeldTable;
import io.dmodc.manager.core.FabricEvent.PortsReported;
import io.dmodc.manager.core.FabricEvent.RingAddress;
import io.dmodc.manager.core.Forgettable.SwitchGuid;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.core.SwitchRecord.Condition;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Host;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Who counts for the fabric, and what those who do not may cost. */
class StrangersTest {
    private static final long HOUR = 3_600_000 * MILLI;
    private static final long STRANGER = 0x5000;

    private final SimulatedFabric fabric = new SimulatedFabric("3;2,2,3;1,2,2;1,2,1");
    private final FabricView whole = fabric.whole();
    private long lastSession = 10_000;

    private List<Effect> accept(FabricEvent event) {
        List<Effect> effects = new ArrayList<>();
        fabric.step.accept(event, effects);
        fabric.step.settle(fabric.now, effects);
        return effects;
    }

    private AgentJoined hello(long guid, long session) {
        return new AgentJoined(
                fabric.now,
                session,
                guid,
                "x" + Long.toHexString(guid),
                4,
                (int) session,
                new HeldTable(0, 0, 0, 0),
                new RingAddress("10.9.9.9", 7471));
    }

    private PortsReported ports(long guid, long session, PortSeen... ports) {
        return new PortsReported(fabric.now, session, guid, true, List.of(ports));
    }

    /** A stranger with one host says Hello and tells its ports. */
    private List<Effect> comes(long guid, Neighbour atPortOne) {
        long session = ++lastSession;
        List<Effect> effects = accept(hello(guid, session));
        Host host = new Host(guid << 8, guid << 8, 1, "host of " + guid);
        effects.addAll(accept(ports(
                guid, session, new PortSeen(guid, 1, true, atPortOne), new PortSeen(guid, 2, true, new ToHost(host)))));
        return effects;
    }

    private void goes(long guid, long session) {
        accept(new AgentLeft(fabric.now, session, guid, "gone"));
    }

    private List<Long> unattached() {
        return fabric.state.unattached().stream().map(SwitchRecord::guid).toList();
    }

    @Test
    void shouldKeepNothingOfThreeHundredStrangersAfterAnHour() {
        fabric.start();
        long epoch = fabric.state.epoch();
        List<Long> ring =
                fabric.state.membership().members().stream().map(Member::guid).toList();
        List<Effect> effects = new ArrayList<>();

        for (int i = 0; i < 300; i++) {
            effects.addAll(comes(STRANGER + i, new ToSwitch(STRANGER + i + 1, 1)));
        }

        assertThat(fabric.state.unattached()).hasSize(256);
        assertThat(effects.stream().filter(Effect.Accept.class::isInstance)).hasSize(256);
        assertThat(effects.stream().filter(Effect.Dismiss.class::isInstance)).hasSize(44);
        assertThat(effects.stream()
                        .filter(effect -> effect instanceof Effect.Tell tell
                                && tell.note().text().contains("more dismissed")))
                .hasSize(1);
        for (int i = 0; i < 300; i++) {
            goes(STRANGER + i, 10_001 + i);
        }
        fabric.pass(HOUR);

        assertThat(fabric.state.unattached()).isEmpty();
        assertThat(fabric.state.switches()).hasSize(whole.switchCount());
        assertThat(fabric.state.alarms()).isEmpty();
        assertThat(fabric.state.epoch()).as("no computation").isEqualTo(epoch);
        assertThat(fabric.state.membership().members()).extracting(Member::guid).isEqualTo(ring);
        assertThat(fabric.state.nodeIndex(STRANGER << 8)).isEqualTo(-1);
        assertThat(fabric.state.inventory().hasSwitch(STRANGER)).isFalse();
        assertThat(fabric.step.nextDeadline()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldForgetAStrangerAnHourAfterItsAgentLeft() {
        fabric.start();
        comes(STRANGER, new ToSwitch(STRANGER + 1, 1));
        fabric.pass(3 * HOUR);
        assertThat(unattached()).containsExactly(STRANGER);

        goes(STRANGER, lastSession);
        fabric.pass(HOUR - 1);
        assertThat(unattached()).containsExactly(STRANGER);
        fabric.pass(1);
        assertThat(unattached()).isEmpty();
    }

    @Test
    void shouldKeepAStrangerThatCameBackWithinTheHour() {
        fabric.start();
        comes(STRANGER, new ToSwitch(STRANGER + 1, 1));
        goes(STRANGER, lastSession);
        fabric.pass(HOUR / 2);

        comes(STRANGER, new ToSwitch(STRANGER + 1, 1));
        fabric.pass(HOUR);

        assertThat(unattached()).containsExactly(STRANGER);
        assertThat(fabric.step.nextDeadline()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldNotBelieveACableThatOnlyTheStrangerSees() {
        fabric.start();
        long leaf = fabric.guid("leaf0");

        comes(STRANGER, new ToSwitch(leaf, 3));

        assertThat(unattached()).containsExactly(STRANGER);
        assertThat(fabric.state.findSwitch(STRANGER)).isNull();
        assertThat(fabric.state.unattached())
                .singleElement()
                .extracting(SwitchRecord::condition)
                .isEqualTo(Condition.UNATTACHED);
    }

    @Test
    void shouldAttachAChainOfNewSwitchesWhicheverEndComesFirst() {
        long first = fabric.guid("leaf0");
        fabric.state.expected.retainAll(List.of(first));
        fabric.join(first);
        fabric.calm();
        assertThat(fabric.state.discovering()).isFalse();

        for (int s = whole.switchCount() - 1; s >= 0; s--) {
            String name = whole.switchName(s);
            if (whole.switchGuid(s) != first && !name.equals("l2s0")) {
                fabric.join(whole.switchGuid(s));
                fabric.pass(10_000 * MILLI);
            }
        }
        assertThat(fabric.state.findSwitch(fabric.guid("l2s1")))
                .as("it has a cable to the first leaf")
                .isNotNull();

        fabric.join(fabric.guid("l2s0"));
        fabric.calm();

        assertThat(fabric.state.unattached()).isEmpty();
        assertThat(fabric.state.switches()).hasSize(whole.switchCount());
        assertThat(fabric.state.membership().members()).hasSize(whole.switchCount());
        assertThat(fabric.state.outstanding()).isZero();
        assertThat(fabric.held).hasSize(whole.switchCount());
    }

    @Test
    void shouldLeaveApartWhatNoCableTiesInYet() {
        long first = fabric.guid("leaf0");
        long other = fabric.guid("leaf1");
        fabric.state.expected.retainAll(List.of(first));
        fabric.join(first);
        fabric.calm();

        fabric.join(other);
        fabric.calm();
        assertThat(unattached()).containsExactly(other);
        assertThat(fabric.notes(Kind.AGENT_UNATTACHED))
                .singleElement()
                .satisfies(note -> assertThat(note.text()).startsWith("leaf1 (0x"));

        fabric.join(fabric.guid("l2s0"));
        fabric.calm();
        assertThat(unattached()).as("the switch between them came").isEmpty();
    }

    @Test
    void shouldAttachOnlyWhenTheCableIsUpAtBothEnds() {
        long leaf = fabric.guid("leaf0");
        long spine = fabric.guid("l2s0");
        fabric.state.expected.removeIf(guid -> guid == leaf);
        fabric.setLinks(leaf, false, false);
        for (int s = 0; s < whole.switchCount(); s++) {
            fabric.join(whole.switchGuid(s));
        }
        fabric.calm();
        assertThat(unattached()).containsExactly(leaf);

        int port = ((ToSwitch) Objects.requireNonNull(fabric.metal.neighbour(leaf, 3))).port();
        fabric.setPort(leaf, 3, true, true);
        fabric.calm();
        assertThat(unattached()).as("one end").containsExactly(leaf);

        fabric.setPort(spine, port, true, true);
        fabric.calm();
        assertThat(unattached()).isEmpty();
    }

    @Test
    void shouldServeASingleSwitchFromItsFirstStartOn() {
        SimulatedFabric one = new SimulatedFabric("1;4;1;1");
        one.state.expected.clear();

        one.start();
        assertThat(one.held).hasSize(one.whole().switchCount());
        assertThat(one.state.unattached()).isEmpty();

        SimulatedFabric again = one.restarted().start();
        assertThat(again.state.unattached()).isEmpty();
        assertThat(again.count(Effect.Push.class)).isZero();
    }

    @Test
    void shouldTakeInEverybodyAtAFirstStart() {
        fabric.state.expected.clear();

        fabric.start();

        assertThat(fabric.state.unattached()).isEmpty();
        assertThat(fabric.held).hasSize(whole.switchCount());
    }

    @Test
    void shouldCountAllowedSwitchesWithoutACable() {
        fabric.state.allow(List.of(STRANGER));
        fabric.start();

        comes(STRANGER, new ToSwitch(STRANGER + 1, 1));
        comes(STRANGER + 7, new ToSwitch(STRANGER + 8, 1));

        assertThat(fabric.state.findSwitch(STRANGER)).isNotNull();
        assertThat(unattached()).containsExactly(STRANGER + 7);
    }

    @Test
    void shouldNotTakeInEverybodyAtAFirstStartWithAnAllowList() {
        fabric.state.expected.clear();
        fabric.state.allow(List.of(fabric.guid("l3s0")));

        fabric.start();
        comes(STRANGER, new ToSwitch(STRANGER + 1, 1));

        assertThat(unattached()).containsExactly(STRANGER);
        assertThat(fabric.state.switches()).as("what hangs together with it").hasSize(whole.switchCount());
    }

    @Test
    void shouldMakeRoomForASwitchThatTheFabricSeesACableTo() {
        long leaf = fabric.guid("leaf3");
        fabric.state.expected.removeIf(guid -> guid == leaf);
        for (int s = 0; s < whole.switchCount(); s++) {
            if (whole.switchGuid(s) != leaf) {
                fabric.join(whole.switchGuid(s));
            }
        }
        fabric.calm();
        for (int i = 0; i < Strangers.MAX; i++) {
            comes(STRANGER + i, new ToSwitch(STRANGER + i + 1, 1));
        }

        fabric.join(leaf);
        fabric.work();

        assertThat(fabric.state.findSwitch(leaf)).isNotNull();
        assertThat(fabric.log.stream()
                        .filter(effect -> effect instanceof Effect.Dismiss dismiss
                                && dismiss.reason() == DismissReason.UNATTACHED))
                .hasSize(1);
        assertThat(fabric.state.unattached()).hasSize(Strangers.MAX - 1);
    }

    @Test
    void shouldTakeBackAForgottenSwitchByItsCables() {
        fabric.start();
        long leaf = fabric.guid("leaf0");
        fabric.leave(leaf);
        fabric.setLinks(leaf, false, true);
        fabric.calm();
        fabric.send(new ActAsked(fabric.now, Act.forget(List.of(new SwitchGuid(leaf))), 0, "ada", ""));
        fabric.calm();

        fabric.setLinks(leaf, true, true);
        fabric.join(leaf);
        fabric.calm();

        assertThat(fabric.state.unattached()).isEmpty();
        assertThat(fabric.state.findSwitch(leaf)).isNotNull();
        assertThat(fabric.state.alarms()).isEmpty();
    }

    @Test
    void shouldRefuseASecondAgentOfAStranger() {
        fabric.start();
        accept(hello(STRANGER, 20_001));

        List<Effect> effects = accept(new AgentJoined(
                fabric.now, 20_002, STRANGER, "x", 4, 5, new HeldTable(0, 0, 0, 0), new RingAddress("", 0)));

        assertThat(effects)
                .singleElement()
                .satisfies(effect ->
                        assertThat(((Effect.Dismiss) effect).reason()).isEqualTo(DismissReason.DUPLICATE_GUID));
    }

    @Test
    void shouldIgnoreLateWordsOfAStrangersEarlierSession() {
        fabric.start();
        accept(hello(STRANGER, 20_001));
        accept(hello(STRANGER, 20_002));

        goes(STRANGER, 20_001);
        fabric.pass(2 * HOUR);

        assertThat(unattached()).containsExactly(STRANGER);
    }
}
