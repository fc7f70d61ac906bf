package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.Act.HostPair;
import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.core.Forgettable.HostPort;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.loop.ActPlanning;
import io.dmodc.manager.loop.ActPlanning.Planned;
import io.dmodc.manager.loop.ActPlanning.Wanted;
import io.dmodc.manager.loop.EngineChoice;
import io.dmodc.manager.state.StateRecord.Intent;
import io.dmodc.manager.state.StateRecord.NodeIndex;
import io.dmodc.routing.prediction.Prediction;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.dmodc.topology.Host;
import io.dmodc.topology.PortPlace;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An adapter in the place of another one has its node index by a person's word, as planned, for ever. */
class HostReplacementTest {
    private static final long FRESH = 0x99_0001;

    private final ActPlanning planning = new ActPlanning(new EngineChoice("dmodc", null, null, "roots"), true, 1);
    private SimulatedFabric fabric = new SimulatedFabric("3;2,2,3;1,2,2;1,2,1").start();
    private final long leaf = fabric.guid("leaf1");
    private final Host old = ((ToHost) Objects.requireNonNull(fabric.metal.claim(leaf, 1))).host();
    private final int index = fabric.state.nodeIndex(old.portGuid());
    private final Map<Long, byte[]> tablesBefore = fabric.tablesHeld();

    @AfterEach
    void close() {
        planning.close();
    }

    private void pull() {
        fabric.setPort(leaf, 1, false, true);
        fabric.calm();
    }

    private void plug(SimulatedFabric into, long at, int port, long guid) {
        into.metal.apply(new PortSeen(at, port, true, new ToHost(new Host(guid, guid, 1, old.name()))));
        into.setPort(at, port, true, true);
        into.calm();
        into.pass(30_000 * SimulatedFabric.MILLI);
    }

    private ActAsked asked(long epoch, Act act) {
        return new ActAsked(fabric.now, act, epoch, "ada", "burnt");
    }

    private static Act act(long oldGuid, long newGuid) {
        return Act.replaceHosts(List.of(new HostPair(oldGuid, newGuid)));
    }

    /** Plans it, has it done, and compares. */
    private Prediction happensAsPlanned(Act act) {
        Planned planned = planning.plan(fabric.state.snapshot(), new Wanted(act, act.objects(), false));
        Prediction prediction = Objects.requireNonNull(planned.prediction(), planned.problem());
        Map<Long, byte[]> before = fabric.tablesHeld();

        fabric.send(asked(planned.epoch(), act));
        fabric.calm();

        assertThat(fabric.log).noneMatch(Effect.Declined.class::isInstance);
        FabricView works = Objects.requireNonNull(fabric.state.snapshot().works());
        assertThat(works.nodeCount()).isEqualTo(prediction.view().nodeCount());
        for (int node = 0; node < works.nodeCount(); node++) {
            assertThat(works.nodeGuid(node)).isEqualTo(prediction.view().nodeGuid(node));
            assertThat(works.nodeSwitch(node)).isEqualTo(prediction.view().nodeSwitch(node));
            assertThat(works.nodePort(node)).isEqualTo(prediction.view().nodePort(node));
        }
        long changed = fabric.tablesHeld().entrySet().stream()
                .filter(held -> !Arrays.equals(held.getValue(), before.get(held.getKey())))
                .count();
        assertThat((long) prediction.switches()).isEqualTo(changed);
        return prediction;
    }

    private void assertNoTableChanged() {
        fabric.tablesHeld().forEach((guid, held) -> assertThat(held).isEqualTo(tablesBefore.get(guid)));
    }

    @Test
    void shouldChangeNoTableForAnAdapterThatComesLater() {
        pull();

        Prediction prediction = happensAsPlanned(act(old.portGuid(), FRESH));

        assertThat(prediction.entries()).isZero();
        assertThat(fabric.state.nodeIndex(FRESH)).isEqualTo(index);
        assertThat(fabric.state.nodeIndex(old.portGuid())).isNegative();
        assertThat(fabric.state.alarmCount(Alarm.Kind.HOST_DOWN))
                .as("it is missed")
                .isEqualTo(1);
        assertThat(fabric.state.inventory().portOf(FRESH)).isEqualTo(new PortPlace(leaf, 1));
        plug(fabric, leaf, 1, FRESH);
        assertNoTableChanged();
        assertThat(fabric.state.alarms()).isEmpty();
        assertThat(fabric.state.snapshot().exchangedHosts()).isEmpty();
    }

