package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.dmodc.manager.core.Act.HostPair;
import io.dmodc.manager.core.FabricEvent.AcknowledgeAsked;
import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.core.FabricEvent.Persisted;
import io.dmodc.manager.core.Forgettable.CableAt;
import io.dmodc.manager.core.Forgettable.HostPort;
import io.dmodc.manager.core.Forgettable.SwitchGuid;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.Intent;
import io.dmodc.manager.state.StateRecord.NodeIndex;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.PortPlace;
import io.dmodc.topology.pgft.Degradation.Cable;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What people asked for is not undone by a crash once it is said to be kept, also before any table was computed for it. */
class CrashAfterActTest {
    private SimulatedFabric fabric = new SimulatedFabric("3;2,2,3;1,2,2;1,2,1").start();
    private final long spine = fabric.guid("l2s1");
    private final long leaf = fabric.guid("leaf1");

    private void kill(long guid) {
        fabric.leave(guid);
        fabric.setLinks(guid, false, true);
        fabric.calm();
    }

    /** No table is computed for it before the crash. */
    private SimulatedFabric restartedAfter(FabricEvent asked) {
        fabric.holdComputations = true;
        fabric.send(asked);
        fabric.work();
        assertThat(fabric.state.snapshot().intent().kept()).isTrue();
        return fabric.restarted();
    }

    private ActAsked asked(Act act) {
        return new ActAsked(fabric.now, act, 0, "ada", "scrapped");
    }

    private void joinAllBut(SimulatedFabric next, long away) {
        FabricView view = next.whole();
        for (int s = 0; s < view.switchCount(); s++) {
            if (view.switchGuid(s) != away) {
                next.join(view.switchGuid(s));
            }
        }
        next.calm();
    }

    private static void assertForgotten(SimulatedFabric next, long guid) {
        assertThat(Forgetting.knows(next.state, new SwitchGuid(guid))).isFalse();
        assertThat(next.state.snapshot().findSwitch(guid)).isNull();
        assertThat(Objects.requireNonNull(next.state.view()).switchOf(guid)).isNegative();
        assertThat(next.disk.all(Intent.class)).isEmpty();
    }

    /** The manager dies in the moment in which it says so. */
    @ParameterizedTest
    @ValueSource(strings = {"drain", "rollback", "replace"})
    void shouldHoldAllOfAnActOnceItIsInForce(String verb) {
        List<PortPlace> two = List.of(new PortPlace(spine, 0), new PortPlace(fabric.guid("l2s0"), 0));
        Act act = switch (verb) {
            case "drain" -> new Act(Act.Verb.DRAIN, two, "");
            case "rollback" -> Act.rollback(1, two, "minhop");
            default -> Act.replaceHosts(List.of(new HostPair(unplugged(1), 0xa1), new HostPair(unplugged(2), 0xa2)));
        };
        int before = fabric.log.size();
        ActAsked asked = asked(act);

        fabric.send(asked);
        fabric.work();

        int done = fabric.log.indexOf(new Effect.Done(asked));
        List<StateRecord> written = fabric.log.subList(before, done).stream()
                .filter(Effect.Persist.class::isInstance)
                .flatMap(effect -> ((Effect.Persist) effect).records().stream())
                .toList();
        assertThat(written).filteredOn(Intent.class::isInstance).hasSize(verb.equals("rollback") ? 3 : 2);
    }

    private long unplugged(int port) {
        ToHost host = (ToHost) Objects.requireNonNull(fabric.state.cabling().neighbour(leaf, port));
        fabric.setPort(leaf, port, false, true);
        fabric.calm();
        return host.host().portGuid();
    }

    @ParameterizedTest
    @ValueSource(strings = {"l2s1", "l3s0", "leaf1"})
    void shouldStillForgetASwitch(String name) {
        long guid = fabric.guid(name);
        kill(guid);
        int kept = fabric.state.snapshot().kept().epochs().size();

        SimulatedFabric next = restartedAfter(asked(Act.forget(List.of(new SwitchGuid(guid)))));
        joinAllBut(next, guid);

        assertForgotten(next, guid);
        assertThat(next.state.alarms()).isEmpty();
        assertThat(next.notes(Kind.FORGOTTEN))
                .extracting(LoggedEvent::text)
                .containsExactly(name + " forgotten (ada, before the manager was started again)");
        assertThat(next.state.snapshot().kept().epochs().size())
                .as("nothing that was kept is lost")
                .isGreaterThanOrEqualTo(kept);
        assertForgotten(restartedQuietly(next, guid), guid);
    }

    private SimulatedFabric restartedQuietly(SimulatedFabric before, long away) {
        SimulatedFabric next = before.restarted();
        joinAllBut(next, away);
        assertThat(next.notes(Kind.FORGOTTEN)).isEmpty();
        return next;
    }

    @Test
    void shouldNotForgetWhatIsThereWhenItIsStartedAgain() {
        kill(spine);
        SimulatedFabric next = restartedAfter(asked(Act.forget(List.of(new SwitchGuid(spine)))));
        next.setLinks(spine, true, false);
        next.join(spine);
        joinAllBut(next, spine);

        assertThat(next.state.snapshot().findSwitch(spine)).isNotNull();
        assertThat(next.state.alarms()).isEmpty();
        assertThat(next.disk.all(Intent.class)).isEmpty();
    }

