package io.dmodc.topology;

import static io.dmodc.topology.TestFabric.fabric;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.grid.GridGenerator;
import io.dmodc.topology.grid.GridShape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RanksTest {
    private static void assertDesignedRanks(FabricView view) {
        for (int s = 0; s < view.switchCount(); s++) {
            String name = view.switchName(s);
            int designed = name.startsWith("leaf") ? 0 : name.charAt(1) - '1';
            assertThat(view.rank(s)).as(name).isEqualTo(designed);
            assertThat(view.isLeaf(s)).as(name).isEqualTo(designed == 0);
        }
    }

    private static TestFabric withHostOn(TestFabric fabric, String name, int port, long guid) {
        return fabric.apply(new PortSeen(fabric.guid(name), port, true, new ToHost(new Host(guid, guid, 1, "extra"))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"2;4,4;1,2;1,1", "3;4,4,3;1,2,2;1,2,1", "4;4,3,2,2;1,2,2,3;1,1,2,1"})
    void shouldRankAWholePgftAsDesigned(String shape) {
        assertDesignedRanks(fabric(shape).view());
        assertDesignedRanks(TestFabric.shuffled(shape, 11).view());
    }

    @Test
    void shouldNotTakeASpineWithAHostForALeaf() {
        TestFabric fabric = fabric("3;4,4,3;1,2,2;1,2,1");
        int port = 1;
        fabric.without("l2s0", port);
        withHostOn(fabric, "l2s0", port, 0x999);

        FabricView view = fabric.view();

        assertDesignedRanks(view);
        assertThat(view.targetCount()).isEqualTo(view.leafCount() + 1);
        assertThat(view.targetOfSwitch(fabric.index("l2s0"))).isEqualTo(view.leafCount());
        assertThat(view.nodeSwitch(view.nodeCount() - 1)).isEqualTo(fabric.index("l2s0"));
    }

    /** Half of its links lead up, to switches without hosts; one of those to leaves is lost, one port has the host. */
    @ParameterizedTest
    @ValueSource(ints = {3, 5})
    void shouldNotTakeASwitchOfFullBisectionWithAHostForALeafWhenItLosesALeafLink(int lost) {
        TestFabric fabric = fabric("3;4,4,4;1,4,4;1,1,1");
        fabric.without("l2s0", 4).without("l2s0", lost);
        withHostOn(fabric, "l2s0", 4, 0x999);

        assertDesignedRanks(fabric.view());
    }

    /** Of a core, both readings are without a contradiction: it joins leaves that have nothing in common. */
    @ParameterizedTest
    @ValueSource(strings = {"l3s0", "l3s15", "l2s7"})
    void shouldNotTakeAnUpperSwitchWithHostsForALeaf(String name) {
        for (int hosts = 1; hosts <= 3; hosts++) {
            TestFabric fabric = fabric("3;4,4,4;1,4,4;1,1,1");
            HostsAbove.addHosts(fabric.builder(), fabric.guid(name), hosts);

            assertDesignedRanks(fabric.view());
            assertDesignedRanks(fabric.without(name, 2).without("leaf3", 5).view());
            assertDesignedRanks(fabric.withAggregation().view());
        }
    }

    @Test
    void shouldNotTakeACoreOfTwoPodsForALeafWhereACableIsWrong() {
        TestFabric fabric = fabric("3;4,4,2;1,4,4;1,1,1");
        HostsAbove.addHosts(fabric.builder(), fabric.guid("l3s1"), 1);
        long leaf = fabric.guid("leaf2");
        long far = fabric.guid("l2s5");

        fabric.without("leaf2", 6)
                .without("l2s5", 1)
                .apply(new PortSeen(leaf, 6, true, new ToSwitch(far, 1)))
                .apply(new PortSeen(far, 1, true, new ToSwitch(leaf, 6)));

        assertDesignedRanks(fabric.view());
    }

    @Test
    void shouldKeepTheLevelGivenToACoreWithMoreHostsThanALeaf() {
        TestFabric fabric = fabric("3;4,4,4;1,4,4;1,1,1").keepingLevels();
        HostsAbove.addHosts(fabric.builder(), fabric.guid("l3s0"), 9);

        assertDesignedRanks(fabric.view());
    }

    /** The roots of its row and of its column have no leaves in common, as the neighbours of a core. */
    @ParameterizedTest
    @ValueSource(strings = {"4x4;hosts=4;roots=1,1", "4x6;hosts=4;roots=2,2", "3x8;hosts=2;roots=2,1"})
    void shouldKeepALeafOfAGridWithFewHosts(String shape) {
        FabricViewBuilder grid = GridGenerator.generate(GridShape.parse(shape));
        FabricView whole = grid.build(1, new NodeIndexMap(), new GuidNumbers());
        int leaf = whole.targetSwitch(5);
        for (int port = 1; port <= whole.portCount(leaf); port++) {
            if (grid.neighbour(whole.switchGuid(leaf), port) instanceof ToHost && whole.nodeSwitch(0) != leaf) {
                grid.apply(new PortSeen(whole.switchGuid(leaf), port, false, null));
                break;
            }
        }

        FabricView view = grid.build(2, new NodeIndexMap(), new GuidNumbers());

        assertThat(view.nodeCount()).isEqualTo(whole.nodeCount() - 1);
        for (int s = 0; s < view.switchCount(); s++) {
            assertThat(view.rank(s)).isEqualTo(whole.rank(s));
        }
    }

    /** As many links to switches with more hosts as it has hosts: swapped cables, not a place above. */
    @Test
    void shouldKeepALeafWithAsManySwappedCablesAsHosts() {
        TestFabric fabric = fabric("2;3,4;1,3;1,2");
        for (int port = 2; port <= 3; port++) {
            fabric.apply(new PortSeen(fabric.guid("leaf0"), port, false, null));
        }
        long first = fabric.guid("leaf0");
        long second = fabric.guid("leaf1");

        fabric.apply(new PortSeen(first, 4, true, new ToSwitch(second, 4)))
                .apply(new PortSeen(second, 4, true, new ToSwitch(first, 4)));

        assertDesignedRanks(fabric.view());
    }

    /** Two leaves get a cable between them in place of one uplink each, as when two cables were swapped. */
    @Test
    void shouldKeepLeavesWithSwappedCables() {
        TestFabric fabric = fabric("3;4,4,3;1,2,2;1,2,1");
        long first = fabric.guid("leaf0");
        long second = fabric.guid("leaf1");

        fabric.apply(new PortSeen(first, 5, true, new ToSwitch(second, 5)))
                .apply(new PortSeen(second, 5, true, new ToSwitch(first, 5)));

        assertDesignedRanks(fabric.view());
    }

    @Test
    void shouldKeepTheLeafWithFewestHosts() {
        TestFabric fabric = fabric("3;4,4,3;1,2,2;1,2,1");
        for (int port = 2; port <= 4; port++) {
            fabric.apply(new PortSeen(fabric.guid("leaf0"), port, false, null));
        }

        assertDesignedRanks(fabric.view());
    }

    @Test
    void shouldLetASpineWithoutLeafLinksFloatUpWhenNoLevelsAreKnown() {
        TestFabric fabric = fabric("3;2,2,2;1,2,2;1,1,1");
        cutDownLinks(fabric);

        assertThat(fabric.view().rank(fabric.index("l2s0"))).isEqualTo(3);
    }

    @Test
    void shouldKeepTheLevelOfASpineThatLostItsLeafLinks() {
        TestFabric fabric = fabric("3;2,2,2;1,2,2;1,1,1").keepingLevels();
        cutDownLinks(fabric);

        FabricView view = fabric.view();

        assertDesignedRanks(view);
        assertThat(view.isUp(fabric.index("l2s0"), view.groupRemote(view.groupStart(fabric.index("l2s0")))))
                .isTrue();
    }

    @Test
    void shouldGiveNoRankToASwitchWithoutALevelWhereLevelsAloneCount() {
        TestFabric fabric = fabric("3;2,2,2;1,2,2;1,1,1");
        GuidNumbers levels = new GuidNumbers();
        FabricView byHops = fabric.view();
        for (int s = 0; s < byHops.switchCount(); s++) {
            if (!byHops.switchName(s).equals("l2s0")) {
                levels.put(byHops.switchGuid(s), byHops.rank(s));
            }
        }
        FabricViewBuilder builder = fabric.builder();

        FabricView view = builder.buildByLevels(7, fabric.nodes(), levels);

        int unknown = view.switchOf(fabric.guid("l2s0"));
        assertThat(view.rank(unknown)).isEqualTo(FabricView.UNRANKED);
        assertThat(view.isUp(view.switchOf(fabric.guid("leaf0")), unknown)).isFalse();
        assertThat(builder.build(8, fabric.nodes(), levels).rank(unknown)).isEqualTo(1);
        assertDesignedRanks(builder.buildByLevels(9, fabric.nodes(), new GuidNumbers()));
    }

    private static void cutDownLinks(TestFabric fabric) {
        fabric.without("l2s0", 1).without("l2s0", 2);
    }

    @Test
    void shouldKeepALeafThatLostItsHosts() {
        TestFabric fabric = fabric("2;2,2;1,2;1,1").keepingLevels();
        fabric.apply(new PortSeen(fabric.guid("leaf0"), 1, false, null))
                .apply(new PortSeen(fabric.guid("leaf0"), 2, false, null));

        FabricView view = fabric.view();

        assertDesignedRanks(view);
        assertThat(view.targetOfSwitch(fabric.index("leaf0"))).isEqualTo(1);
    }

    @Test
    void shouldLeaveASwitchUnrankedThatNoLeafReaches() {
        TestFabric fabric = fabric("2;2,2;1,2;1,1").apply(new SwitchSeen(0x1, "lonely", 4));

        FabricView view = fabric.view();

        assertThat(view.rank(fabric.index("lonely"))).isEqualTo(FabricView.UNRANKED);
        assertThat(view.targetOfSwitch(fabric.index("lonely"))).isEqualTo(-1);
    }

    @Test
    void shouldCallALinkInsideARankNeitherUpNorDown() {
        TestFabric fabric = fabric("2;2,2;1,2;1,1");
        int first = fabric.index("leaf0");
        int second = fabric.index("leaf1");

        assertThat(fabric.view().isUp(first, second)).isFalse();
        assertThat(fabric.view().isDown(first, second)).isFalse();
        assertThat(fabric.view().isUp(first, fabric.index("l2s1"))).isTrue();
        assertThat(fabric.view().isDown(fabric.index("l2s1"), first)).isTrue();
    }
}
