package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.FabricEvent.SettingsRead;
import io.dmodc.manager.core.SwitchRecord.Condition;
import io.dmodc.manager.state.StateRecord.HeldTable;
import io.dmodc.manager.state.StateRecord.NodeIndex;
import io.dmodc.manager.state.StateRecord.Removed;
import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Host;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import io.dmodc.topology.rates.SlowLinkUse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A start changes nothing that did not change in the fabric, whoever of the agents is late or away. */
class RestartTest {
    private static final long MILLI = SimulatedFabric.MILLI;

    private SimulatedFabric fabric = new SimulatedFabric("3;2,2,3;1,2,2;1,2,1").start();

    private static List<Long> guids(SimulatedFabric fabric) {
        FabricView view = fabric.whole();
        List<Long> guids = new ArrayList<>();
        for (int s = 0; s < view.switchCount(); s++) {
            guids.add(view.switchGuid(s));
        }
        return guids;
    }

    private static SwitchRecord record(SimulatedFabric fabric, long guid) {
        return Objects.requireNonNull(fabric.state.findSwitch(guid));
    }

    private static SimulatedFabric restartedWithout(SimulatedFabric before, List<Long> away) {
        SimulatedFabric next = before.restarted();
        guids(next).stream().filter(guid -> !away.contains(guid)).forEach(next::join);
        next.calm();
        return next;
    }