    /** It has an index of its own by then: that column goes, and the old one comes back. */
    @Test
    void shouldGiveTheOldIndexToAnAdapterThatIsThere() {
        pull();
        plug(fabric, leaf, 1, FRESH);
        int own = fabric.state.nodeIndex(FRESH);
        assertThat(own).isEqualTo(12);
        assertThat(fabric.notes(Kind.HOST_EXCHANGED))
                .singleElement()
                .satisfies(note -> assertThat(note.text())
                        .isEqualTo("host " + old.name() + " at leaf1 port 1 in place of " + old.name()
                                + "; 'plan replace node " + Guid.format(old.portGuid())
                                + " 0x0000000000990001' gives it the node index"));

        Prediction prediction = happensAsPlanned(act(old.portGuid(), FRESH));

        assertThat(prediction.entries()).isPositive();
        assertThat(fabric.state.nodeIndex(FRESH)).isEqualTo(index);
        fabric.tablesHeld()
                .forEach((guid, held) -> assertThat(Arrays.copyOf(held, own)).isEqualTo(tablesBefore.get(guid)));
        assertThat(fabric.notes(Kind.HOST_REPLACED))
                .extracting(LoggedEvent::text)
                .containsExactly("host port 0x0000000000990001 takes the place of " + Guid.format(old.portGuid()) + " ("
                        + old.name() + "), node index " + index + " (ada: burnt)");
        assertThat(fabric.disk.all(NodeIndex.class))
                .contains(new NodeIndex(FRESH, index))
                .noneMatch(node -> node.portGuid() == old.portGuid() || node.index() == own);
        assertThat(fabric.state.snapshot().exchangedHosts()).isEmpty();
    }

    /** An index that nobody has any more is given to the next new host after a restart. */
    @Test
    void shouldStillKnowAllTablesAfterARestart() {
        pull();
        plug(fabric, leaf, 1, FRESH);
        happensAsPlanned(act(old.portGuid(), FRESH));
        assertThat(fabric.disk.all(Intent.class)).isEmpty();

        Map<Long, byte[]> held = fabric.tablesHeld();
        SimulatedFabric next = fabric.restarted();
        assertRecognised(next, held);

        assertThat(next.state.nodeIndex(FRESH)).isEqualTo(index);
        assertThat(next.state.snapshot().nodeIndex(FRESH)).isEqualTo(index);
        plug(next, fabric.guid("leaf0"), 1, 0x99_0002);
        assertThat(next.state.nodeIndex(0x99_0002)).isEqualTo(12);
    }

    /** Without any agent what switches hold is known from the records alone, also by the indices before a replacement. */
    private static void assertRecognised(SimulatedFabric next, Map<Long, byte[]> held) {
        next.work();
        assertThat(next.state.switches())
                .allSatisfy(record -> assertThat(Objects.requireNonNull(record.ackedRow, record.name)
                                .toBytes())
                        .isEqualTo(held.get(record.guid)));
        FabricView view = next.whole();
        for (int s = 0; s < view.switchCount(); s++) {
            next.join(view.switchGuid(s));
        }
        next.calm();
    }

    @Test
    void shouldNotBeUndoneByACrashBeforeTablesAreComputed() {
        pull();
        plug(fabric, leaf, 1, FRESH);
        Map<Long, byte[]> held = fabric.tablesHeld();
        fabric.holdComputations = true;
        fabric.send(asked(0, act(old.portGuid(), FRESH)));
        fabric.work();
        assertThat(fabric.state.snapshot().intent().kept()).isTrue();
        assertThat(fabric.disk.all(Intent.class)).hasSize(1);

        SimulatedFabric next = fabric.restarted();
        assertRecognised(next, held);
        assertThat(next.state.nodeIndex(FRESH)).isEqualTo(index);
        assertThat(next.state.nodeIndex(old.portGuid())).isNegative();
        assertThat(next.disk.all(Intent.class)).isEmpty();
        assertThat(next.state.alarms()).isEmpty();
    }

