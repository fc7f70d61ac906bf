package io.dmodc.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code simulate} as an operator meets it. */
class TrafficCommandTest {
    private static final String SMALL = "2;4,4;1,4;1,1";

    @TempDir
    private Path directory = Path.of("");

    private static Ctl simulate(String options) {
        return Ctl.run((Object[]) ("simulate --warm-up 200 --cycles 500 " + options).split(" "));
    }

    private static ObjectNode json(String options) throws IOException {
        Ctl ran = simulate(options + " --format json");
        assertThat(ran.code()).as(String.join("\n", ran.err())).isZero();
        ObjectNode answer = (ObjectNode) new ObjectMapper().readTree(ran.text());
        answer.remove("seconds");
        answer.remove("movesPerSecond");
        return answer;
    }

    @Test
    void shouldTellWhatArrivesAtEachLoadAsText() {
        Ctl ran = simulate("--pgft " + SMALL + " --load 0.1,0.3..0.5 --seeds 2 --threads 1");

        assertThat(ran.code()).isZero();
        assertThat(ran.out().get(0))
                .isEqualTo(
                        "dmodc: 8 switches, 16 nodes, uniform, 4 virtual channels of 16 packets, 500 cycles after 200");
        assertThat(ran.out().get(2)).startsWith(" load  accepted ").endsWith("remark");
        assertThat(ran.out().get(3)).matches("0.100  0.\\d{4} ±0.\\d{4}  .* +2");
        assertThat(ran.out()).filteredOn(line -> line.startsWith("0.")).hasSize(4);
        assertThat(ran.out().get(ran.out().size() - 1))
                .matches("[\\d,]+ packets past a switch in [\\d.]+ s, [\\d.]+ million a second on 1 threads; .*");
    }

    @Test
    void shouldTellTheSameWhateverTheThreads() throws IOException {
        String asked =
                "--pgft " + SMALL + " --engine dmodk --pattern transpose --load 0.9,0.2 --seeds 3 --vcs 2 --buffers 4";

        ObjectNode one = json(asked + " --threads 1");
        ObjectNode three = json(asked + " --threads 3");

        assertThat(one.remove("threads").asInt()).isEqualTo(1);
        assertThat(three.remove("threads").asInt()).isEqualTo(3);
        assertThat(three).isEqualTo(one);
        assertThat(one.get("pattern").asText()).isEqualTo("transpose");
        assertThat(one.at("/loads/0/saturated").asBoolean()).isTrue();
        assertThat(one.at("/loads/1/saturated").asBoolean()).isFalse();
        assertThat(one.at("/loads/1/accepted/min").asDouble())
                .isLessThan(one.at("/loads/1/accepted/max").asDouble());
        assertThat(one.at("/loads/0").has("deadlock")).isFalse();
    }

    @Test
    void shouldTakeAnotherWayUpIfAsked() throws IOException {
        String asked = "--pgft " + SMALL + " --engine dmodk --pattern transpose --load 1 --seeds 1";

        JsonNode table = json(asked);
        JsonNode random = json(asked + " --random-up");

        assertThat(random.get("engine").asText()).isEqualTo("dmodk, random up");
        assertThat(random.at("/loads/0/accepted/mean").asDouble())
                .isGreaterThan(table.at("/loads/0/accepted/mean").asDouble() + 0.1);
    }

    @Test
    void shouldWriteTheSameForBookSim() throws IOException {
        Ctl ran = simulate("--pgft " + SMALL + " --load 0.1 --seeds 1 --booksim " + directory);
        Ctl nowhere = simulate("--pgft " + SMALL + " --load 0.1 --seeds 1 --booksim /nowhere");

        assertThat(ran.code()).isZero();
        assertThat(Files.readAllLines(directory.resolve("network.anynet")))
                .hasSize(8)
                .first()
                .asString()
                .startsWith("router 0 ");
        assertThat(Files.readAllLines(directory.resolve("routes.lft"))).hasSize(8);
        assertThat(nowhere.code()).isEqualTo(2);
        assertThat(nowhere.err()).hasSize(1).first().asString().contains("/nowhere/network.anynet: cannot be written");
    }

    /** Six switches in a ring, a host each: every packet goes two switches on, and none gets there. */
    @Test
    void shouldAnswerNoToADeadlockAndNameItsRing() throws IOException {
        Path topology = Files.writeString(directory.resolve("ring"), ring());

        Ctl ran = simulate("--topology " + topology + " --engine minhop --load 1 --seeds 1 --vcs 1 --buffers 2"
                + " --pattern shift:2");

        assertThat(ran.code()).as(ran.text() + ran.err()).isEqualTo(1);
        assertThat(ran.out())
                .anyMatch(line -> line.matches("load 1.000: deadlock, found in cycle \\d+: 24 packets stand still"
                        + " for ever; in a ring: (ring\\d port 3(, )?){6}"));
    }

