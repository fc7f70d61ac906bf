package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.FabricEvent.SettingsRead;
import io.dmodc.manager.state.StateRecord.ExpectedSwitch;
import io.dmodc.manager.state.StateRecord.FabricEpoch;
import io.dmodc.manager.state.StateRecord.KnownSwitch;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.Host;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import io.dmodc.topology.rates.SlowLinkUse;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is on the disk is what is known, whether it led to a new epoch or not. */
class KeptRecordsTest {
    private static final String SHAPE = "2;2,4;1,2;1,1";

    private final SimulatedFabric fabric = new SimulatedFabric(SHAPE).start();
    private final long leaf = fabric.guid("leaf0");
    private final long spine = fabric.guid("l2s0");

    private void assertKeptAsKnown() {
        List<KnownSwitch> known = fabric.state.switches.keySet().stream()
                .map(guid -> new KnownSwitch(
                        fabric.state.cabling().claims(guid),
                        fabric.state.cabling().alive(guid)))
                .toList();
        assertThat(fabric.disk.all(KnownSwitch.class)).containsExactlyElementsOf(known);
        assertThat(fabric.disk.all(FabricEpoch.class))
                .containsExactly(new FabricEpoch(
                        fabric.state.epoch(), List.of(), List.of(), "", fabric.state.basis(""), 0, false));
    }

    @Test
    void shouldKeepTheCablingAsItIsKnown() {
        assertKeptAsKnown();

        fabric.setCable(Degradation.cables(fabric.whole()).get(0), false, true);
        fabric.calm();
        assertKeptAsKnown();

        fabric.leave(spine);
        fabric.setLinks(spine, false, true);
        fabric.calm();
        assertKeptAsKnown();
    }

    /** No table changes for a host's cable. */
    @Test
    void shouldKeepThatAHostsCableIsDown() {
        long epoch = fabric.state.epoch();
        fabric.setPort(leaf, 1, false, true);
        fabric.calm();

        assertThat(fabric.state.epoch()).isEqualTo(epoch);
        assertKeptAsKnown();
        assertThat(fabric.restarted().state.works(leaf, 1)).isFalse();
    }

    /** A manager that has just started has nothing new to write of the switches it restored. */
    @Test
    void shouldWriteNoSwitchAgainAfterARestart() {
        SimulatedFabric next = fabric.restarted().start();

        assertThat(next.log)
                .filteredOn(Effect.Persist.class::isInstance)
                .flatExtracting(effect -> ((Effect.Persist) effect).records())
                .doesNotHaveAnyElementsOfTypes(ExpectedSwitch.class);
    }

    /** Two ports that were free: both switches expect the cable. */
    @Test
    void shouldKeepANewCableAtBothItsEnds() {
        long other = fabric.guid("leaf1");
        for (boolean near : new boolean[] {true, false}) {
            long guid = near ? leaf : other;
            PortSeen down = new PortSeen(guid, 1, false, null);
            fabric.metal.apply(down);
            fabric.setPort(guid, 1, false, true);
            fabric.calm();
            fabric.state
                    .alarms()
                    .forEach(alarm -> fabric.send(new FabricEvent.ActAsked(
                            fabric.now,
                            Act.forget(List.of(new Forgettable.HostPort(alarm.peerGuid()))),
                            0,
                            "ada",
                            "")));
            fabric.calm();
        }
        for (boolean near : new boolean[] {true, false}) {
            long guid = near ? leaf : other;
            fabric.metal.apply(new PortSeen(guid, 1, true, new ToSwitch(near ? other : leaf, 1)));
            fabric.setPort(guid, 1, true, true);
        }
        fabric.pass(120_000 * MILLI);

        assertThat(fabric.state.inventory().expected(leaf, 1)).isEqualTo(new ToSwitch(other, 1));
        Inventory kept = Inventory.of(fabric.disk.all(ExpectedSwitch.class));
        assertThat(fabric.disk.all(ExpectedSwitch.class))
                .filteredOn(known -> known.guid() == leaf || known.guid() == other)
                .hasSize(2)
                .allSatisfy(known -> assertThat(known.ports().get(0).port()).isEqualTo(1));
        assertThat(kept.linkCount()).isEqualTo(9);
    }

