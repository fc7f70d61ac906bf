package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.core.LoggedEvent.Severity;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Host;
import io.dmodc.topology.HostAddresses;
import io.dmodc.topology.PortPlace;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ports that say what others deny. Leaves have nodes at ports 1 and 2, and one cable to each of two spines behind. */
class CableDisagreementsTest {
    private final SimulatedFabric fabric = new SimulatedFabric("2;2,3;1,2;1,1").start();
    private final long leaf0 = fabric.guid("leaf0");
    private final long leaf1 = fabric.guid("leaf1");
    private final long leaf2 = fabric.guid("leaf2");
    private final long spine = fabric.guid("l2s0");

    /** From now on the agent says so, asked or not. */
    private void says(long guid, int port, boolean up, @Nullable Neighbour far) {
        fabric.metal.apply(new PortSeen(guid, port, up, far));
        fabric.setPort(guid, port, up, true);
        fabric.work();
    }

    private FabricView view() {
        return Objects.requireNonNull(fabric.state.view());
    }

    private List<Alarm> alarms() {
        return fabric.state.alarms().stream()
                .filter(alarm -> alarm.kind() == Alarm.Kind.CABLE_DISAGREES)
                .toList();
    }

    private Neighbour node(int index) {
        return Objects.requireNonNull(fabric.metal.claim(index < 2 ? leaf0 : leaf1, index % 2 + 1));
    }

    /** leaf0 says l2s0 port 2, which says leaf1. */
    private void contradict() {
        says(spine, 1, false, new ToSwitch(leaf0, 3));
        contradictFromOneEnd();
    }

    private void contradictFromOneEnd() {
        says(leaf0, 3, true, new ToSwitch(spine, 2));
    }

    @Test
    void shouldNameACableWhoseEndsContradictEachOther() {
        contradict();
        fabric.pass(1_999 * MILLI);
        assertThat(fabric.notes(Kind.CABLE_DISAGREES)).isEmpty();
        assertThat(fabric.state.disagrees(leaf0, 3)).isFalse();
        fabric.pass(2 * MILLI);

        LoggedEvent told = fabric.notes(Kind.CABLE_DISAGREES).get(0);
        assertThat(fabric.notes(Kind.CABLE_DISAGREES)).hasSize(1);
        assertThat(told.severity()).isEqualTo(Severity.WARNING);
        assertThat(told.text())
                .isEqualTo(
                        "cable: leaf0 port 3 says it leads to l2s0 port 2, and that one says to leaf1 port 3; not used");
        assertThat(told.cable()).isEqualTo(new LoggedEvent.Cable(3, spine, "l2s0", 2));
        assertThat(alarms()).singleElement().satisfies(alarm -> {
            assertThat(alarm.guid()).isEqualTo(leaf0);
            assertThat(alarm.peerPort()).isEqualTo(2);
        });
        assertThat(fabric.state.disagrees(leaf0, 3)).isTrue();
        assertThat(fabric.state.cabling().isLive(leaf1, 3))
                .as("both its ends agree")
                .isTrue();

        says(leaf0, 3, true, new ToSwitch(spine, 1));
        assertThat(alarms()).isEmpty();
        assertThat(fabric.state.disagrees(leaf0, 3)).isFalse();
    }

    @Test
    void shouldNameAPortThatSaysToHaveAHostWhereASwitchIs() {
        says(spine, 1, true, new ToHost(new Host(77, 77, 1, "strange")));
        fabric.pass(2_001 * MILLI);

        assertThat(fabric.notes(Kind.CABLE_DISAGREES))
                .extracting(LoggedEvent::text)
                .containsExactly(
                        "cable: leaf0 port 3 says it leads to l2s0 port 1, and that one says to host strange; not used");
    }