    /** The other corner serves: no packet is lost, known or not. */
    @Test
    void shouldSendPacketsThroughAGridWithDeadLeaves() throws IOException {
        String grid = "--grid 4x4;hosts=2;roots=2,2 --engine vtftr --load 0.3 --seeds 2";

        JsonNode known = json(grid + " --fault 0,2 --fault 2,0 --spares paper");
        JsonNode burst = json(grid + " --fault 0,2 --burst 1,1 --vcs 3 --ft-vcs 1");

        assertThat(known.get("engine").asText()).isEqualTo("vtftr, paper spares, virtual channels 2 fault-tolerant");
        assertThat(known.get("nodes").asInt()).isEqualTo(28);
        assertThat(known.get("failedSwitches").asInt()).isEqualTo(2);
        for (JsonNode answer : List.of(known, burst)) {
            assertThat(answer.at("/loads/0/dropped").asInt()).isZero();
            assertThat(answer.at("/loads/0/accepted/mean").asDouble()).isBetween(0.28, 0.32);
        }
    }

    @Test
    void shouldTakeDeadLeavesFromAGridOfAnyEngine() throws IOException {
        JsonNode dmodc = json("--grid 4x4;hosts=2;roots=2,2 --engine minhop --load 0.1 --seeds 1 --fault 1,1");

        assertThat(dmodc.get("nodes").asInt()).isEqualTo(30);
        assertThat(dmodc.at("/loads/0/dropped").asInt()).isZero();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --grid 4x4;hosts=2;roots=2,2 --engine vtftr --random-up   | --random-up with engine vtftr; expected tables by destination alone
            --grid 4x4;hosts=2;roots=2,2 --engine vtftr --booksim d   | --booksim d with engine vtftr; expected tables by destination alone
            --grid 4x4;hosts=2;roots=2,2 --engine vtftr --ft-vcs 4    | 4 fault-tolerant virtual channels of 4; expected 0..3
            --grid 4x4;hosts=2;roots=2,2 --engine vtftr --fault 4,0   | '4,0' is no leaf; expected ROW,COLUMN in 0..3,0..3
            --grid 4x4;hosts=2;roots=2,2 --engine minhop --burst 1,1  | --burst 1,1 with engine minhop; expected engine vtftr
            --grid 4x4;hosts=2;roots=2,2 --engine minhop --ft-vcs 1   | --ft-vcs 1 with engine minhop; expected engine vtftr
            --pgft 2;4,4;1,2;1,1 --engine vtftr                       | 2;4,4;1,2;1,1: no grid: expected roots whose leaves form rows, and roots whose leaves form columns, two of each at least
            --pgft 2;4,4;1,2;1,1 --fault 0,0                          | 2;4,4;1,2;1,1: no grid: expected roots whose leaves form rows, and roots whose leaves form columns, two of each at least
            """)
    void shouldSayInOneLineWhatItCannotUse(String options, String message) {
        assertThat(simulate(options)).isEqualTo(new Ctl(2, List.of(), List.of("fabricctl simulate: " + message)));
    }

    private static String ring() {
        StringBuilder switches = new StringBuilder();
        StringBuilder hosts = new StringBuilder();
        for (int s = 0; s < 6; s++) {
            String host = "H-000000000000020" + s;
            String own = "S-000000000000010" + s;
            switches.append("Switch 3 \"" + own + "\" # \"ring" + s + "\" base port 0 lid " + (s + 1) + " lmc 0\n")
                    .append("[1] \"" + host + "\"[1](20" + s + ") # \"host\" lid " + (s + 11) + " 4xHDR\n")
                    .append("[2] \"S-000000000000010" + (s + 1) % 6 + "\"[3] # \"\" lid 1 4xHDR\n")
                    .append("[3] \"S-000000000000010" + (s + 5) % 6 + "\"[2] # \"\" lid 1 4xHDR\n\n");
            hosts.append("Ca 1 \"" + host + "\" # \"host\"\n")
                    .append("[1](20" + s + ") \"" + own + "\"[1] # lid " + (s + 11) + " lmc 0 \"\" lid 1 4xHDR\n\n");
        }
        return switches.append(hosts).toString();
    }
}