    @Test
    void shouldDrawNoViewBeforeTheNewsHasSettled() {
        FabricRules usual = SimulatedFabric.RULES;
        FabricRules slow = new FabricRules(
                usual.ackTimeoutNanos(),
                usual.pushTries(),
                usual.drainNanos(),
                usual.holdDownNanos(),
                usual.holdDownMaxNanos(),
                usual.flapMemoryNanos(),
                100 * MILLI,
                usual.discoveryQuietNanos(),
                usual.discoveryTimeoutNanos(),
                usual.connectedPercent(),
                usual.membershipQuietNanos(),
                usual.ringSeed(),
                usual.domains(),
                usual.groupOrder(),
                usual.nodeTypes(),
                usual.design(),
                RebalanceRule.STANDARD,
                SlowLinkUse.IGNORE);
        fabric.send(new SettingsRead(fabric.now, slow, "read"));
        fabric.calm();
        long epoch = fabric.state.epoch();

        fabric.setCable(Degradation.cables(fabric.whole()).get(0), false, true);
        fabric.work();
        assertThat(fabric.step.nextDeadline()).isEqualTo(fabric.now + 100 * MILLI);
        fabric.pass(60 * MILLI);
        fabric.setCable(Degradation.cables(fabric.whole()).get(1), false, true);
        fabric.pass(39 * MILLI);
        assertThat(fabric.state.epoch()).isEqualTo(epoch);
        fabric.pass(MILLI);

        assertThat(fabric.state.epoch()).as("from the first news on").isEqualTo(epoch + 1);
    }

    @Test
    void shouldNumberEpochsOneByOneAlsoByADesign() {
        SimulatedFabric designed =
                new SimulatedFabric(PgftGenerator.generate(PgftShape.parse(SHAPE)), PgftShape.parse(SHAPE)).start();

        assertThat(designed.state.epoch()).isEqualTo(1);
        designed.setCable(Degradation.cables(designed.whole()).get(0), false, true);
        designed.calm();
        assertThat(designed.state.epoch()).isEqualTo(2);
    }

    /** A manager's own clock starts anywhere; what is noticed carries the time of day. */
    @Test
    void shouldTellTheTimeOfDayOfAnAlarmAlsoAfterARestart() {
        fabric.pass(5_000 * MILLI);
        SimulatedFabric next = fabric.restarted().start();
        next.pass(7_000 * MILLI);
        long since = next.now / MILLI;
        next.setPort(leaf, 1, false, true);
        next.calm();

        assertThat(next.state.alarms())
                .singleElement()
                .extracting(Alarm::sinceMillis)
                .isEqualTo(since);
    }

    /** The disk is full: the index of a newcomer cannot be kept, and the others shall not wait for it. */
    @Test
    void shouldComputeAnewWithoutTheHostThatCannotBeKept() {
        fabric.diskTakes = false;
        PortSeen newcomer = new PortSeen(leaf, 1, true, new ToHost(new Host(0x77, 0x77, 1, "newcomer")));
        fabric.metal.apply(newcomer);
        fabric.setPort(leaf, 1, true, true);
        fabric.work();
        long epoch = fabric.state.epoch();

        fabric.send(new FabricEvent.StoreReported(fabric.now, "No space left on device"));
        fabric.calm();

        assertThat(fabric.state.epoch()).isEqualTo(epoch + 1);
        assertThat(fabric.state.epochs())
                .last()
                .extracting(EpochRecord::cause)
                .isEqualTo("new hosts are left out while state is not kept");
        assertThat(fabric.state.outstanding()).isZero();

        fabric.send(new FabricEvent.StoreReported(fabric.now, "still full"));
        fabric.calm();
        fabric.diskTakes = true;
        fabric.send(new FabricEvent.Persisted(fabric.now, fabric.state.records.lastNumber()));
        fabric.send(new FabricEvent.StoreReported(fabric.now, ""));
        fabric.calm();
        assertThat(fabric.state.epochs()).last().extracting(EpochRecord::cause).isEqualTo("state is kept again");
    }

    /** Nobody new: a full disk changes no table. */
    @Test
    void shouldComputeNothingForAFullDiskAlone() {
        long epoch = fabric.state.epoch();

        fabric.send(new FabricEvent.StoreReported(fabric.now, "No space left on device"));
        fabric.calm();
        fabric.send(new FabricEvent.StoreReported(fabric.now, ""));
        fabric.calm();

        assertThat(fabric.state.epoch()).isEqualTo(epoch);
    }
}