    @Test
    void shouldStillForgetAHost() {
        long host = ((ToHost) Objects.requireNonNull(fabric.state.cabling().neighbour(leaf, 1)))
                .host()
                .portGuid();
        fabric.setPort(leaf, 1, false, true);
        fabric.calm();

        SimulatedFabric next = restartedAfter(asked(Act.forget(List.of(new HostPort(host)))));
        next.metal.apply(new PortSeen(leaf, 1, false, null));
        joinAllBut(next, 0);

        assertThat(next.state.nodeIndex(host)).isNegative();
        assertThat(next.state.alarms()).isEmpty();
        assertThat(next.disk.all(NodeIndex.class))
                .extracting(NodeIndex::portGuid)
                .doesNotContain(host);
        assertThat(next.disk.all(Intent.class)).isEmpty();
    }

    @Test
    void shouldStillReplaceASwitchAndCarryItsDrainsOver() {
        PortPlace uplink = new PortPlace(leaf, 3);
        fabric.send(asked(new Act(Act.Verb.DRAIN, List.of(new PortPlace(spine, 0), uplink), "")));
        fabric.calm();
        kill(spine);
        long fresh = fabric.guid("l2s0");

        SimulatedFabric next = restartedAfter(asked(Act.replace(spine, fresh)));
        assertThat(next.disk.all(Intent.class))
                .extracting(Intent::act, Intent::guid, Intent::by)
                .contains(tuple("drain", fresh, "ada"));
        joinAllBut(next, spine);

        assertThat(Forgetting.knows(next.state, new SwitchGuid(spine))).isFalse();
        assertThat(next.state.snapshot().findSwitch(spine)).isNull();
        assertThat(next.state.snapshot().intent().drained()).contains(new PortPlace(fresh, 0));
        assertThat(next.disk.all(Intent.class)).allMatch(intent -> intent.act().equals("drain"));
    }

    @Test
    void shouldStillKnowWhoTakesCareOfAnAlarm() {
        kill(spine);
        long alarm = fabric.state.alarms().iterator().next().id();

        SimulatedFabric next = restartedAfter(new AcknowledgeAsked(fabric.now, alarm, "ada", "on its way"));
        joinAllBut(next, spine);

        Alarm open = next.state.snapshot().findAlarm(alarm);
        assertThat(Objects.requireNonNull(Objects.requireNonNull(open).acknowledgement())
                        .by())
                .isEqualTo("ada");
    }

    /** A disk that takes nothing: it is not in force, and nobody is told so. */
    @Test
    void shouldNotPerformItBeforeItIsKept() {
        kill(spine);
        fabric.diskTakes = false;
        fabric.send(asked(Act.forget(List.of(new SwitchGuid(spine)))));
        fabric.calm();
        assertThat(fabric.state.inventory().hasSwitch(spine)).isTrue();
        assertThat(fabric.count(Effect.Done.class)).isZero();

        fabric.diskTakes = true;
        fabric.keepWhatWaits();
        fabric.calm();

        assertThat(fabric.state.inventory().hasSwitch(spine)).isFalse();
        assertThat(fabric.count(Effect.Done.class)).isEqualTo(1);
        assertThat(fabric.state.snapshot().intent().kept()).isTrue();
    }

    private List<Effect.Persist> batches() {
        return fabric.log.stream()
                .filter(Effect.Persist.class::isInstance)
                .map(Effect.Persist.class::cast)
                .toList();
    }

    /** The disk takes so many batches of an act, and then the manager is killed. */
    private SimulatedFabric crashedAfter(Act act, int count) {
        int before = batches().size();
        fabric.diskTakes = false;
        fabric.send(asked(act));
        fabric.work();
        for (int i = before; i < before + count && i < batches().size(); i++) {
            Effect.Persist batch = batches().get(i);
            batch.records().forEach(fabric.disk::apply);
            fabric.send(new Persisted(fabric.now, batch.number()));
            fabric.work();
        }
        SimulatedFabric next = fabric.restarted();
        joinAllBut(next, spine);
        return next;
    }

    /** Otherwise it could not be asked for again. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void shouldPutASwitchInThePlaceOfAnotherAsAWholeOrNotAtAll(int kept) {
        long fresh = 0x7700;
        kill(spine);
        fabric.metal.apply(new SwitchSeen(fresh, "fresh", 4));
        ToSwitch far = (ToSwitch) Objects.requireNonNull(fabric.metal.claim(spine, 3));
        fabric.metal.apply(new PortSeen(fresh, 1, true, far));
        fabric.metal.apply(new PortSeen(far.guid(), far.port(), true, new ToSwitch(fresh, 1)));
        fabric.setPort(far.guid(), far.port(), true, true);
        fabric.join(fresh);
        fabric.calm();

        Inventory inventory =
                crashedAfter(Act.replace(spine, fresh), kept).state.inventory();

        assertThat(inventory.hasSwitch(spine)).isEqualTo(kept < 2);
        assertThat(inventory.expected(fresh, 2) != null).isEqualTo(kept == 2);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldForgetACableWithItsDrainOrNotAtAll(int kept) {
        Cable uplink = fabric.cable(leaf, spine);
        fabric.setCable(uplink, false, true);
        fabric.calm();
        fabric.send(asked(new Act(Act.Verb.DRAIN, List.of(new PortPlace(leaf, uplink.port())), "")));
        fabric.calm();
        CableAt cable = new CableAt(leaf, uplink.port());

        SimulatedFabric next = crashedAfter(Act.forget(List.of(cable)), kept);

        assertThat(Forgetting.knows(next.state, cable)).isEqualTo(kept == 0);
        assertThat(next.state.intent.drained().isEmpty()).isEqualTo(kept == 1);
    }
}
