package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.EpochRecord.Stage;
import io.dmodc.manager.core.FabricEvent.Doubt;
import io.dmodc.manager.core.FabricEvent.PortsReported;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What people and their programs read of the fabric: how much of everything there is, and how the last epochs went. */
class FabricFiguresTest {
    private final SimulatedFabric fabric = new SimulatedFabric("2;4,4;1,2;1,1").start();
    private final long leaf = fabric.guid("leaf0");
    private final long spine = fabric.guid("l2s0");
    private final Cable uplink = fabric.cable(leaf, spine);

    private void setUplinkAndHost(boolean up) {
        fabric.setCable(uplink, up, true);
        fabric.setPort(leaf, 1, up, true);
        fabric.work();
    }

    private EpochRecord lastEpoch() {
        return List.copyOf(fabric.state.epochs()).get(fabric.state.epochs().size() - 1);
    }

    @Test
    void shouldCountWhatIsDownAndWhatIsHeldDownApart() {
        setUplinkAndHost(false);

        assertThat(fabric.state.snapshot().linkTotals()).isEqualTo(new Totals(8, 7, 1, 0));
        assertThat(fabric.state.snapshot().hostTotals()).isEqualTo(new Totals(16, 15, 1, 0));
        assertThat(fabric.state.snapshot().switchTotals()).isEqualTo(new Totals(6, 6, 0, 0));

        setUplinkAndHost(true);

        assertThat(fabric.state.snapshot().linkTotals()).isEqualTo(new Totals(8, 7, 0, 1));
        assertThat(fabric.state.snapshot().hostTotals()).isEqualTo(new Totals(16, 15, 0, 1));
        assertThat(fabric.state.heldDownCount()).as("both ends and the host").isEqualTo(3);
        assertThat(fabric.state.heldDown(leaf, uplink.port())).isTrue();
        assertThat(fabric.state.heldDown(leaf, uplink.port() + 1)).isFalse();
        assertThat(fabric.state.flapCount(spine, uplink.farPort())).isEqualTo(1);
        assertThat(fabric.state.linkFlaps()).as("a cable counts once").isEqualTo(2);

        fabric.calm();
        assertThat(fabric.state.heldDownCount()).isZero();
        assertThat(fabric.state.snapshot().linkTotals()).isEqualTo(new Totals(8, 8, 0, 0));
    }

    /** Nothing is compared yet: what was kept says what there should be, and which of it works. */
    @Test
    void shouldCountBeforeItHasDiscoveredAnything() {
        setUplinkAndHost(false);
        fabric.leave(spine);
        fabric.setLinks(spine, false, true);
        fabric.calm();

        SimulatedFabric next = fabric.restarted();

        assertThat(next.state.discovering()).isTrue();
        assertThat(next.state.alarms()).isEmpty();
        assertThat(next.state.snapshot().linkTotals()).isEqualTo(new Totals(8, 4, 4, 0));
        assertThat(next.state.snapshot().hostTotals()).isEqualTo(new Totals(16, 15, 1, 0));
        assertThat(next.state.learntLinkCount()).isEqualTo(8);
    }

    @Test
    void shouldCountADeadSwitchAsDownAndOneThatIsLedAroundAsHeld() {
        SimulatedFabric tall = new SimulatedFabric("3;2,2,3;1,2,2;1,2,1").start();
        long bypassed = tall.guid("l2s0");
        tall.mute.add(bypassed);
        tall.leave(bypassed);
        tall.work();
        assertThat(tall.state.snapshot().switchTotals())
                .as("headless, and used")
                .isEqualTo(new Totals(16, 16, 0, 0));
        Degradation.cables(tall.whole()).stream()
                .filter(cable -> cable.farGuid() == bypassed)
                .limit(1)
                .forEach(cable -> tall.setCable(cable, false, true));
        tall.calm();
        assertThat(tall.state.snapshot().switchTotals()).isEqualTo(new Totals(16, 15, 0, 1));
        assertThat(tall.state.alarms())
                .filteredOn(alarm -> alarm.kind() == Alarm.Kind.SWITCH_HEADLESS)
                .singleElement()
                .satisfies(alarm -> assertThat(alarm.text()).contains("led around"));

        tall.setLinks(bypassed, false, true);
        tall.calm();
        assertThat(tall.state.snapshot().switchTotals()).isEqualTo(new Totals(16, 15, 1, 0));
    }

