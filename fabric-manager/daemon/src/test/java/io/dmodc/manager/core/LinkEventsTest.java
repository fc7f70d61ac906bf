package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.FabricEvent.Doubt;
import io.dmodc.manager.core.FabricEvent.PortsReported;
import io.dmodc.manager.core.FabricEvent.SettingsRead;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.Host;
import io.dmodc.topology.pgft.Degradation.Cable;
import io.dmodc.topology.rates.SlowLinkUse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** One line for each change of a cable, with both its ends and how it became known; and why an epoch follows. */
class LinkEventsTest {
    private final SimulatedFabric fabric = new SimulatedFabric("2;2,4;1,2;1,1").start();
    private final long leaf = fabric.guid("leaf0");
    private final long spine = fabric.guid("l2s0");
    private final Cable uplink = fabric.cable(leaf, spine);

    private List<String> told(Kind kind) {
        return fabric.notes(kind).stream()
                .map(note -> note.severity() + " " + note.text())
                .toList();
    }

    private void says(long guid, int port, boolean up, Neighbour far, Map<Integer, Doubt> doubts) {
        PortSeen seen = new PortSeen(guid, port, up, far);
        fabric.metal.apply(seen);
        fabric.send(new PortsReported(fabric.now, fabric.session(guid), guid, false, List.of(seen), doubts));
        fabric.work();
    }

    private String lastCause() {
        return List.copyOf(fabric.state.epochs())
                .get(fabric.state.epochs().size() - 1)
                .cause();
    }

    private void flap() {
        fabric.setCable(uplink, false, true);
        fabric.work();
        fabric.setCable(uplink, true, true);
        fabric.work();
    }

    @Test
    void shouldTellHowItBecameKnownThatACableIsDownAndUp() {
        fabric.setCable(uplink, false, true);
        fabric.work();
        fabric.setCable(uplink, true, true);
        fabric.calm();

        assertThat(told(Kind.LINK_DOWN)).containsExactly("WARNING link leaf0 port 3 – l2s0 port 1 down, told by leaf0");
        assertThat(told(Kind.LINK_HELD_DOWN)).containsExactly("INFO leaf0 port 3: up again, held down after 1 flap");
        assertThat(told(Kind.LINK_UP)).hasSize(1).allMatch(text -> text.endsWith(" up, stayed up"));
        assertThat(fabric.notes(Kind.LINK_HELD_DOWN).get(0).cable())
                .isEqualTo(new LoggedEvent.Cable(3, spine, "l2s0", 1));
    }

    /** After 1, 2 and 4 flaps, not after 3. */
    @Test
    void shouldTellEverMoreRarelyThatACableFlaps() {
        for (int i = 0; i < 4; i++) {
            flap();
        }

        assertThat(told(Kind.LINK_HELD_DOWN))
                .containsExactly(
                        "INFO leaf0 port 3: up again, held down after 1 flap",
                        "INFO leaf0 port 3: up again, held down after 2 flaps",
                        "INFO leaf0 port 3: up again, held down after 4 flaps");
        assertThat(fabric.state.linkFlaps()).isEqualTo(4);
    }

    @Test
    void shouldTellThatAHostsPortIsHeldDown() {
        Host host = ((ToHost) Objects.requireNonNull(fabric.metal.claim(leaf, 1))).host();
        fabric.setPort(leaf, 1, false, true);
        fabric.work();
        fabric.setPort(leaf, 1, true, true);
        fabric.work();

        assertThat(fabric.notes(Kind.LINK_HELD_DOWN))
                .singleElement()
                .extracting(LoggedEvent::cable)
                .isEqualTo(new LoggedEvent.Cable(1, host.portGuid(), host.name(), 0));
        assertThat(fabric.state.linkFlaps()).isEqualTo(1);
    }

    @Test
    void shouldTellOfACableThatIsPulledOutWithoutAWordOfTheFarEnd() {
        says(leaf, 3, false, new ToSwitch(spine, 1), Map.of());

        assertThat(fabric.notes(Kind.LINK_DOWN))
                .singleElement()
                .extracting(LoggedEvent::cable)
                .isEqualTo(new LoggedEvent.Cable(3, spine, "l2s0", 1));
        assertThat(fabric.state.linkFlaps()).isEqualTo(1);
        says(spine, 1, false, new ToSwitch(leaf, 3), Map.of());
        assertThat(fabric.state.linkFlaps()).as("the same flap").isEqualTo(1);
        assertThat(fabric.notes(Kind.LINK_DOWN)).hasSize(1);
    }

