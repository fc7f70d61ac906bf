package io.dmodc.topology;

import static io.dmodc.topology.TestFabric.fabric;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Leaves have ports 1, 2 to hosts and 3 to 6 to {@code l2s0} and {@code l2s1} in turn. */
class FabricViewBuilderTest {
    private static final String FIGURE_1 = "3;2,2,3;1,2,2;1,2,1";
    private static final int LINKS = 6 * 2 * 2 + 6 * 2;

    private final TestFabric fabric = fabric(FIGURE_1);
    private final FabricViewBuilder builder = fabric.builder();
    private final int leaf0 = fabric.index("leaf0");

    @Test
    void shouldTakeOneEndDownForTheLinkDown() {
        FabricView before = fabric.view();
        int spine = before.peerSwitch(leaf0, 3);

        FabricView after = fabric.says("leaf0", 3, false).view();

        assertThat(after.linkCount()).isEqualTo(LINKS - 1);
        assertThat(after.peerSwitch(leaf0, 3)).isEqualTo(-1);
        assertThat(after.peerPort(leaf0, 3)).isZero();
        assertThat(after.peerSwitch(spine, before.peerPort(leaf0, 3))).isEqualTo(-1);
        assertThat(after.groupSize(after.groupStart(leaf0))).isEqualTo(1);
        assertThat(before.peerSwitch(leaf0, 3)).isEqualTo(spine);
    }

    @Test
    void shouldTakeBothEndsUpForTheLinkUp() {
        fabric.without("leaf0", 3);

        assertThat(fabric.says("leaf0", 3, true).view().linkCount()).isEqualTo(LINKS - 1);
        assertThat(fabric.says("l2s0", 1, true).view().linkCount()).isEqualTo(LINKS);
    }

    @Test
    void shouldTakeNoLinkWhoseEndsNameDifferentCables() {
        fabric.apply(new PortSeen(fabric.guid("leaf0"), 3, true, new ToSwitch(fabric.guid("l2s0"), 2)));

        assertThat(fabric.view().peerSwitch(leaf0, 3)).isEqualTo(-1);
        assertThat(fabric.view().linkCount()).isEqualTo(LINKS - 1);
    }

    @Test
    void shouldTakeNoLinkToASwitchNeverSeenOrAPortItHasNot() {
        fabric.apply(new PortSeen(fabric.guid("leaf0"), 3, true, new ToSwitch(0xbad, 1)));
        fabric.apply(new PortSeen(fabric.guid("leaf0"), 5, true, new ToSwitch(fabric.guid("l2s0"), 200)));

        assertThat(fabric.view().linkCount()).isEqualTo(LINKS - 2);
    }

    @Test
    void shouldCutAllLinksOfADeadSwitchAndKeepItsIndex() {
        int spine = fabric.index("l2s0");

        FabricView view = fabric.without("l2s0").view();

        assertThat(view.linkCount()).isEqualTo(LINKS - 6);
        assertThat(view.switchName(spine)).isEqualTo("l2s0");
        assertThat(view.alive(spine)).isFalse();
        assertThat(view.groupStart(spine)).isEqualTo(view.groupEnd(spine));
        assertThat(view.rank(spine)).isEqualTo(FabricView.UNRANKED);
    }

    @Test
    void shouldKeepHostsOfADeadLeafAsDestinations() {
        FabricView view = fabric.without("leaf0").view();

        assertThat(view.isLeaf(leaf0)).isTrue();
        assertThat(view.nodeSwitch(0)).isEqualTo(leaf0);
        assertThat(view.peerNode(leaf0, 1)).isZero();
    }

    @Test
    void shouldKeepAHostWhosePortIsDown() {
        FabricView view = fabric.says("leaf0", 2, false).view();

        assertThat(view.nodeSwitch(1)).isEqualTo(leaf0);
        assertThat(view.peerNode(leaf0, 2)).isEqualTo(1);
    }

    @Test
    void shouldMoveAHostWithItsIndex() {
        fabric.view();
        Host moved = new Host(fabric.view().nodeGuid(0), 0, 1, "moved");

        FabricView view = fabric.says("leaf0", 1, false)
                .apply(new PortSeen(fabric.guid("leaf5"), 2, true, new ToHost(moved)))
                .view();

        assertThat(view.nodeSwitch(0)).isEqualTo(fabric.index("leaf5"));
        assertThat(view.nodePort(0)).isEqualTo(2);
        assertThat(view.host(0)).isEqualTo(moved);
        assertThat(view.peerNode(leaf0, 1)).isEqualTo(-1);
        assertThat(view.nodeCount()).isEqualTo(12);
        assertThat(view.nodeSwitch(11)).isEqualTo(-1);
        assertThat(view.nodeGuid(11)).isZero();
        assertThat(view.host(11)).isNull();
    }