    /** It gave its index back and is seen again while tables of that are being computed: the index it is dealt then is kept. */
    @Test
    void shouldKeepTheNewIndexOfOneThatComesBackBeforeTheTablesAreAccepted() {
        exchange();
        fabric.send(asked(0, act(FRESH, old.portGuid())));
        fabric.pass(100 * SimulatedFabric.MILLI);
        assertThat(fabric.state.computing()).isTrue();
        fabric.setPort(leaf, 1, true, true);
        fabric.work();

        assertBothAreKept();
    }

    /** The same, where no view was drawn since, as an earlier one is still computed. */
    @Test
    void shouldKeepTheNewIndexOfOneThatComesBackBeforeAViewIsDrawn() {
        exchange();
        fabric.setLinks(fabric.guid("l3s0"), false, true);
        fabric.pass(100 * SimulatedFabric.MILLI);
        assertThat(fabric.state.computing()).isTrue();
        fabric.send(asked(0, act(FRESH, old.portGuid())));
        fabric.work();
        assertThat(fabric.state.nodeIndex(FRESH)).isNegative();
        fabric.setPort(leaf, 1, true, true);
        fabric.work();

        assertBothAreKept();
    }

    /** Another adapter takes the place of the old one, and is pulled out again; what is computed from now on waits. */
    private void exchange() {
        pull();
        plug(fabric, leaf, 1, FRESH);
        happensAsPlanned(act(old.portGuid(), FRESH));
        pull();
        fabric.holdComputations = true;
    }

    private void assertBothAreKept() {
        fabric.finishComputation(false);
        fabric.calm();
        fabric.pass(30_000 * SimulatedFabric.MILLI);
        int own = fabric.state.nodeIndex(FRESH);
        assertThat(own).isNotNegative().isNotEqualTo(index);
        assertThat(fabric.state.nodeIndex(old.portGuid())).isEqualTo(index);
        assertThat(fabric.disk.all(NodeIndex.class))
                .contains(new NodeIndex(FRESH, own), new NodeIndex(old.portGuid(), index));

        Map<Long, byte[]> held = fabric.tablesHeld();
        SimulatedFabric next = fabric.restarted();
        assertRecognised(next, held);
        assertThat(next.state.nodeIndex(FRESH)).isEqualTo(own);
    }

    @Test
    void shouldStillExpectOneThatComesLaterAfterACrash() {
        pull();
        fabric.holdComputations = true;
        fabric.send(asked(0, act(old.portGuid(), FRESH)));
        fabric.work();

        SimulatedFabric next = fabric.restarted();
        assertRecognised(next, tablesBefore);

        assertThat(next.state.nodeIndex(FRESH)).isEqualTo(index);
        assertThat(next.state.nodeIndex(old.portGuid()))
                .as("its leaf remembers it")
                .isNegative();
        assertThat(Objects.requireNonNull(next.state.view()).nodeGuid(index)).isEqualTo(FRESH);
        next.tablesHeld().forEach((guid, held) -> assertThat(held).isEqualTo(tablesBefore.get(guid)));
    }

    @Test
    void shouldRefuseWhatCannotBe() {
        long spine = fabric.guid("l2s0");
        assertThat(obstacle(old.portGuid(), FRESH)).endsWith("is up at leaf1 port 1");
        pull();
        assertThat(obstacle(old.portGuid(), old.portGuid())).endsWith(": a host port does not replace itself");
        assertThat(obstacle(FRESH, FRESH + 1)).isEqualTo("host port 0x0000000000990001 has no node index");
        assertThat(obstacle(old.portGuid(), spine)).isEqualTo("l2s0 is a switch");
        assertThat(obstacle(old.portGuid(), 0)).isEqualTo("no host port has GUID 0");
        assertThat(HostReplacement.obstacle(fabric.state, List.of())).isEqualTo("it names no host");
        HostPair pair = new HostPair(old.portGuid(), FRESH);
        assertThat(HostReplacement.obstacle(fabric.state, List.of(pair, pair))).isEqualTo("a host port is named twice");

        fabric.holdComputations = true;
        fabric.send(asked(0, act(old.portGuid(), FRESH)));
        fabric.work();
        assertThat(Forgetting.obstacle(fabric.state, new HostPort(FRESH))).isEqualTo(HostReplacement.UNDER_WAY);
        assertThat(obstacle(FRESH, FRESH + 1)).startsWith("tables with what was replaced last");
    }