    /** leaf0 and leaf1 change places at the spine. */
    @Test
    void shouldComputeAnewWhenCablesAreSwapped() {
        long other = fabric.guid("leaf1");
        long epoch = fabric.state.epoch();

        for (boolean first : new boolean[] {true, false}) {
            says(first ? leaf : other, 3, true, new ToSwitch(spine, first ? 2 : 1), Map.of());
            says(spine, first ? 2 : 1, true, new ToSwitch(first ? leaf : other, 3), Map.of());
        }
        fabric.calm();

        assertThat(fabric.state.epoch()).isGreaterThan(epoch);
        assertThat(fabric.state.cabling().isLive(leaf, 3)).isTrue();
        assertThat(fabric.state.cabling().neighbour(leaf, 3)).isEqualTo(new ToSwitch(spine, 2));
        assertThat(fabric.state.cabling().neighbour(other, 3)).isEqualTo(new ToSwitch(spine, 1));
        assertThat(fabric.state.epochs()).extracting(EpochRecord::cause).contains("l2s0 port 2 recabled");
    }

    @Test
    void shouldSayWhichPortHasANewHost() {
        says(leaf, 1, true, new ToHost(new Host(0x77, 0x77, 1, "newcomer")), Map.of());

        assertThat(lastCause()).isEqualTo("leaf0 port 1 recabled");
        assertThat(fabric.notes(Kind.LINK_UP)).isEmpty();
    }

    /** Two switches name a host; the one that has it loses its agent, so the other one is believed. */
    @Test
    void shouldSayWhyAHostIsElsewhere() {
        long other = fabric.guid("leaf1");
        Neighbour host = Objects.requireNonNull(fabric.metal.claim(leaf, 1));
        says(other, 1, true, host, Map.of());
        fabric.calm();
        assertThat(fabric.state.works(leaf, 1)).isTrue();

        fabric.leave(leaf);
        fabric.calm();

        assertThat(lastCause()).startsWith("leaf0: hosts it named are elsewhere");
        assertThat(fabric.state.cabling().neighbour(other, 1)).isEqualTo(host);
        assertThat(fabric.state.alarms()).noneMatch(alarm -> alarm.kind() == Alarm.Kind.CABLE_DISAGREES);
    }

    /** While nothing is known all links come up, and nobody reads a line for each. */
    @Test
    void shouldTellNothingOfCablesBeforeTheFabricIsDiscovered() {
        assertThat(fabric.notes(Kind.LINK_UP)).isEmpty();
        SimulatedFabric next = fabric.restarted();
        next.setCable(uplink, false, false);
        next.join(leaf);
        next.work();

        assertThat(next.state.discovering()).isTrue();
        assertThat(next.state.cabling().isLive(leaf, 3)).isFalse();
        assertThat(next.notes(Kind.LINK_DOWN)).isEmpty();
    }

    @Test
    void shouldKeepBelievingAPortWhoseHandshakeBeginsAnewUnderAnotherNeighbour() {
        says(leaf, 3, true, new ToSwitch(spine, 1), Map.of(3, Doubt.UNHEARD));
        assertThat(fabric.state.unheard(leaf, 3)).isTrue();

        says(leaf, 3, true, new ToSwitch(spine, 1), Map.of(3, Doubt.UNDECIDED));

        assertThat(fabric.state.unheard(leaf, 3)).isFalse();
        assertThat(fabric.state.cabling().isLive(leaf, 3)).isTrue();
    }

    @Test
    void shouldHoldCablesByTheSettingsThatWereReadLast() {
        FabricRules usual = SimulatedFabric.RULES;
        FabricRules slow = new FabricRules(
                usual.ackTimeoutNanos(),
                usual.pushTries(),
                usual.drainNanos(),
                7_000 * MILLI,
                usual.holdDownMaxNanos(),
                usual.flapMemoryNanos(),
                usual.settleNanos(),
                usual.discoveryQuietNanos(),
                usual.discoveryTimeoutNanos(),
                usual.connectedPercent(),
                usual.membershipQuietNanos(),
                usual.ringSeed() + 1,
                usual.domains(),
                usual.groupOrder(),
                usual.nodeTypes(),
                usual.design(),
                RebalanceRule.STANDARD,
                SlowLinkUse.IGNORE);
        long ring = fabric.state.membership().epoch();
        fabric.send(new SettingsRead(fabric.now, slow, "settings read"));
        fabric.send(new SettingsRead(fabric.now, null, "settings cannot be read"));
        fabric.calm();
        assertThat(told(Kind.SETTINGS_READ)).containsExactly("INFO settings read", "WARNING settings cannot be read");
        assertThat(fabric.state.membership().epoch()).as("another order").isEqualTo(ring + 1);

        flap();
        fabric.pass(6_999 * MILLI);
        assertThat(fabric.state.heldDown(leaf, 3)).isTrue();
        fabric.pass(MILLI);

        assertThat(fabric.state.heldDown(leaf, 3)).isFalse();
    }