    @Test
    void shouldNameTwoPortsWithOneHostAndLeaveItWhereItWas() {
        says(leaf2, 1, true, node(0));
        fabric.pass(2_001 * MILLI);

        assertThat(fabric.notes(Kind.CABLE_DISAGREES))
                .extracting(LoggedEvent::text)
                .singleElement()
                .asString()
                .contains("host node0")
                .endsWith("leaf2 port 1 and leaf0 port 1 both say to have it; leaf0 port 1 keeps it");
        FabricView view = view();
        assertThat(view.switchGuid(view.nodeSwitch(0))).isEqualTo(leaf0);
        assertThat(alarms()).hasSize(1);

        says(leaf0, 1, false, node(0));
        fabric.calm();
        assertThat(alarms()).isEmpty();
        assertThat(view().switchGuid(view().nodeSwitch(0))).isEqualTo(leaf2);
    }

    @Test
    void shouldSayNothingWhileOnlyOneEndHasSpoken() {
        says(spine, 1, false, new ToSwitch(leaf0, 3));
        fabric.mute.add(spine);
        contradictFromOneEnd();
        fabric.pass(2_900 * MILLI);

        assertThat(fabric.notes(Kind.CABLE_DISAGREES)).isEmpty();
        fabric.mute.remove(spine);
        says(spine, 2, true, new ToSwitch(leaf1, 3));
        fabric.pass(1_999 * MILLI);
        assertThat(fabric.notes(Kind.CABLE_DISAGREES)).isEmpty();
        fabric.pass(2 * MILLI);
        assertThat(fabric.notes(Kind.CABLE_DISAGREES)).hasSize(1);
    }

    /** Two cables change places; a spine's agent knows late who is behind its ports now. */
    @Test
    void shouldSayNothingOfCablesThatAreMoved() {
        says(spine, 1, false, new ToSwitch(leaf0, 3));
        says(spine, 2, false, new ToSwitch(leaf1, 3));
        says(leaf0, 3, true, new ToSwitch(spine, 2));
        says(leaf1, 3, true, new ToSwitch(spine, 1));
        says(spine, 2, true, new ToSwitch(leaf1, 3));
        fabric.pass(2_500 * MILLI);
        assertThat(fabric.state.disagreements.contradicted()).isNotEmpty();
        says(spine, 2, true, new ToSwitch(leaf0, 3));
        says(spine, 1, true, new ToSwitch(leaf1, 3));
        fabric.pass(60_000 * MILLI);

        assertThat(fabric.notes(Kind.CABLE_DISAGREES)).isEmpty();
        assertThat(fabric.state.cabling().isLive(leaf0, 3)).isTrue();
        assertThat(fabric.state.cabling().isLive(leaf1, 3)).isTrue();
    }

    @Test
    void shouldNotHoldAgainstAPortWhatAnAgentSaidThatIsGone() {
        fabric.leave(leaf0);
        fabric.calm();
        says(leaf2, 1, true, node(0));
        fabric.pass(60_000 * MILLI);

        assertThat(fabric.notes(Kind.CABLE_DISAGREES)).isEmpty();
        FabricView view = view();
        assertThat(view.switchGuid(view.nodeSwitch(0))).isEqualTo(leaf2);

        fabric.join(leaf0);
        fabric.pass(2_001 * MILLI);
        assertThat(fabric.notes(Kind.CABLE_DISAGREES)).hasSize(1);
        fabric.leave(leaf0);
        fabric.calm();
        assertThat(alarms()).isEmpty();
    }

    @Test
    void shouldForgetAHostAtEveryPortThatRemembersIt() {
        Neighbour host = node(0);
        says(leaf0, 1, false, host);
        says(leaf2, 1, false, host);
        fabric.send(new FabricEvent.ActAsked(
                fabric.now,
                Act.forget(
                        List.of(new Forgettable.HostPort(((ToHost) host).host().portGuid()))),
                0,
                "ada",
                ""));
        fabric.work();
        fabric.calm();

        assertThat(view().nodeSwitch(0)).isEqualTo(-1);
    }

