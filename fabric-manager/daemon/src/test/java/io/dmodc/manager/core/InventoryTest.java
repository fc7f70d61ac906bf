package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.ExpectedPort;
import io.dmodc.manager.state.StateRecord.ExpectedSwitch;
import io.dmodc.manager.state.StateRecord.Removed;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.Host;
import io.dmodc.topology.HostAddresses;
import io.dmodc.topology.PortPlace;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What has worked is expected: two leaves with two ports for hosts and two cables to one spine. */
class InventoryTest {
    private static final long LEAF = 0x10;
    private static final long OTHER = 0x11;
    private static final long SPINE = 0x20;
    private static final ToHost HOST = new ToHost(new Host(0xa0, 0xa0, 1, "node0"));
    private static final ToHost GUEST = new ToHost(new Host(0xa1, 0xa1, 1, "node1"));

    private final Inventory inventory = new Inventory();

    InventoryTest() {
        inventory.addSwitch(LEAF, "leaf0", 4);
        inventory.addSwitch(OTHER, "leaf1", 4);
        inventory.addSwitch(SPINE, "spine", 4);
        inventory.seenWorking(LEAF, 1, HOST);
        inventory.seenWorking(LEAF, 3, new ToSwitch(SPINE, 1));
        inventory.seenWorking(SPINE, 3, new ToSwitch(OTHER, 4));
        inventory.takeChanges();
    }

    @Test
    void shouldKnowEachCableFromBothEnds() {
        assertThat(inventory.switchCount()).isEqualTo(3);
        assertThat(inventory.linkCount()).isEqualTo(2);
        assertThat(inventory.hostCount()).isEqualTo(1);
        assertThat(inventory.expected(SPINE, 1)).isEqualTo(new ToSwitch(LEAF, 3));
        assertThat(inventory.expected(OTHER, 4)).isEqualTo(new ToSwitch(SPINE, 3));
        assertThat(inventory.portOf(0xa0)).isEqualTo(new PortPlace(LEAF, 1));
        assertThat(inventory.nameOf(SPINE)).isEqualTo("spine");
        assertThat(inventory.hasSwitch(SPINE)).isTrue();
        assertThat(inventory.switchGuids()).containsExactly(LEAF, OTHER, SPINE);
    }

    @Test
    void shouldExpectAHostWhereItIsWithTheAddressesItHasNow() {
        ToHost readdressed = new ToHost(new Host(0xa0, 0xa0, 1, "node0", HostAddresses.ofLid(7)));

        assertThat(inventory.seenWorking(LEAF, 1, readdressed)).isEmpty();

        assertThat(inventory.expected(LEAF, 1)).isEqualTo(readdressed);
        assertThat(inventory.portOf(0xa0)).isEqualTo(new PortPlace(LEAF, 1));
        assertThat(inventory.hostCount()).isEqualTo(1);
        assertThat(inventory.takeChanges())
                .singleElement()
                .satisfies(record ->
                        assertThat(((ExpectedSwitch) record).ports()).contains(new ExpectedPort(1, readdressed)));
    }

    @Test
    void shouldExpectNothingAtPortsThatAreNotThere() {
        assertThat(inventory.expected(LEAF, 0)).isNull();
        assertThat(inventory.expected(LEAF, 5)).isNull();
        assertThat(inventory.expected(0x99, 1)).isNull();
        assertThat(inventory.portCount(0x99)).isZero();
        assertThat(inventory.nameOf(0x99)).isEqualTo("0x0000000000000099");

        assertThat(inventory.seenWorking(LEAF, 0, GUEST)).isEmpty();
        assertThat(inventory.seenWorking(LEAF, 5, GUEST)).isEmpty();
        assertThat(inventory.seenWorking(0x99, 1, GUEST)).isEmpty();
        assertThat(inventory.seenWorking(LEAF, 2, new ToSwitch(SPINE, 5))).isEmpty();
        assertThat(inventory.forgetPort(LEAF, 5)).isEmpty();
        assertThat(inventory.forgetPort(LEAF, 0)).isEmpty();
        assertThat(inventory.hostCount()).isEqualTo(1);
        assertThat(inventory.linkCount()).isEqualTo(2);
        assertThat(inventory.takeChanges()).isEmpty();
    }