    /** Seed 20745 of the simulated site: tables led over the cable that was, and packets turned where the one that is leads. */
    @Test
    void shouldLetGoOfACableOfWhichOneEndIsFoundElsewhereWhileNobodySpeaksForIt() {
        long other = fabric.guid("leaf1");
        Cable moved = fabric.cable(other, fabric.guid("l2s1"));
        fabric.leave(leaf);
        fabric.leave(spine);
        fabric.calm();
        assertThat(fabric.state.cabling.isLive(leaf, uplink.port())).isTrue();

        says(other, moved.port(), true, new ToSwitch(spine, uplink.farPort()), Map.of());

        assertThat(fabric.state.cabling.isLive(leaf, uplink.port())).isFalse();
        assertThat(fabric.state.cabling.isLive(other, moved.port())).isFalse();
        fabric.metal.apply(new PortSeen(spine, uplink.farPort(), true, new ToSwitch(other, moved.port())));
        fabric.join(spine);
        fabric.calm();
        assertThat(fabric.state.cabling.isLive(other, moved.port())).isTrue();
    }

    @Test
    void shouldBelieveTheEndOfACableThatSpeaksMoreThanAThirdSwitch() {
        long other = fabric.guid("leaf1");
        fabric.leave(spine);
        fabric.calm();

        says(
                other,
                fabric.cable(other, fabric.guid("l2s1")).port(),
                true,
                new ToSwitch(spine, uplink.farPort()),
                Map.of());

        assertThat(fabric.state.cabling.isLive(leaf, uplink.port())).isTrue();
    }

    /** Seed 60156 of the simulated site: a switch that takes no table goes on sending over a link that is held down. */
    @Test
    void shouldPlanChangesWithWhatAHeldLinkCarriesAndRouteWithoutIt() {
        flap();
        assertThat(fabric.state.holdDown.holds(leaf, uplink.port())).isTrue();
        List<Effect.Compute> computed = new ArrayList<>();
        fabric.computing = computed::add;

        fabric.setCable(fabric.cable(fabric.guid("leaf1"), fabric.guid("l2s1")), false, true);
        fabric.work();

        Effect.Compute compute = computed.get(0);
        int s = compute.view().switchOf(leaf);
        assertThat(compute.view().peerSwitch(s, uplink.port())).isNegative();
        assertThat(compute.works().peerSwitch(s, uplink.port()))
                .isEqualTo(compute.works().switchOf(spine));
    }

    /** Seed 400078 of the simulated site: the switch at the other end has no level yet that is kept. */
    @Test
    void shouldPlanWithAHeldLinkToASwitchWhoseLevelIsLearntByTheSameEpoch() {
        SimulatedFabric growing = new SimulatedFabric("2;2,4;1,2;1,1");
        long late = growing.guid("l2s1");
        for (int s = 0; s < growing.whole().switchCount(); s++) {
            if (growing.whole().switchGuid(s) != late) {
                growing.join(growing.whole().switchGuid(s));
            }
        }
        growing.pass(20_000 * MILLI);
        Cable held = growing.cable(leaf, late);
        growing.setCable(held, false, true);
        growing.work();
        growing.setCable(held, true, true);
        growing.work();
        assertThat(growing.state.holdDown.holds(leaf, held.port())).isTrue();
        List<Effect.Compute> computed = new ArrayList<>();
        growing.computing = compute -> {
            boolean ranked = compute.view().rank(compute.view().switchOf(late)) == 1;
            if (ranked && growing.state.identity.keptLevels().get(late).isEmpty()) {
                computed.add(compute);
            }
        };

        growing.join(late);
        growing.work();

        Effect.Compute compute = computed.get(0);
        int s = compute.view().switchOf(leaf);
        int top = compute.view().switchOf(late);
        assertThat(compute.view().peerSwitch(s, held.port())).isNegative();
        assertThat(compute.works().peerSwitch(s, held.port())).isEqualTo(top);
    }

    @Test
    void shouldPlanAnewWhenAHeldLinkGoesDownAgainWhileTablesLeave() {
        flap();
        fabric.setCable(uplink, false, true);
        fabric.work();
        long calm = fabric.state.epoch();
        fabric.setCable(uplink, true, true);
        fabric.holdPushes = true;
        fabric.setCable(fabric.cable(fabric.guid("leaf1"), fabric.guid("l2s1")), false, true);
        fabric.work();
        assertThat(fabric.heldPushes).isNotEmpty();

        fabric.setCable(uplink, false, true);
        fabric.work();

        assertThat(fabric.state.epoch()).isEqualTo(calm + 2);
        assertThat(lastCause()).startsWith("link leaf0 port 3 – l2s0 port 1 down again");
    }