    /** All ports looked at one by one, against those that were touched. Each port says something else some twenty times, of which one in a minute is taken in at last. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldFindWhatLookingAtAllPortsFinds(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        SimulatedFabric site = new SimulatedFabric("2;2,3;1,2;1,1").start();
        List<Long> guids = List.copyOf(site.state.switches.keySet());
        List<Neighbour> hosts = List.of(node(0), node(1), node(2), node(3));
        int found = 0;
        for (int step = 0; step < 400; step++) {
            long guid = guids.get(random.nextInt(guids.size()));
            int port = 1 + random.nextInt(site.metal.portCount(guid));
            switch (random.nextInt(12)) {
                case 0 -> site.leave(guid);
                case 1 -> site.join(guid);
                case 2 -> site.pass(random.nextInt(30_000) * MILLI);
                default -> {
                    site.metal.apply(new PortSeen(guid, port, random.nextInt(4) > 0, any(site, guids, hosts, random)));
                    site.setPort(guid, port, site.metal.saysUp(guid, port), true);
                }
            }
            site.work();
            Set<PortPlace> all = lookAtAll(site.state, guids);
            assertThat(site.state.disagreements.contradicted())
                    .as("seed " + seed + " step " + step)
                    .isEqualTo(all);
            found += all.size();
        }
        assertThat(found).isGreaterThan(200);
    }

    private static @Nullable Neighbour any(
            SimulatedFabric site, List<Long> guids, List<Neighbour> hosts, SplittableRandom random) {
        long guid = guids.get(random.nextInt(guids.size()));
        int port = 1 + random.nextInt(site.metal.portCount(guid));
        return random.nextBoolean()
                ? new ToSwitch(guid, port)
                : random.nextInt(5) == 0 ? null : readdressed(hosts.get(random.nextInt(4)), random);
    }

    /** The same host; which of its addresses an agent knows is its own affair. */
    private static Neighbour readdressed(Neighbour far, SplittableRandom random) {
        Host host = ((ToHost) far).host();
        HostAddresses addresses = HostAddresses.ofLid(random.nextInt(3));
        return new ToHost(new Host(host.portGuid(), host.hostGuid(), host.hostPort(), host.name(), addresses));
    }

    private static Set<PortPlace> lookAtAll(FabricState state, List<Long> guids) {
        Set<PortPlace> contradicted = new TreeSet<>();
        for (long guid : guids) {
            for (int port = 1; port <= state.cabling.portCount(guid); port++) {
                if (isUp(state, guid, port) && denied(state, guids, guid, port)) {
                    contradicted.add(new PortPlace(guid, port));
                }
            }
        }
        return contradicted;
    }

    private static boolean isUp(FabricState state, long guid, int port) {
        return state.cabling.saysUp(guid, port) && Objects.requireNonNull(state.switches.get(guid)).session != 0;
    }

    private static boolean denied(FabricState state, List<Long> guids, long guid, int port) {
        Neighbour says = state.cabling.claim(guid, port);
        if (says instanceof ToSwitch to) {
            Neighbour back = state.cabling.claim(to.guid(), to.port());
            return isUp(state, to.guid(), to.port())
                    && back != null
                    && !(to.guid() == guid && to.port() == port)
                    && !back.equals(new ToSwitch(guid, port));
        }
        TreeSet<PortPlace> same = new TreeSet<>();
        PortPlace owner = null;
        for (long other : guids) {
            for (int at = 1; says != null && at <= state.cabling.portCount(other); at++) {
                if (says.isSameEnd(state.cabling.claim(other, at)) && isUp(state, other, at)) {
                    same.add(new PortPlace(other, at));
                    owner = state.cabling.neighbour(other, at) != null ? new PortPlace(other, at) : owner;
                }
            }
        }
        return same.size() > 1 && !new PortPlace(guid, port).equals(owner == null ? same.first() : owner);
    }
}