    @Test
    void shouldTakeTheLastPortOfASwitchLikeAnyOther() {
        inventory.seenWorking(LEAF, 4, new ToSwitch(SPINE, 4));

        assertThat(inventory.expected(SPINE, 4)).isEqualTo(new ToSwitch(LEAF, 4));
        assertThat(inventory.linkCount()).isEqualTo(3);
        assertThat(inventory.forgetPort(LEAF, 4)).containsExactly(new PortPlace(LEAF, 4), new PortPlace(SPINE, 4));
        assertThat(inventory.linkCount()).isEqualTo(2);
    }

    @Test
    void shouldSayNothingOfWhatWorksAsBefore() {
        assertThat(inventory.seenWorking(LEAF, 3, new ToSwitch(SPINE, 1))).isEmpty();
        assertThat(inventory.addSwitch(LEAF, "leaf0", 4)).isEmpty();
        assertThat(inventory.takeChanges()).isEmpty();

        inventory.addSwitch(LEAF, "renamed", 4);
        assertThat(inventory.takeChanges())
                .containsExactly(new ExpectedSwitch(
                        LEAF,
                        "renamed",
                        4,
                        List.of(new ExpectedPort(1, HOST), new ExpectedPort(3, new ToSwitch(SPINE, 1)))));
    }

    /** The cable that gave way was at another port of the same switch: nothing is left over that could be joined. */
    @Test
    void shouldNameThePortsThatACableLeftWhenItMoved() {
        assertThat(inventory.seenWorking(LEAF, 4, new ToSwitch(SPINE, 1)))
                .containsExactly(new PortPlace(SPINE, 1), new PortPlace(LEAF, 3));

        assertThat(inventory.linkCount()).isEqualTo(1 + 1);
        assertThat(inventory.expected(LEAF, 3)).isNull();
        assertThat(changed()).containsExactlyInAnyOrder(LEAF, SPINE);
    }

    /** leaf0 is plugged in where leaf1 was: what is left of both cables is expected to be joined, too. */
    @Test
    void shouldExpectTheTwoLeftOverPortsOfASwapToBeJoined() {
        inventory.seenWorking(OTHER, 3, new ToSwitch(SPINE, 2));
        inventory.takeChanges();

        inventory.seenWorking(LEAF, 3, new ToSwitch(SPINE, 2));

        assertThat(inventory.expected(SPINE, 1)).isEqualTo(new ToSwitch(OTHER, 3));
        assertThat(inventory.linkCount()).isEqualTo(3);
    }

    @Test
    void shouldExpectTheHostThatGaveWayWhereTheOtherOneCameFrom() {
        inventory.seenWorking(OTHER, 2, GUEST);

        assertThat(inventory.seenWorking(OTHER, 2, HOST)).containsExactly(new PortPlace(LEAF, 1));

        assertThat(inventory.portOf(0xa0)).isEqualTo(new PortPlace(OTHER, 2));
        assertThat(inventory.portOf(0xa1)).isEqualTo(new PortPlace(LEAF, 1));
        assertThat(inventory.hostCount()).isEqualTo(2);
    }

    @Test
    void shouldExpectNothingOfASwitchThatCameBackWithOtherPorts() {
        assertThat(inventory.addSwitch(SPINE, "spine", 8))
                .containsExactly(
                        new PortPlace(SPINE, 1),
                        new PortPlace(LEAF, 3),
                        new PortPlace(SPINE, 3),
                        new PortPlace(OTHER, 4));

        assertThat(inventory.linkCount()).isZero();
        assertThat(inventory.portCount(SPINE)).isEqualTo(8);
        assertThat(changed()).containsExactlyInAnyOrder(LEAF, OTHER, SPINE);
    }