    @Test
    void shouldTellOtherAddressesOfAHostThatStaysWhereItIs() {
        FabricView before = fabric.view();
        Host host = Objects.requireNonNull(before.host(0));
        HostAddresses addresses = HostAddresses.parse(12, "10.0.0.7", "fd00::7", "02:00:00:00:00:07");
        Host readdressed = new Host(host.portGuid(), host.hostGuid(), host.hostPort(), host.name(), addresses);
        builder.takeMoved();
        builder.takeChanged();

        boolean matters = builder.apply(new PortSeen(fabric.guid("leaf0"), 1, true, new ToHost(readdressed)));

        assertThat(matters).isTrue();
        assertThat(builder.takeMoved()).containsExactly(new PortPlace(fabric.guid("leaf0"), 1));
        assertThat(builder.takeChanged()).containsExactly(fabric.guid("leaf0"));
        FabricView after = fabric.view();
        assertThat(after.host(0)).isEqualTo(readdressed);
        assertThat(before.host(0)).isEqualTo(host);
        assertThat(after.nodeCount()).isEqualTo(before.nodeCount());
        assertThat(after.nodeSwitch(0)).isEqualTo(before.nodeSwitch(0));
        assertThat(after.nodePort(0)).isEqualTo(before.nodePort(0));
        assertThat(builder.apply(new PortSeen(fabric.guid("leaf0"), 1, true, new ToHost(readdressed))))
                .isFalse();
    }

    @Test
    void shouldTakeAHostForTheSameUnderOtherNamesAndAddresses() {
        ToHost host = new ToHost(new Host(1, 2, 3, "node0"));

        assertThat(host.isSameEnd(new ToHost(new Host(1, 2, 3, "other", HostAddresses.ofLid(4)))))
                .isTrue();
        assertThat(host.isSameEnd(new ToHost(new Host(2, 2, 3, "node0")))).isFalse();
        assertThat(host.isSameEnd(new ToSwitch(1, 3))).isFalse();
        assertThat(host.isSameEnd(null)).isFalse();
        assertThat(new ToSwitch(1, 3).isSameEnd(new ToSwitch(1, 3))).isTrue();
        assertThat(new ToSwitch(1, 3).isSameEnd(new ToSwitch(1, 4))).isFalse();
        assertThat(new ToSwitch(1, 3).isSameEnd(host)).isFalse();
    }

    @Test
    void shouldNotTakeAHostBackToADownPortThatRemembersIt() {
        ToHost host = (ToHost) builder.neighbour(fabric.guid("leaf0"), 1);
        long other = fabric.guid("leaf1");
        fabric.apply(new PortSeen(fabric.guid("leaf0"), 1, false, host));
        fabric.apply(new PortSeen(other, 1, true, host));

        boolean matters = builder.apply(new PortSeen(fabric.guid("leaf0"), 1, false, host));

        assertThat(matters).isFalse();
        assertThat(builder.neighbour(other, 1)).isEqualTo(host);
        assertThat(fabric.view().switchName(fabric.view().nodeSwitch(0))).isEqualTo("leaf1");
    }

    @Test
    void shouldShareNothingBetweenViewsThatALaterMoveCouldChange() {
        FabricView before = fabric.view();
        Host moved = new Host(before.nodeGuid(0), 0, 1, "moved");

        fabric.says("leaf0", 1, false)
                .apply(new PortSeen(fabric.guid("leaf5"), 2, true, new ToHost(moved)))
                .view();

        assertThat(fabric.view().nodeSwitch(0)).isEqualTo(fabric.index("leaf5"));
        assertThat(before.nodeSwitch(0)).isEqualTo(leaf0);
        assertThat(before.peerNode(leaf0, 1)).isZero();
        assertThat(before.nodeSwitch(11)).isNotEqualTo(-1);
    }

    @Test
    void shouldGiveIndicesOfWhicheverMapIsAskedFor() {
        NodeIndexMap other = new NodeIndexMap();
        other.assign(0x77);
        FabricView first = fabric.view();

        FabricView second = builder.build(9, other, new GuidNumbers());

        assertThat(first.nodeSwitch(0)).isEqualTo(leaf0);
        assertThat(second.nodeSwitch(0)).isEqualTo(-1);
        assertThat(second.nodeSwitch(1)).isEqualTo(leaf0);
        assertThat(second.peerNode(leaf0, 1)).isEqualTo(1);
        assertThat(fabric.view().nodeSwitch(0)).isEqualTo(leaf0);
    }