    /** It went down before, so the tables that leave are planned as if nothing were sent over it. */
    @Test
    void shouldPlanAnewWhenALinkComesUpAgainAndIsHeldWhileTablesLeave() {
        fabric.holdPushes = true;
        fabric.setCable(uplink, false, true);
        fabric.work();
        assertThat(fabric.heldPushes).isNotEmpty();
        List<Effect.Compute> computed = new ArrayList<>();
        fabric.computing = computed::add;

        fabric.setCable(uplink, true, true);
        fabric.work();

        assertThat(lastCause()).startsWith("link l2s0 port 1 – leaf0 port 3 up again");
        Effect.Compute compute = computed.get(computed.size() - 1);
        int s = compute.view().switchOf(leaf);
        assertThat(compute.view().peerSwitch(s, uplink.port())).isNegative();
        assertThat(compute.works().peerSwitch(s, uplink.port()))
                .isEqualTo(compute.works().switchOf(spine));
    }

    /** Seed 12000676 of the simulated site: a switch without an agent sends over a cable that was plugged in elsewhere since. */
    @Test
    void shouldPlanChangesWithACableWhileNobodySpeaksForTheEndThatNamesAnother() {
        long other = fabric.guid("leaf1");
        Cable moved = fabric.cable(other, fabric.guid("l2s1"));
        fabric.leave(spine);
        fabric.calm();
        says(leaf, uplink.port(), false, null, Map.of());
        List<Effect.Compute> computed = new ArrayList<>();
        fabric.computing = computed::add;

        says(other, moved.port(), true, new ToSwitch(spine, uplink.farPort()), Map.of());

        Effect.Compute compute = computed.get(computed.size() - 1);
        int s = compute.view().switchOf(other);
        assertThat(compute.view().peerSwitch(s, moved.port())).isNegative();
        assertThat(compute.works().peerSwitch(s, moved.port()))
                .isEqualTo(compute.works().switchOf(spine));
        assertThat(compute.works().peerPort(s, moved.port())).isEqualTo(uplink.farPort());
    }

    @Test
    void shouldPlanAnewWhenSuchACableGoesDownWhileTablesLeave() {
        long other = fabric.guid("leaf1");
        Cable moved = fabric.cable(other, fabric.guid("l2s1"));
        fabric.leave(spine);
        fabric.calm();
        says(leaf, uplink.port(), false, null, Map.of());
        fabric.calm();
        fabric.holdPushes = true;
        says(other, moved.port(), true, new ToSwitch(spine, uplink.farPort()), Map.of());
        assertThat(fabric.heldPushes).isNotEmpty();

        says(other, moved.port(), false, new ToSwitch(spine, uplink.farPort()), Map.of());

        assertThat(lastCause()).startsWith("link leaf1 port 4 – l2s0 port 1 down again");
    }

    /** It was known before, so nothing is recabled. */
    @Test
    void shouldPlanAnewWhenSuchACableComesUpAgainWhileTablesLeave() {
        long other = fabric.guid("leaf1");
        Cable moved = fabric.cable(other, fabric.guid("l2s1"));
        ToSwitch end = new ToSwitch(spine, uplink.farPort());
        fabric.leave(spine);
        fabric.calm();
        says(leaf, uplink.port(), false, null, Map.of());
        says(other, moved.port(), true, end, Map.of());
        fabric.calm();
        says(other, moved.port(), false, end, Map.of());
        fabric.pass(700_000 * MILLI); // its flap is forgotten
        fabric.calm();
        fabric.holdPushes = true;
        Cable third = fabric.cable(fabric.guid("leaf2"), fabric.guid("l2s1"));
        says(third.guid(), third.port(), false, new ToSwitch(third.farGuid(), third.farPort()), Map.of());
        assertThat(fabric.heldPushes).isNotEmpty();

        says(other, moved.port(), true, end, Map.of());

        assertThat(lastCause()).startsWith("link leaf1 port 4 – l2s0 port 1 up again");
    }

    @Test
    void shouldPlanWithoutACableWhoseOtherEndSpeaksAndNamesAnother() {
        long other = fabric.guid("leaf1");
        Cable moved = fabric.cable(other, fabric.guid("l2s1"));
        says(leaf, uplink.port(), false, null, Map.of());
        fabric.calm();
        List<Effect.Compute> computed = new ArrayList<>();
        fabric.computing = computed::add;

        says(other, moved.port(), true, new ToSwitch(spine, uplink.farPort()), Map.of());

        Effect.Compute compute = computed.get(computed.size() - 1);
        assertThat(compute.works().peerSwitch(compute.works().switchOf(other), moved.port()))
                .isNegative();
    }
}