    @Test
    void shouldDeclineWhenTheFabricMovedOn() {
        pull();
        fabric.send(asked(fabric.state.epoch() + 7, act(old.portGuid(), FRESH)));
        fabric.work();

        assertThat(fabric.state.nodeIndex(old.portGuid())).isEqualTo(index);
        assertThat(fabric.notes(Kind.HOST_REPLACED)).isEmpty();
    }

    /** The host keeps its routes by the index that is kept of it. */
    @Test
    void shouldWaitForADiskThatTakesNothing() {
        pull();
        plug(fabric, leaf, 1, FRESH);
        int own = fabric.state.nodeIndex(FRESH);
        fabric.diskTakes = false;
        fabric.send(asked(0, act(old.portGuid(), FRESH)));
        fabric.calm();
        assertThat(fabric.state.nodeIndex(FRESH)).isEqualTo(own);
        assertThat(Objects.requireNonNull(fabric.state.view()).nodeGuid(own)).isEqualTo(FRESH);

        fabric.diskTakes = true;
        fabric.keepWhatWaits();
        fabric.calm();

        assertThat(fabric.state.nodeIndex(FRESH)).isEqualTo(index);
    }

    /** It came back between the word and its being kept. */
    @Test
    void shouldNotReplaceWhatIsUpByTheTimeItIsKept() {
        pull();
        fabric.diskTakes = false;
        fabric.send(asked(0, act(old.portGuid(), FRESH)));
        fabric.work();
        fabric.setPort(leaf, 1, true, true);
        fabric.calm();
        fabric.diskTakes = true;
        fabric.keepWhatWaits();
        fabric.calm();

        assertThat(fabric.state.nodeIndex(old.portGuid())).isEqualTo(index);
        assertThat(fabric.notes(Kind.HOST_REPLACED)).isEmpty();
        assertThat(fabric.log.stream().filter(Effect.Declined.class::isInstance))
                .singleElement()
                .satisfies(effect -> assertThat(((Effect.Declined) effect).reason())
                        .startsWith("host port ")
                        .endsWith("is up at leaf1 port 1"));
        assertThat(fabric.disk.all(Intent.class)).isEmpty();
    }

    private String obstacle(long oldGuid, long newGuid) {
        return String.valueOf(HostReplacement.obstacle(fabric.state, List.of(new HostPair(oldGuid, newGuid))));
    }

    /** Chances to replace go with what is replaced, forgotten, or there again. */
    @Test
    void shouldKnowWhoGaveWayUntilItIsThereAgain() {
        pull();
        plug(fabric, leaf, 1, FRESH);
        assertThat(fabric.state.snapshot().exchangedHosts()).containsExactly(old);
        assertThat(fabric.state.snapshot().lastPlaceOf(old.portGuid())).isEqualTo(new PortPlace(leaf, 1));

        plug(fabric, fabric.guid("leaf0"), 2, old.portGuid());

        assertThat(fabric.state.snapshot().exchangedHosts())
                .extracting(Host::portGuid)
                .doesNotContain(old.portGuid())
                .hasSize(1);
    }

    /** A port that flapped while adapters were changed is not believed yet; its alarm says what to do. */
    @Test
    void shouldSayInTheAlarmThatAnotherAdapterIsThere() {
        fabric.setPort(leaf, 1, false, true);
        fabric.work();
        fabric.metal.apply(new PortSeen(leaf, 1, false, new ToHost(new Host(FRESH, FRESH, 1, "spare"))));
        fabric.setPort(leaf, 1, true, true);
        fabric.work();

        assertThat(fabric.state.alarms())
                .singleElement()
                .satisfies(alarm -> assertThat(alarm.text())
                        .startsWith("host " + old.name()
                                + " at leaf1 port 1 held down, it flapped; another adapter is there, spare: 'plan")
                        .endsWith(" 0x0000000000990001' gives it the node index"));
    }
}
