package io.dmodc.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.design.DesignCheck;
import io.dmodc.topology.pgft.PgftShape;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** An adapter inside each switch changes nothing but that there is one more destination on each. */
class AggregationNodeTest {
    private static final String SHAPE = "3;4,3,5;1,2,3;1,1,2";

    private static List<Long> targets(FabricView view, int count) {
        return IntStream.range(0, count)
                .mapToObj(target -> view.switchGuid(view.targetSwitch(target)))
                .toList();
    }

    /** Everything but the aggregation nodes is as in the same fabric without them. */
    private static void assertSameHosts(FabricView view, FabricView without) {
        for (int s = 0; s < without.switchCount(); s++) {
            assertThat(view.rank(s)).as(view.switchName(s)).isEqualTo(without.rank(s));
            assertThat(view.isLeaf(s)).isEqualTo(without.isLeaf(s));
        }
        assertThat(view.leafCount()).isEqualTo(without.leafCount());
        assertThat(view.hostTargetCount()).isEqualTo(without.targetCount());
        assertThat(targets(view, view.hostTargetCount())).isEqualTo(targets(without, without.targetCount()));
        assertThat(view.hostsOfSwitches()).isEqualTo(without.hostsOfSwitches());
        assertThat(view.hostCount()).isEqualTo(without.hostCount());
        for (int node = 0; node < without.nodeCount(); node++) {
            assertThat(view.host(node)).isEqualTo(without.host(node));
            assertThat(view.isHost(node)).isEqualTo(without.isHost(node));
        }
    }

    @Test
    void shouldMakeNoLeafAndMoveNoHostWhateverIsDamaged() {
        for (int seed = 0; seed < 60; seed++) {
            TestFabric with = TestFabric.shuffled(SHAPE, seed).withAggregation();
            TestFabric without = TestFabric.shuffled(SHAPE, seed);
            assertSameHosts(with.view(), without.view());
            if (seed % 2 == 0) {
                with.keepingLevels();
                without.keepingLevels();
            }

            FabricView view = with.damaged(seed % 4, seed % 13, seed).view();

            assertSameHosts(view, without.damaged(seed % 4, seed % 13, seed).view());
            assertThat(view.aggregationCount()).isEqualTo(view.switchCount());
            assertThat(view.targetCount()).isEqualTo(view.switchCount());
            for (int node = view.hostCount(); node < view.nodeCount(); node++) {
                assertThat(view.isHost(node)).isFalse();
                assertThat(view.peerNode(view.nodeSwitch(node), view.portCount(view.nodeSwitch(node))))
                        .isEqualTo(node);
            }
        }
    }

    @Test
    void shouldBeDrawnAlikeFromTheLastViewAndAfresh() {
        TestFabric fabric = TestFabric.fabric(SHAPE).withAggregation();
        FabricView first = fabric.view();

        FabricView patched = fabric.without("l2s0").view();
        fabric.builder().forgetLastView();

        assertThat(ViewText.of(patched)).isEqualTo(ViewText.of(fabric.view()));
        assertThat(patched.comparableTo(first)).isTrue();
        assertThat(patched.aggregationCount()).isEqualTo(first.aggregationCount());
    }

    @Test
    void shouldKeepADrainedLeafWhereItWas() {
        TestFabric fabric = TestFabric.fabric("2;2,3;1,2;1,1").withAggregation().keepingLevels();
        long leaf = fabric.guid("leaf1");

        fabric.apply(new PortSeen(leaf, 1, false, null)).apply(new PortSeen(leaf, 2, false, null));

        FabricView view = fabric.view();
        assertThat(view.isLeaf(fabric.index("leaf1"))).isTrue();
        assertThat(view.leafCount()).isEqualTo(3);
        assertThat(view.targetOfSwitch(fabric.index("leaf1")))
                .as("behind the leaves with hosts")
                .isEqualTo(2);
    }

    @Test
    void shouldGetIndicesBehindAllHostsWhereAMapFromBeforeKnowsHostsOnly() {
        FabricView before = TestFabric.fabric(SHAPE).view();
        List<String> lines = NodeIndexMap.of(before).lines();
        NodeIndexMap nodes = NodeIndexMap.parse("map", lines.subList(0, lines.size() - 3));
        TestFabric fabric = TestFabric.fabric(SHAPE).withAggregation();

        FabricView view = fabric.builder().build(1, nodes, new GuidNumbers());

        assertSameHosts(view, before);
        assertThat(nodes.lines()).hasSize(before.nodeCount() + view.switchCount());
        FabricView again = fabric.builder().build(2, NodeIndexMap.parse("map", nodes.lines()), new GuidNumbers());
        assertThat(ViewText.of(again)).isEqualTo(ViewText.of(view));
    }

    @Test
    void shouldNotBeSeenWhereTheDesignIsRecognised() {
        FabricView view = TestFabric.shuffled(SHAPE, 3).withAggregation().view();

        assertThat(DesignCheck.verify(view).design()).isEqualTo(PgftShape.parse(SHAPE));
        assertThat(DesignCheck.verify(view).asDesigned()).isTrue();
        assertThat(Arrays.stream(view.hostsOfSwitches()).max()).hasValue(4);
    }
}