    @Test
    void shouldSayHowAnEpochWent() {
        fabric.pass(5_000 * MILLI);
        fabric.holdComputations = true;
        fabric.deaf.add(spine);
        fabric.setCable(uplink, false, true);
        fabric.work();
        long noticed = fabric.now;
        EpochRecord epoch = lastEpoch();
        assertThat(epoch.stage()).isEqualTo(Stage.COMPUTING);
        assertThat(fabric.state.computing()).isTrue();
        assertThat(fabric.state.calm()).isFalse();

        fabric.pass(300 * MILLI);
        fabric.finishComputation(false);
        assertThat(epoch.stage()).isEqualTo(Stage.PUSHING);
        assertThat(fabric.state.computing()).isFalse();
        assertThat(fabric.state.calm()).as("one has not answered").isFalse();
        fabric.deaf.clear();
        fabric.pass(1_000 * MILLI);

        assertThat(epoch.stage()).isEqualTo(Stage.COMPLETE);
        assertThat(epoch.epoch()).isEqualTo(fabric.state.epoch());
        assertThat(epoch.cause()).startsWith("link leaf0 port " + uplink.port() + " – l2s0");
        assertThat(epoch.noticedNanos()).isEqualTo(noticed);
        assertThat(epoch.startedNanos()).isEqualTo(noticed);
        assertThat(epoch.routedNanos()).isEqualTo(noticed + 300 * MILLI);
        assertThat(epoch.completeNanos()).isEqualTo(noticed + 1_300 * MILLI);
        assertThat(epoch.switchesPushed()).as("leaves and the spine").isEqualTo(5);
        assertThat(epoch.blocksPushed()).isEqualTo(5);
        assertThat(epoch.verdict()).isEqualTo("ok");
        assertThat(fabric.notes(LoggedEvent.Kind.EPOCH_COMPLETE))
                .last()
                .extracting(LoggedEvent::text)
                .isEqualTo("epoch " + epoch.epoch() + " complete: 5 tables, 5 blocks, 1.30 s after the first news");
        assertThat(fabric.state.calm()).isTrue();
    }

    @Test
    void shouldKeepTheLastEpochsOnly() {
        for (int i = 0; i < FabricRules.EPOCHS_KEPT + 5; i++) {
            fabric.setCable(uplink, i % 2 == 1, true);
            fabric.calm();
        }

        assertThat(fabric.state.epochs()).hasSize(FabricRules.EPOCHS_KEPT);
        assertThat(lastEpoch().epoch()).isEqualTo(fabric.state.epoch());
    }

    /** Both ends are up and hear nothing: the cable is down, and each end says why. */
    @Test
    void shouldSayWhichPortsHearNoHellos() {
        for (long guid : new long[] {leaf, spine}) {
            int port = guid == leaf ? uplink.port() : uplink.farPort();
            PortSeen seen = new PortSeen(guid, port, true, fabric.metal.claim(guid, port));
            fabric.send(new PortsReported(
                    fabric.now, fabric.session(guid), guid, false, List.of(seen), Map.of(port, Doubt.UNHEARD)));
        }
        fabric.calm();

        assertThat(fabric.state.unheard(leaf, uplink.port())).isTrue();
        assertThat(fabric.state.unheard(spine, uplink.farPort())).isTrue();
        assertThat(fabric.state.unheard(leaf, uplink.port() + 1)).isFalse();
        assertThat(fabric.state.cabling().isLive(leaf, uplink.port())).isFalse();
    }

    @Test
    void shouldTellWhatEachSwitchShouldHoldAndHolds() {
        fabric.deaf.add(leaf);
        fabric.setCable(uplink, false, true);
        fabric.work();
        SwitchRecord record = Objects.requireNonNull(fabric.state.findSwitch(leaf));

        assertThat(record.agentConnected()).isTrue();
        assertThat(record.agentSilent()).isFalse();
        assertThat(record.pushInFlight()).isTrue();
        assertThat(record.upToDate()).isFalse();
        assertThat(record.ackedEpoch()).isEqualTo(fabric.state.epoch() - 1);
        assertThat(record.heldEntries()).isEqualTo(16);
        assertThat(record.heldRow()).isNotEqualTo(record.desiredRow());
        assertThat(record.ackedDigest()).isNotEqualTo(record.desiredDigest());
        assertThat(record.flagged()).isFalse();

        fabric.pass(10_000 * MILLI);
        assertThat(record.flagged()).isTrue();
        assertThat(fabric.state.alarmCount(Alarm.Kind.AGENT_FLAGGED)).isEqualTo(1);
        assertThat(record.agentConnected()).as("dismissed").isFalse();
        Alarm alarm = fabric.state.alarms().stream()
                .filter(it -> it.kind() == Alarm.Kind.AGENT_FLAGGED)
                .findFirst()
                .orElseThrow();

        fabric.join(leaf);
        fabric.pass(10_000 * MILLI);
        assertThat(fabric.notes(LoggedEvent.Kind.AGENT_FLAGGED))
                .as("tried again")
                .hasSize(2);
        assertThat(fabric.state.alarms()).as("one alarm").contains(alarm);

        fabric.deaf.clear();
        fabric.join(leaf);
        fabric.calm();
        assertThat(record.flagged()).isFalse();
        assertThat(record.ackedEpoch()).isEqualTo(fabric.state.epoch());
        assertThat(record.ackedDigest()).isEqualTo(record.desiredDigest());
        assertThat(record.pushInFlight()).isFalse();
        assertThat(fabric.state.alarmCount(Alarm.Kind.AGENT_FLAGGED)).isZero();
    }

    @Test
    void shouldKnowTheIndexOfAHostPort() {
        ToHost host = (ToHost) Objects.requireNonNull(fabric.metal.claim(leaf, 1));

        assertThat(fabric.state.nodeIndex(host.host().portGuid())).isZero();
        assertThat(fabric.state.nodeIndex(0x999)).isEqualTo(-1);
        assertThat(fabric.state.works(leaf, 1)).isTrue();
        assertThat(fabric.state.works(leaf, 0)).isFalse();
        assertThat(fabric.state.works(leaf, fabric.metal.portCount(leaf) + 1)).isFalse();
        assertThat(fabric.state.works(0x999, 1)).isFalse();
        assertThat(fabric.metal.claim(leaf, uplink.port())).isEqualTo(new ToSwitch(spine, uplink.farPort()));
    }
}
