package io.dmodc.topology.pgft;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PgftGeneratorTest {
    private static final PgftShape FIGURE_1 = PgftShape.parse("3;2,2,3;1,2,2;1,2,1");

    private static FabricView view(PgftShape shape) {
        return PgftGenerator.generate(shape).build(1, new NodeIndexMap(), new GuidNumbers());
    }

    @Test
    void shouldCountTheFabricOfFigure1() {
        FabricView view = view(FIGURE_1);

        assertThat(view.nodeCount()).isEqualTo(12);
        assertThat(view.leafCount()).isEqualTo(6);
        assertThat(view.switchCount()).isEqualTo(6 + 6 + 4);
        assertThat(view.linkCount()).isEqualTo(6 * 2 * 2 + 6 * 2);
        assertThat(view.rankMax()).isEqualTo(2);
    }

    @Test
    void shouldInterleavePortsOfParallelLinks() {
        FabricView view = view(FIGURE_1);

        int firstGroup = view.groupStart(0);
        assertThat(view.groupSize(firstGroup)).isEqualTo(2);
        assertThat(view.groupPort(firstGroup, 0)).isEqualTo(3);
        assertThat(view.groupPort(firstGroup, 1)).isEqualTo(5);
        assertThat(view.groupPort(firstGroup + 1, 0)).isEqualTo(4);
        assertThat(view.groupPort(firstGroup + 1, 1)).isEqualTo(6);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1;4;1;1",
                "2;4,4;1,2;1,1",
                "3;2,2,3;1,2,2;1,2,1",
                "3;4,3,5;1,2,3;1,1,2",
                "4;2,3,2,2;1,2,2,3;1,1,2,1"
            })
    void shouldNumberNodesLeafByLeafWhateverTheGuids(String text) {
        PgftShape shape = PgftShape.parse(text);
        FabricView ordered = view(shape);
        FabricView shuffled = PgftGenerator.generateShuffled(shape, new SplittableRandom(7))
                .build(1, new NodeIndexMap(), new GuidNumbers());

        for (int node = 0; node < shape.nodeCount(); node++) {
            assertThat(ordered.nodeSwitch(node)).isEqualTo(node / shape.m(1));
            assertThat(ordered.nodePort(node)).isEqualTo(1 + node % shape.m(1));
            assertThat(ordered.targetOfSwitch(ordered.nodeSwitch(node))).isEqualTo(node / shape.m(1));
            assertThat(shuffled.targetOfSwitch(shuffled.nodeSwitch(node))).isEqualTo(node / shape.m(1));
        }
        assertThat(shuffled.linkCount()).isEqualTo(ordered.linkCount());
    }

    @Test
    void shouldKeepSubtreesContiguousWhenGuidsAreShuffled() {
        PgftShape shape = PgftShape.parse("3;2,4,3;1,2,2;1,1,1");
        FabricView view = PgftGenerator.generateShuffled(shape, new SplittableRandom(3))
                .build(1, new NodeIndexMap(), new GuidNumbers());

        for (int subtree = 0; subtree < 3; subtree++) {
            int parent = view.groupRemote(view.groupStart(view.targetSwitch(4 * subtree)));
            for (int i = 0; i < 4; i++) {
                int leaf = view.targetSwitch(4 * subtree + i);
                assertThat(view.groupRemote(view.groupStart(leaf))).isEqualTo(parent);
            }
        }
    }
}