    private static void assertNothingWritten(SimulatedFabric next, Map<Long, byte[]> held) {
        assertThat(next.log).noneMatch(effect -> effect instanceof Effect.Push);
        assertThat(next.tablesHeld()).usingRecursiveComparison().isEqualTo(held);
        assertThat(next.state.tables()).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"leaf0", "l2s1", "l3s0", ""})
    void shouldWriteNothingWhoeverIsAway(String name) {
        Map<Long, byte[]> held = fabric.tablesHeld();
        List<Long> away = name.isEmpty() ? List.of() : List.of(fabric.guid(name));

        SimulatedFabric next = restartedWithout(fabric, away);

        assertNothingWritten(next, held);
        away.forEach(guid -> {
            assertThat(next.state.alarms()).singleElement().satisfies(alarm -> {
                assertThat(alarm.kind()).isEqualTo(Alarm.Kind.SWITCH_MISSING);
                assertThat(alarm.guid()).isEqualTo(guid);
            });
            next.join(guid);
        });
        next.calm();
        assertNothingWritten(next, held);
        assertThat(next.state.alarms()).isEmpty();
    }

    /** Any set of agents stays away that leaves enough; cables are out before, and each start follows another. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void shouldWriteNothingAfterAnySettledHistory(long seed) {
        Random random = new Random(seed);
        List<Long> guids = guids(fabric);
        List<Cable> cables = Degradation.cables(fabric.whole());
        for (int i = 0; i < 3; i++) {
            fabric.setCable(cables.get(random.nextInt(cables.size())), random.nextInt(3) == 0, true);
            fabric.calm();
        }
        Map<Long, byte[]> held = fabric.tablesHeld();
        for (int start = 0; start < 3; start++) {
            List<Long> away =
                    guids.stream().filter(guid -> random.nextInt(4) == 0).toList();

            fabric = restartedWithout(fabric, away);

            assertNothingWritten(fabric, held);
        }
    }

    /** The manager ended before it had written down that its tables were taken. */
    @ParameterizedTest
    @ValueSource(strings = {"leaf0", "l2s1", "l3s0"})
    void shouldWriteNothingAlsoIfNoAnswerWasWrittenDown(String name) {
        fabric.disk.all(HeldTable.class).forEach(held -> fabric.disk.apply(new Removed(held.key())));
        Map<Long, byte[]> held = fabric.tablesHeld();

        SimulatedFabric next = restartedWithout(fabric, List.of(fabric.guid(name)));

        assertNothingWritten(next, held);
        assertThat(next.state.cabling().alive(fabric.guid(name))).isTrue();
    }

    /** The answers to the last tables were not written down, those to the tables before were. */
    @ParameterizedTest
    @ValueSource(strings = {"leaf0", "l2s1", "l3s0"})
    void shouldWriteNothingAlsoIfTheLastAnswersWereNotWrittenDown(String name) {
        List<HeldTable> before = fabric.disk.all(HeldTable.class);
        fabric.setCable(Degradation.cables(fabric.whole()).get(0), false, true);
        fabric.calm();
        before.forEach(fabric.disk::apply);
        Map<Long, byte[]> held = fabric.tablesHeld();

        SimulatedFabric next = restartedWithout(fabric, List.of(fabric.guid(name)));

        assertNothingWritten(next, held);
        assertThat(next.state.cabling().alive(fabric.guid(name))).isTrue();
    }

    @Test
    void shouldFollowWhatChangedMeanwhileAroundASwitchThatIsAway() {
        long spine = fabric.guid("l2s0");
        Cable cable = Degradation.cables(fabric.whole()).stream()
                .filter(it -> it.guid() != spine && it.farGuid() != spine)
                .findFirst()
                .orElseThrow();
        SimulatedFabric next = fabric.restarted();
        next.setCable(cable, false, false);
        guids(next).stream().filter(guid -> guid != spine).forEach(next::join);
        next.calm();

        assertThat(next.count(Effect.Push.class)).isPositive();
        assertThat(record(next, spine).condition()).isEqualTo(Condition.HEADLESS);
        assertThat(next.notes(LoggedEvent.Kind.EPOCH_REFUSED)).isEmpty();
        assertThat(next.state.outstanding()).isZero();
    }

    @Test
    void shouldRouteThroughASwitchAgainThatWasDeadWhenTheManagerEnded() {
        Map<Long, byte[]> held = fabric.tablesHeld();
        long leaf = fabric.guid("leaf0");
        fabric.leave(leaf);
        fabric.setLinks(leaf, false, true);
        fabric.calm();
        assertThat(Objects.requireNonNull(fabric.state.findSwitch(leaf)).condition())
                .isEqualTo(Condition.DEAD);

        SimulatedFabric next = fabric.restarted();
        next.held.remove(leaf);
        next.setLinks(leaf, true, false);
        next.start();

        assertThat(next.state.cutOff()).isEmpty();
        assertThat(next.tablesHeld()).usingRecursiveComparison().isEqualTo(held);
    }

    /** Its agent filled it again while the disk took nothing: the record of its death is older than that. */
    @Test
    void shouldGoOnRoutingToALeafThatCameBackWhileTheDiskTookNothing() {
        long leaf = fabric.guid("leaf0");
        losePower(leaf);
        fabric.diskTakes = false;
        fabric.setLinks(leaf, true, true);
        fabric.join(leaf);
        fabric.pass(5000 * MILLI);
        assertThat(fabric.state.outstanding()).isZero();
        Map<Long, byte[]> held = fabric.tablesHeld();

        SimulatedFabric next = restartedWithout(fabric, List.of(leaf));

        assertThat(next.state.cabling().alive(leaf)).isTrue();
        assertThat(next.tablesHeld()).usingRecursiveComparison().isEqualTo(held);
    }

    /** Its links came up while somebody looked, and its agent did not come: a restart tells nothing new of it. */
    @Test
    void shouldNotUseALeafThatCameBackWithoutItsAgentAfterARestartEither() {
        long leaf = fabric.guid("leaf0");
        losePower(leaf);
        fabric.setLinks(leaf, true, true);
        fabric.calm();
        assertThat(fabric.state.cabling().alive(leaf)).isFalse();
        Map<Long, byte[]> held = fabric.tablesHeld();

        SimulatedFabric next = restartedWithout(fabric, List.of(leaf));

        assertNothingWritten(next, held);
        assertThat(next.state.cabling().alive(leaf)).isFalse();
    }

    /** All its links were down when the manager ended, and are still: it died, and what comes back is without its table. */
    @Test
    void shouldNotUseALeafThatWasStillDeadAtTheStart() {
        long leaf = fabric.guid("leaf0");
        losePower(leaf);
        SimulatedFabric next = restartedWithout(fabric, List.of(leaf));
        assertThat(record(next, leaf).condition()).isEqualTo(Condition.DEAD);

        next.setLinks(leaf, true, true);
        next.calm();

        assertThat(record(next, leaf).condition()).isEqualTo(Condition.HEADLESS);
        assertThat(next.state.cabling().alive(leaf)).isFalse();
    }

    private void losePower(long guid) {
        fabric.leave(guid);
        fabric.setLinks(guid, false, true);
        fabric.calm();
        fabric.held.remove(guid);
        assertThat(record(fabric, guid).condition()).isEqualTo(Condition.DEAD);
    }

    @Test
    void shouldTakeADeadSwitchForDeadAlsoIfItDiedWhileNobodyLooked() {
        long spine = fabric.guid("l2s0");
        SimulatedFabric next = fabric.restarted();
        next.setLinks(spine, false, false);
        guids(next).stream().filter(guid -> guid != spine).forEach(next::join);
        next.calm();

        assertThat(record(next, spine).condition()).isEqualTo(Condition.DEAD);
        assertThat(next.state.cabling().alive(spine)).isFalse();
    }

    @Test
    void shouldPushNothingWhileFewerThanHalfAreHere() {
        List<Long> guids = guids(fabric);
        SimulatedFabric next = fabric.restarted();
        next.setCable(Degradation.cables(fabric.whole()).get(0), false, false);
        guids.subList(0, guids.size() / 2 - 1).forEach(next::join);
        next.calm();

        assertThat(next.log).noneMatch(effect -> effect instanceof Effect.Push);
        assertThat(next.state.alarmCount(Alarm.Kind.PUSHES_HELD)).isEqualTo(1);

        guids.subList(guids.size() / 2 - 1, guids.size()).forEach(next::join);
        next.calm();
        assertThat(next.count(Effect.Push.class)).isPositive();
        assertThat(next.state.alarmCount(Alarm.Kind.PUSHES_HELD)).isZero();
        assertThat(next.state.outstanding()).isZero();
    }

    @Test
    void shouldPushOnceTheSettingsAskForFewerAgents() {
        List<Long> guids = guids(fabric);
        SimulatedFabric next = fabric.restarted();
        next.setCable(Degradation.cables(fabric.whole()).get(0), false, false);
        guids.subList(0, guids.size() / 2 - 1).forEach(next::join);
        next.calm();
        assertThat(next.count(Effect.Push.class)).isZero();

        next.send(new SettingsRead(next.now, withConnectedPercent(10), "read"));
        next.calm();

        assertThat(next.count(Effect.Push.class)).isPositive();
        assertThat(next.state.alarmCount(Alarm.Kind.PUSHES_HELD)).isZero();
    }

    private static FabricRules withConnectedPercent(int percent) {
        FabricRules usual = SimulatedFabric.RULES;
        return new FabricRules(
                usual.ackTimeoutNanos(),
                usual.pushTries(),
                usual.drainNanos(),
                usual.holdDownNanos(),
                usual.holdDownMaxNanos(),
                usual.flapMemoryNanos(),
                usual.settleNanos(),
                usual.discoveryQuietNanos(),
                usual.discoveryTimeoutNanos(),
                percent,
                usual.membershipQuietNanos(),
                usual.ringSeed(),
                usual.domains(),
                usual.groupOrder(),
                usual.nodeTypes(),
                usual.design(),
                RebalanceRule.STANDARD,
                SlowLinkUse.IGNORE);
    }

    /** Agents wait up to 10 s between two attempts: whoever is only slow must not have its switch led around. */
    @Test
    void shouldWaitForAgentsThatAreSlowToReturnWhenTheFabricChangedMeanwhile() {
        long spine = fabric.guid("l2s0");
        Cable cable = fabric.cableAt(spine);
        SimulatedFabric next = fabric.restarted();
        next.setCable(cable, false, false);
        guids(next).stream().filter(guid -> guid != spine).forEach(next::join);
        next.pass(9_000 * MILLI);
        assertThat(next.count(Effect.Push.class)).isZero();

        next.join(spine);
        next.calm();

        assertThat(next.notes(LoggedEvent.Kind.SWITCH_BYPASSED)).isEmpty();
        assertThat(next.state.cutOff()).isEmpty();
        assertThat(next.count(Effect.Push.class)).isPositive();
    }

    @Test
    void shouldGoOnWithoutAgentsThatDoNotReturnInTime() {
        long spine = fabric.guid("l2s0");
        SimulatedFabric next = fabric.restarted();
        next.setCable(Degradation.cables(fabric.whole()).get(0), false, false);
        guids(next).stream().filter(guid -> guid != spine).forEach(next::join);
        next.pass(SimulatedFabric.RULES.discoveryTimeoutNanos() + 1000 * MILLI);

        assertThat(next.state.discovering()).isFalse();
        assertThat(next.state.tables()).isNotNull();
    }

    /** One agent is away for good and a host's port flaps: the first tables come all the same. */
    @Test
    void shouldEndDiscoveryAlthoughAPortFlaps() {
        long leaf = fabric.guid("leaf1");
        SimulatedFabric next = fabric.restarted();
        guids(next).stream().filter(guid -> guid != fabric.guid("leaf0")).forEach(next::join);
        for (int i = 0; i < 10; i++) {
            next.setPort(leaf, 1, i % 2 == 1, true);
            next.pass(1500 * MILLI);
        }

        assertThat(next.state.discovering()).isFalse();
        assertThat(next.state.tables()).isNotNull();
    }

    @Test
    void shouldSendNoTableWithAnIndexThatIsNotKept() {
        long leaf = fabric.guid("leaf0");
        fabric.diskTakes = false;
        int before = fabric.log.size();

        PortSeen newcomer = new PortSeen(leaf, 1, true, new ToHost(new Host(0x77, 0x77, 1, "newcomer")));
        fabric.metal.apply(newcomer);
        fabric.setPort(leaf, 1, true, true);
        fabric.pass(5000 * MILLI);

        List<Effect> since = fabric.log.subList(before, fabric.log.size());
        assertThat(since).noneMatch(effect -> effect instanceof Effect.Push);
        assertThat(since)
                .filteredOn(Effect.Persist.class::isInstance)
                .flatExtracting(effect -> ((Effect.Persist) effect).records())
                .contains(new NodeIndex(0x77, 12));

        fabric.diskTakes = true;
        fabric.send(new FabricEvent.Persisted(fabric.now, fabric.state.records.lastNumber()));
        fabric.calm();
        assertThat(fabric.log.subList(before, fabric.log.size())).anyMatch(effect -> effect instanceof Effect.Push);
    }

    /** The disk is full, a host is new, and then a cable dies: the others are healed, the new host waits. */
    @Test
    void shouldHealAllOthersWhileANewHostCannotBeKept() {
        long leaf = fabric.guid("leaf0");
        fabric.diskTakes = false;
        PortSeen newcomer = new PortSeen(leaf, 1, true, new ToHost(new Host(0x77, 0x77, 1, "newcomer")));
        fabric.metal.apply(newcomer);
        fabric.setPort(leaf, 1, true, true);
        fabric.pass(5000 * MILLI);
        assertThat(Objects.requireNonNull(fabric.state.tables()).entryCount()).isEqualTo(13);

        fabric.send(new FabricEvent.StoreReported(fabric.now, "No space left on device"));
        fabric.calm();
        int before = fabric.log.size();
        fabric.setCable(Degradation.cables(fabric.whole()).get(0), false, true);
        fabric.pass(5000 * MILLI);

        assertThat(fabric.log.subList(before, fabric.log.size())).anyMatch(effect -> effect instanceof Effect.Push);
        LftSet without = Objects.requireNonNull(fabric.state.tables()).lfts();
        assertThat(IntStream.range(0, without.switchCount()))
                .allMatch(s -> without.port(s, 12) == LftSet.NO_ROUTE && without.port(s, 1) != LftSet.NO_ROUTE);
        assertThat(fabric.state.outstanding()).isZero();

        fabric.diskTakes = true;
        fabric.send(new FabricEvent.StoreReported(fabric.now, ""));
        fabric.send(new FabricEvent.Persisted(fabric.now, fabric.state.records.lastNumber()));
        fabric.calm();
        LftSet with = Objects.requireNonNull(fabric.state.tables()).lfts();
        assertThat(IntStream.range(0, with.switchCount())).allMatch(s -> with.port(s, 12) != LftSet.NO_ROUTE);
        assertThat(fabric.state.nodeIndex(0x77)).isEqualTo(12);
        assertThat(fabric.state.outstanding()).isZero();
    }

    /** Also after a restart, at which the agent names the host its port had last: its index goes to the next new one. */
    @Test
    void shouldGiveTheIndexOfAForgottenHostToAnother() {
        long leaf = fabric.guid("leaf0");
        Host gone = ((ToHost) Objects.requireNonNull(fabric.metal.neighbour(leaf, 1))).host();
        int index = fabric.state.nodeIndex(gone.portGuid());
        assertThat(index).isBetween(0, 10);
        fabric.setPort(leaf, 1, false, true);
        fabric.calm();
        fabric.send(new FabricEvent.ActAsked(
                fabric.now, Act.forget(List.of(new Forgettable.HostPort(gone.portGuid()))), 0, "ada", ""));
        fabric.calm();
        assertThat(fabric.state.nodeIndex(gone.portGuid())).isEqualTo(-1);

        SimulatedFabric next = fabric.restarted();
        guids(next).forEach(next::join);
        next.calm();
        next.metal.apply(new PortSeen(leaf, 1, true, new ToHost(new Host(0x77, 0x77, 1, "newcomer"))));
        next.setPort(leaf, 1, true, true);
        next.pass(5000 * MILLI);

        assertThat(next.state.nodeIndex(0x77)).isEqualTo(index);
        assertThat(Objects.requireNonNull(next.state.tables()).entryCount()).isEqualTo(12);
        assertThat(next.state.outstanding()).isZero();
    }

    /** A table with a new index waits for the disk, however long, and no timer is due meanwhile. */
    @Test
    void shouldNotWakeAgainAndAgainWhileTablesWaitForAFullDisk() {
        long leaf = fabric.guid("leaf0");
        fabric.diskTakes = false;
        fabric.metal.apply(new PortSeen(leaf, 1, true, new ToHost(new Host(0x77, 0x77, 1, "newcomer"))));
        fabric.setPort(leaf, 1, true, true);
        fabric.work();
        assertThat(fabric.state.outstanding()).isPositive();

        fabric.now += 5000 * MILLI;
        fabric.pass(0);

        assertThat(fabric.step.nextDeadline()).isGreaterThan(fabric.now);
        assertThat(fabric.state.outstanding()).isPositive();
    }

    /** A slow disk does not stop healing: what was only observed is waited for 20 ms. */
    @Test
    void shouldHealAlthoughTheDiskTakesNothing() {
        fabric.diskTakes = false;
        int before = fabric.log.size();

        fabric.setCable(Degradation.cables(fabric.whole()).get(0), false, true);
        fabric.work();
        assertThat(fabric.log.subList(before, fabric.log.size())).noneMatch(effect -> effect instanceof Effect.Push);
        fabric.pass(21 * MILLI);

        assertThat(fabric.log.subList(before, fabric.log.size())).anyMatch(effect -> effect instanceof Effect.Push);
    }

    /** The agent goes between the push and its answer: nobody can tell by which table the switch forwards. */
    @Test
    void shouldProveWithBothRowsWhatNobodyCanTell() {
        long spine = fabric.guid("l2s0");
        fabric.deaf.add(spine);
        Cable cable = fabric.cableAt(spine);
        fabric.setCable(cable, false, true);
        fabric.work();
        assertThat(record(fabric, spine).pushInFlight()).isTrue();
        fabric.leave(spine);
        fabric.holdComputations = true;
        fabric.setCable(
                Degradation.cables(fabric.whole()).stream()
                        .filter(it -> it.guid() != spine && it.farGuid() != spine)
                        .findFirst()
                        .orElseThrow(),
                false,
                true);
        fabric.pass(3000 * MILLI);

        assertThat(fabric.log)
                .filteredOn(Effect.Compute.class::isInstance)
                .last()
                .satisfies(effect -> {
                    Effect.Compute compute = (Effect.Compute) effect;
                    assertThat(compute.frozenRows().get(compute.view().switchOf(spine)))
                            .hasSize(2);
                });
    }
}
