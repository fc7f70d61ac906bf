package io.dmodc.topology.ibnet;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * Reads the text of a real fabric, which is not part of this repository: {@code DMODC_REAL_FABRIC} names the file.
 * The counts are those of a three-level EDR fabric of 174 switches and 1,470 host ports.
 */
@EnabledIfEnvironmentVariable(
        named = "DMODC_REAL_FABRIC",
        matches = ".+",
        disabledReason = "DMODC_REAL_FABRIC does not name the ibnetdiscover text of the 174-switch EDR fabric")
class RealFabricTest {
    private static final Path FILE = Path.of(String.valueOf(System.getenv("DMODC_REAL_FABRIC")));

    @Test
    void shouldTakeAllOfIt() throws IOException {
        IbnetFabric fabric = IbnetReader.read(FILE);

        ImportSummary summary = fabric.summary();
        assertThat(summary.switchCount()).isEqualTo(174);
        assertThat(summary.hostPortCount()).isEqualTo(1470);
        assertThat(summary.aggregationNodeCount()).isEqualTo(174);
        assertThat(summary.skippedLineCount()).isZero();
        FabricView view = fabric.fabric().build(1, new NodeIndexMap(), new GuidNumbers());
        assertThat(view.rankMax()).isEqualTo(2);
        assertThat(view.hostCount()).isEqualTo(1470);
        assertThat(view.aggregationCount()).isEqualTo(174);
        assertThat(view.leafCount()).isEqualTo(84);
        assertThat(fabric.lids().size()).isEqualTo(174 + 1470 + 174);
    }

    @Test
    void shouldNeverTakeLessOfACutOffFileWithoutSayingSo() throws IOException {
        byte[] text = Files.readAllBytes(FILE);
        ImportSummary whole = IbnetReader.read(FILE).summary();

        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 12; i++) {
            int length = random.nextInt(text.length);
            try {
                ImportSummary cut = IbnetReader.read("cut", new ByteArrayInputStream(text, 0, length))
                        .summary();
                assertThat(cut.hostPortCount()).as("cut at " + length).isEqualTo(whole.hostPortCount());
                assertThat(cut.cableCount()).as("cut at " + length).isEqualTo(whole.cableCount());
            } catch (IbnetFormatException e) {
                assertThat(e).message().startsWith("cut:").contains("expected");
            }
        }
    }

    @Test
    void shouldTakeItsNoise() throws IOException {
        byte[] text = Files.readAllBytes(FILE);
        SplittableRandom random = new SplittableRandom(2);
        for (int i = 0; i < 12; i++) {
            byte[] noisy = text.clone();
            for (int k = 0; k < 30; k++) {
                noisy[random.nextInt(noisy.length)] = (byte) (1 + random.nextInt(255));
            }
            try {
                IbnetReader.read("noisy", new ByteArrayInputStream(noisy))
                        .fabric()
                        .build(1, new NodeIndexMap(), new GuidNumbers());
            } catch (IbnetFormatException e) {
                assertThat(e)
                        .message()
                        .startsWith("noisy:")
                        .contains("expected")
                        .hasLineCount(1);
            }
        }
        assertThat(new String(text, StandardCharsets.UTF_8)).contains("Switch");
    }
}
