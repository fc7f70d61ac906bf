package io.dmodc.topology.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.ibnet.IbnetFabric;
import io.dmodc.topology.ibnet.IbnetReader;
import io.dmodc.topology.ibnet.IbnetWriter;
import io.dmodc.topology.ibnet.LidMap;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class GridGeneratorTest {
    private static final GridShape SHAPE = GridShape.parse("3x4;hosts=2;roots=2,1");

    private static FabricView view(FabricViewBuilder fabric) {
        return fabric.build(1, new NodeIndexMap(), new GuidNumbers());
    }

    @Test
    void shouldCableEachLeafToTheRootsOfItsRowAndOfItsColumn() {
        FabricView view = view(GridGenerator.generate(SHAPE));

        assertThat(view.switchCount()).isEqualTo(SHAPE.switchCount());
        assertThat(view.nodeCount()).isEqualTo(24);
        assertThat(view.leafCount()).isEqualTo(12);
        assertThat(view.linkCount()).isEqualTo(12 * 3);
        assertThat(view.rankMax()).isEqualTo(1);
        int leaf = 2 * 4 + 3;
        assertThat(view.switchName(leaf)).isEqualTo("leaf2-3");
        assertThat(view.nodeSwitch(2 * leaf + 1)).isEqualTo(leaf);
        assertThat(view.switchName(view.peerSwitch(leaf, 3))).isEqualTo("row2-0");
        assertThat(view.switchName(view.peerSwitch(leaf, 4))).isEqualTo("row2-1");
        assertThat(view.switchName(view.peerSwitch(leaf, 5))).isEqualTo("column3-0");
        assertThat(view.peerPort(leaf, 4)).isEqualTo(4);
        assertThat(view.peerPort(leaf, 5)).isEqualTo(3);
    }

    @Test
    void shouldBeReadBackFromIbnetdiscoverText() throws IOException {
        for (int seed = 0; seed < 20; seed++) {
            FabricView view = view(GridGenerator.generateShuffled(SHAPE, new SplittableRandom(seed)));
            StringBuilder text = new StringBuilder();
            IbnetWriter.write(view, new LidMap(), text);

            IbnetFabric read = IbnetReader.read(
                    "grid", new ByteArrayInputStream(text.toString().getBytes(StandardCharsets.UTF_8)));

            RecognisedGrid before = GridRecognition.recognise(view);
            RecognisedGrid after = GridRecognition.recognise(view(read.fabric()));
            assertThat(read.summary().skippedLineCount()).isZero();
            assertThat(after.findings()).isEmpty();
            for (int s = 0; s < view.switchCount(); s++) {
                assertThat(after.place(s)).as("seed %d, switch %d", seed, s).isEqualTo(before.place(s));
            }
        }
    }
}