    @Test
    void shouldTakeOutASwitchWithItsCablesAndHosts() {
        inventory.seenWorking(LEAF, 4, GUEST);

        assertThat(inventory.removeSwitch(LEAF))
                .containsExactly(
                        new PortPlace(LEAF, 1),
                        new PortPlace(LEAF, 3),
                        new PortPlace(SPINE, 1),
                        new PortPlace(LEAF, 4));

        assertThat(inventory.hasSwitch(LEAF)).isFalse();
        assertThat(inventory.hostCount()).isZero();
        assertThat(inventory.linkCount()).isEqualTo(1);
        assertThat(inventory.takeChanges())
                .contains(new Removed(new StateRecord.Key(StateRecord.Kind.EXPECTED, LEAF, 0, "")));
        assertThat(inventory.removeSwitch(LEAF)).isEmpty();
        assertThat(inventory.takeChanges()).as("nothing to take out").isEmpty();
    }

    /** A new switch has fewer ports, has something at one of them already, and says something else of another. */
    @Test
    void shouldHandOverWhatTheNewSwitchHasFreePortsFor() {
        inventory.seenWorking(SPINE, 2, GUEST);
        inventory.seenWorking(SPINE, 4, new ToHost(new Host(0xa2, 0xa2, 1, "node2")));
        inventory.addSwitch(0x30, "new", 3);
        inventory.seenWorking(0x30, 1, new ToHost(new Host(0xa3, 0xa3, 1, "node3")));
        inventory.takeChanges();

        List<PortPlace> changed = inventory.handOver(SPINE, 0x30, (port, far) -> port != 2);

        assertThat(changed).containsExactly(new PortPlace(SPINE, 3), new PortPlace(OTHER, 4), new PortPlace(0x30, 3));
        assertThat(inventory.expected(0x30, 3)).isEqualTo(new ToSwitch(OTHER, 4));
        assertThat(inventory.expected(SPINE, 1)).as("taken there").isEqualTo(new ToSwitch(LEAF, 3));
        assertThat(inventory.expected(SPINE, 2)).as("not free").isEqualTo(GUEST);
        assertThat(inventory.linkCount()).isEqualTo(2);

        inventory.handOver(SPINE, 0x30, (port, far) -> true);
        assertThat(inventory.portOf(0xa1)).isEqualTo(new PortPlace(0x30, 2));
        assertThat(inventory.portOf(0xa2)).as("it has no port 4").isEqualTo(new PortPlace(SPINE, 4));
    }

    @Test
    void shouldNotHandOverACableBetweenTheTwoOrALoop() {
        inventory.addSwitch(0x30, "new", 4);
        inventory.seenWorking(SPINE, 2, new ToSwitch(0x30, 4));
        inventory.forgetPort(SPINE, 1);
        inventory.seenWorking(SPINE, 1, new ToSwitch(SPINE, 4));
        inventory.takeChanges();

        inventory.handOver(SPINE, 0x30, (port, far) -> true);

        assertThat(inventory.expected(SPINE, 2)).isEqualTo(new ToSwitch(0x30, 4));
        assertThat(inventory.expected(SPINE, 1)).isEqualTo(new ToSwitch(SPINE, 4));
        assertThat(inventory.expected(0x30, 3)).isEqualTo(new ToSwitch(OTHER, 4));
    }

    @Test
    void shouldGoOnFromItsOwnRecords() {
        inventory.addSwitch(LEAF, "one", 4);
        inventory.seenWorking(LEAF, 4, GUEST);
        inventory.addSwitch(OTHER, "two", 4);
        inventory.addSwitch(SPINE, "three", 4);
        List<ExpectedSwitch> kept =
                inventory.takeChanges().stream().map(ExpectedSwitch.class::cast).toList();

        Inventory next = Inventory.of(kept);

        assertThat(next.takeChanges()).as("nothing new").isEmpty();
        assertThat(next.linkCount()).isEqualTo(2);
        assertThat(next.portOf(0xa0)).isEqualTo(new PortPlace(LEAF, 1));
        assertThat(next.portOf(0xa1)).isEqualTo(new PortPlace(LEAF, 4));
    }

    private List<Long> changed() {
        return inventory.takeChanges().stream()
                .map(record -> record.key().guid())
                .toList();
    }
}
