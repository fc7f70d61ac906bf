package io.dmodc.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code bench} as an operator meets it. How long anything takes decides nothing here. */
class BenchCommandTest {
    private static final List<String> ALL_KINDS =
            List.of("anyLink", "leafUplink", "topLink", "spineSwitch", "leafSwitch", "hostAppears", "hostReplaced");

    private static JsonNode bench(String pgft, Object... words) throws IOException {
        List<Object> all =
                new ArrayList<>(List.of("bench", "--pgft", pgft, "--rounds", 2, "--faults", 3, "--format", "json"));
        all.addAll(List.of(words));
        Ctl bench = Ctl.run(all.toArray());
        assertThat(bench.code()).as(String.join("\n", bench.err())).isZero();
        assertThat(bench.err()).allMatch(line -> line.matches("bench: .* …"));
        return new ObjectMapper().readTree(bench.text());
    }

    private static List<String> kinds(JsonNode bench) {
        List<String> kinds = new ArrayList<>();
        bench.get("faults").fieldNames().forEachRemaining(kinds::add);
        return kinds;
    }

    private static void assertTime(JsonNode of, String name) {
        assertThat(of.path(name).isNumber()).as(name).isTrue();
        assertThat(of.get(name).asDouble()).as(name).isFinite().isNotNegative();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldMeasureAWholeFabricItsFaultsAndADamagedOne(int threads) throws IOException {
        JsonNode bench = bench("3;2,4,6;1,2,4;1,2,1", "--threads", threads);

        assertThat(bench.get("fabric").asText()).isEqualTo("3;2,4,6;1,2,4;1,2,1");
        assertThat(bench.get("engine").asText()).isEqualTo("dmodc");
        assertThat(bench.get("threads").asInt()).isEqualTo(threads);
        assertThat(bench.get("rounds").asInt()).isEqualTo(2);
        assertThat(bench.get("nodes").asInt()).isEqualTo(48);
        assertThat(bench.get("switches").asInt()).isEqualTo(24 + 12 + 8);
        assertThat(bench.get("links").asInt()).isEqualTo(24 * 2 * 2 + 12 * 4);
        assertThat(bench.get("tableBytes").asLong()).isEqualTo(48 * 44);
        for (String time : List.of(
                "coldMs", "routesMedianMs", "fullMedianMs", "floorMedianMs", "ratio", "faultMedianMs", "faultP99Ms")) {
            assertTime(bench, time);
        }
        assertThat(bench.get("extraBytes").asLong()).isNotNegative();
        assertThat(bench.get("peakHeapBytes").asLong()).isPositive();
        for (String time : List.of("costsMs", "rowsMs", "bytesMs", "unsharedBytesMs", "unsharedRatio")) {
            assertTime(bench.get("phases"), time);
        }
        assertThat(bench.at("/phases/distinctRows").asInt()).isBetween(2, 44);
        assertFaults(bench);
        assertDamaged(bench.get("degraded"), 2, 2);
    }

    private static void assertFaults(JsonNode bench) {
        assertThat(kinds(bench)).isEqualTo(ALL_KINDS);
        for (JsonNode fault : bench.get("faults")) {
            assertFault(fault);
        }
        assertThat(bench.get("faultMedianMs")).isEqualTo(bench.at("/faults/anyLink/medianMs"));
        assertThat(bench.get("faultP99Ms")).isEqualTo(bench.at("/faults/anyLink/p99Ms"));
    }

    private static void assertFault(JsonNode fault) {
        assertThat(fault.get("count").asInt()).isEqualTo(3);
        for (String time : List.of("viewMs", "medianMs", "p99Ms", "deltaMs", "checkMs", "healMedianMs")) {
            assertTime(fault, time);
        }
        assertThat(fault.get("p99Ms").asDouble())
                .isGreaterThanOrEqualTo(fault.get("medianMs").asDouble());
        assertThat(fault.get("rows").asLong()).isPositive();
        assertThat(fault.get("blocks").asLong())
                .isGreaterThanOrEqualTo(fault.get("rows").asLong());
    }

    private static void assertDamaged(JsonNode degraded, int switches, int links) {
        assertThat(degraded.get("lostSwitches").asInt()).isEqualTo(switches);
        assertThat(degraded.get("lostLinks").asInt()).isEqualTo(links);
        for (String time : List.of("fullMedianMs", "bytesMs", "floorMedianMs", "ratio", "bytesRatio")) {
            assertTime(degraded, time);
        }
        assertThat(degraded.get("extraBytes").asLong()).isNotNegative();
        assertFault(degraded.get("linkFault"));
    }

    @Test
    void shouldDamageAsMuchAsAsked() throws IOException {
        JsonNode some = bench(Ctl.FIGURE_1, "--degraded-switches", 1, "--degraded-links", 3);
        JsonNode none = bench(Ctl.FIGURE_1, "--degraded-switches", 0, "--degraded-links", 0);

        assertDamaged(some.get("degraded"), 1, 3);
        assertThat(none.has("degraded")).isFalse();
    }

    @Test
    void shouldMeasureFabricsThatCannotHaveEveryFault() throws IOException {
        JsonNode oneSwitch = bench("1;4;1;1");
        JsonNode oneLeaf = bench("2;4,1;1,2;1,1");
        JsonNode twoLevels = bench("2;4,4;1,4;1,1");

        assertThat(kinds(oneSwitch)).containsExactly("hostAppears", "hostReplaced");
        assertThat(oneSwitch.get("links").asInt()).isZero();
        assertThat(oneSwitch.has("faultMedianMs")).isFalse();
        assertThat(oneSwitch.has("degraded")).isFalse();
        assertTime(oneSwitch, "ratio");
        assertThat(kinds(oneLeaf))
                .containsExactly("anyLink", "leafUplink", "spineSwitch", "hostAppears", "hostReplaced");
        assertThat(kinds(twoLevels))
                .containsExactly("anyLink", "leafUplink", "spineSwitch", "leafSwitch", "hostAppears", "hostReplaced");
    }

    @Test
    void shouldMeasureWhatIsLeftOfAFabricWithoutLinks() throws IOException {
        JsonNode bench = bench("2;4,2;1,2;1,1", "--fail-switches", 2);
        JsonNode damaged = bench("2;4,2;1,2;1,1", "--degraded-switches", 2);

        assertThat(kinds(bench)).containsExactly("leafSwitch", "hostAppears", "hostReplaced");
        assertThat(damaged.get("degraded").has("linkFault")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--rounds 0|--rounds 0; expected 1..10000",
                "--faults 10001|--faults 10001; expected 1..10000",
                "--faults few|Invalid value for option '--faults'",
                "--threads -1|--threads -1; expected 1..1024",
                "--degraded-switches 11|--degraded-switches 11; expected 0..10",
                "--degraded-links -1|--degraded-links -1; expected 0..",
                "--topology f|are mutually exclusive"
            })
    void shouldSayInOneLineWhatCannotBeUsed(String words, String message) {
        Ctl bench = Ctl.run((Object[]) ("bench --pgft " + Ctl.FIGURE_1 + " " + words).split(" "));

        assertThat(bench.code()).isEqualTo(2);
        assertThat(bench.out()).isEmpty();
        assertThat(bench.err()).hasSize(1);
        assertThat(bench.err().get(0)).startsWith("fabricctl bench: ").contains(message);
    }

    @Test
    void shouldTellPeopleInATable() {
        Ctl bench = Ctl.run("bench", "--pgft", Ctl.FIGURE_1, "--rounds", 2, "--faults", 3);

        assertThat(bench.code()).isZero();
        assertThat(bench.out().get(0)).startsWith(Ctl.FIGURE_1 + ": 12 nodes, 16 switches, 36 links; dmodc on ");
        assertThat(bench.out())
                .anyMatch(line -> line.matches("everything, rows written out +\\d+\\.\\d+ ms +\\d+\\.\\d+"))
                .anyMatch(line -> line.matches("any link +3( +\\d+\\.\\d+ ms){6} +\\d+ +\\d+"))
                .anyMatch(line -> line.startsWith("with ") && line.contains(" links lost: full reroute "))
                .anyMatch(line -> line.startsWith("memory: tables 0.2 KiB as bytes, "));
    }
}