    @Test
    void shouldSeeAMapThatGrewElsewhere() {
        fabric.view();
        fabric.nodes().assign(0x77);

        FabricView view = fabric.view();

        assertThat(view.nodeCount()).isEqualTo(13);
        assertThat(view.nodeSwitch(12)).isEqualTo(-1);
    }

    @Test
    void shouldForgetAHostThatWasUnplugged() {
        FabricView view =
                fabric.apply(new PortSeen(fabric.guid("leaf0"), 1, false, null)).view();

        assertThat(view.nodeSwitch(0)).isEqualTo(-1);
        assertThat(view.peerNode(leaf0, 1)).isEqualTo(-1);
        assertThat(view.nodeCount()).isEqualTo(12);
    }

    @Test
    void shouldIgnoreLoopBacks() {
        long guid = fabric.guid("leaf0");

        fabric.apply(new PortSeen(guid, 3, true, new ToSwitch(guid, 5)))
                .apply(new PortSeen(guid, 5, true, new ToSwitch(guid, 3)));

        assertThat(fabric.view().linkCount()).isEqualTo(LINKS - 2);
        assertThat(fabric.view().peerSwitch(leaf0, 3)).isEqualTo(-1);
    }

    @Test
    void shouldRefuseWhatItDoesNotKnowAndChangeNothing() {
        long guid = fabric.guid("leaf0");

        assertThatThrownBy(() -> builder.apply(new PortSeen(guid, 7, true, null)))
                .hasMessage("switch 0x02f0000000000000: port 7 outside 1..6");
        assertThatThrownBy(() -> builder.apply(new PortSeen(guid, 0, true, null)))
                .hasMessage("switch 0x02f0000000000000: port 0 outside 1..6");
        assertThatThrownBy(() -> builder.apply(new SwitchState(0xbad, false)))
                .hasMessage("switch 0x0000000000000bad was never seen");
        assertThatThrownBy(() -> new SwitchSeen(1, "big", 255))
                .hasMessage("switch 0x0000000000000001: 255 ports, expected 1..254");
        assertThat(fabric.view().linkCount()).isEqualTo(LINKS);
    }

    @Test
    void shouldForgetThePortsOfASwitchSeenWithAnotherPortCount() {
        assertThat(builder.apply(new SwitchSeen(fabric.guid("leaf0"), "leaf0", 6)))
                .isFalse();

        assertThat(builder.apply(new SwitchSeen(fabric.guid("leaf0"), "new", 8)))
                .isTrue();

        FabricView view = fabric.view();
        assertThat(view.portCount(leaf0)).isEqualTo(8);
        assertThat(view.linkCount()).isEqualTo(LINKS - 4);
        assertThat(view.nodeSwitch(0)).isEqualTo(-1);
        assertThat(view.nodeSwitch(1)).isEqualTo(-1);
        assertThat(view.nodeSwitch(2)).isNotEqualTo(-1);
        assertThat(view.switchName(leaf0)).isEqualTo("new");
    }

    @Test
    void shouldRenameASwitchSeenAgain() {
        FabricView before = fabric.view();

        assertThat(builder.apply(new SwitchSeen(fabric.guid("leaf0"), "rack 7", 6)))
                .isTrue();

        assertThat(fabric.view().switchName(leaf0)).isEqualTo("rack 7");
        assertThat(fabric.view().linkCount()).isEqualTo(LINKS);
        assertThat(before.switchName(leaf0)).isEqualTo("leaf0");
    }

    @Test
    void shouldSayWhetherAChangeMatters() {
        long guid = fabric.guid("leaf0");
        FabricChange.Neighbour neighbour = builder.neighbour(guid, 3);

        assertThat(builder.apply(new PortSeen(guid, 3, true, neighbour))).isFalse();
        assertThat(builder.apply(new PortSeen(guid, 3, false, neighbour))).isTrue();
        assertThat(builder.apply(new SwitchState(guid, true))).isFalse();
        assertThat(builder.apply(new SwitchState(guid, false))).isTrue();
    }

    @Test
    void shouldDrawAFabricOfNothing() {
        FabricView view = new FabricViewBuilder().build(1, new NodeIndexMap(), new GuidNumbers());

        assertThat(view.switchCount()).isZero();
        assertThat(view.nodeCount()).isZero();
        assertThat(view.linkCount()).isZero();
    }
}
