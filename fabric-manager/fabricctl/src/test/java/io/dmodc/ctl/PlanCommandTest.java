package io.dmodc.ctl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code detector plan} as an operator meets it; that the formulas are right is tested where they are. */
class PlanCommandTest {
    private static Ctl plan(String words) {
        return Ctl.run((Object[]) ("detector plan " + words).split(" "));
    }

    private static JsonNode json(String words) throws IOException {
        Ctl plan = plan(words + " --format json");
        assertThat(plan.code()).as(String.join("\n", plan.err())).isZero();
        return new ObjectMapper().readTree(plan.text());
    }

    @Test
    void shouldTellWhatAHundredThousandAgentsCost() throws IOException {
        JsonNode plan = json("--nodes 100000 --eta 100ms --delta 1s");

        assertThat(plan.at("/detection/meanNanos").asLong()).isEqualTo(950_000_000);
        assertThat(plan.at("/detection/mostNanos").asLong()).isEqualTo(1_001_000_000);
        assertThat(plan.at("/detection/hops").asInt()).isEqualTo(8);
        assertThat(plan.at("/traffic/datagramsPerSecond").asDouble()).isEqualTo(10);
        assertThat(plan.at("/traffic/bytesPerSecond").asDouble()).isEqualTo(640);
        assertThat(plan.at("/traffic/datagramsPerFault").asInt()).isEqualTo(34);
        assertThat(plan.at("/faults/count").asInt()).isEqualTo(15);
        assertThat(plan.at("/faults/publishedNanos").asLong()).isEqualTo(29_000_000_000L);
        assertThat(plan.at("/faults/askingNanos").asLong()).isEqualTo(3_000_000_000L);
        assertThat(plan.at("/faults/provenNanos").asLong() / 1e9).isCloseTo(256, within(0.1));
        assertThat(plan.at("/faults/tolerated").asInt()).isEqualTo(33);
        assertThat(plan.at("/risk/largestDeltaSeconds").asDouble()).isCloseTo(124.6, within(0.1));
        assertThat(plan.at("/randomPinging/rounds").asInt()).isEqualTo(21);
        assertThat(plan.get("warnings")).isEmpty();
    }

    @Test
    void shouldTellTheSameInWords() {
        String text = plan("--nodes 64 --eta 100ms --delta 1s --faults 5").text();

        assertThat(text)
                .contains("ring of 64 agents: eta 100ms, delta 1s, tau 1ms")
                .contains("950 ms on average, 900 ms to 1.00 s")
                .contains("3.00 s, asking 12 at the same time (9.00 s as published)")
                .contains("30.7 s")
                .contains("common causes")
                .doesNotContain("warning");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--nodes 64 --eta 100ms --delta 250ms|delta is below 3 eta",
                "--nodes 64 --eta 100ms --delta 101ms|delta is not above eta + tau",
                "--nodes 64 --eta 100ms --delta 1s --tau 200ms|tau is above delta / 10",
                "--nodes 64 --eta 1ms --delta 10ms --tau 10us|eta is below 10 ms",
                "--nodes 64 --eta 100ms --delta 1s --faults 6|6 faults at once are more than the 5",
                "--nodes 64 --eta 100ms --delta 1s --faults 11|11 dead can cut the broadcast, which bears 10",
                "--nodes 262144 --eta 6s --delta 60s|likelier than 1.0E-9"
            })
    void shouldWarn(String words, String warning) {
        Ctl plan = plan(words);

        assertThat(plan.code()).isZero();
        assertThat(plan.out()).anyMatch(line -> line.startsWith("warning: ") && line.contains(warning));
    }

    /** The theorem covers no fault of three nodes, and there is no risk to compute. */
    @Test
    void shouldPlanTheSmallestRings() throws IOException {
        JsonNode plan = json("--nodes 2 --eta 100ms --delta 1s");

        assertThat(plan.at("/detection/hops").asInt()).isEqualTo(1);
        assertThat(plan.at("/faults/count").asInt()).isEqualTo(1);
        assertThat(plan.at("/faults").has("provenNanos")).isFalse();
        assertThat(plan.has("risk")).isFalse();
    }

    /** What lies behind the asking width takes another round. */
    @Test
    void shouldNotPromiseMoreThanTheAskingWidth() throws IOException {
        JsonNode wide = json("--nodes 64 --eta 100ms --delta 1s --faults 14");
        JsonNode wider = json("--nodes 64 --eta 100ms --delta 1s --faults 15");

        assertThat(wide.at("/faults/askingNanos").asLong()).isEqualTo(3_000_000_000L);
        assertThat(wider.at("/faults/askingNanos").asLong()).isEqualTo(5_000_000_000L);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--nodes 1 --eta 100ms --delta 1s|--nodes 1; expected 2..1048576",
                "--nodes 8 --eta 100ms --delta 1s --faults 8|--faults 8; expected 1..7",
                "--nodes 8 --eta 100ms --delta 1s --mu 0|--mu 0.0; expected above 0",
                "--nodes 8 --eta 100 --delta 1s|'100' is not a duration",
                "--nodes 8 --eta 1s --delta 1s|suspicion 1000000000 ns, expected above the heartbeat's",
                "--nodes 8 --eta 0 --delta 1s|heartbeat 0 ns, expected above 0",
                "--nodes 8 --eta 100ms --delta 1s --tau 0|delay 0 ns, expected above 0",
                "--nodes 8 --eta 100ms|Missing required option: '--delta=D'"
            })
    void shouldSayInOneLineWhatCannotBeUsed(String words, String message) {
        Ctl plan = plan(words);

        assertThat(plan.code()).isEqualTo(2);
        assertThat(plan.out()).isEmpty();
        assertThat(plan.err()).hasSize(1);
        assertThat(plan.err().get(0)).startsWith("fabricctl detector plan: ").contains(message);
    }
}
