package io.dmodc.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VerifyCommandTest {
    private static final String SHAPE = "3;3,3,3;1,3,3;1,1,1";

    @TempDir
    private Path directory = Path.of("");

    private Path whole = Path.of("");

    @BeforeEach
    void generate() {
        whole = directory.resolve("whole.txt");
        Ctl.run("topology", "generate", "--pgft", SHAPE, "--shuffle-guids", 7, "--out", whole);
    }

    @Test
    void shouldSayYesToAWholeFabricWithAndWithoutItsDesign() {
        assertThat(Ctl.run("topology", "verify", "--topology", whole, "--design", SHAPE))
                .isEqualTo(new Ctl(
                        0,
                        List.of(
                                whole + ": 27 switches, 54 cables between switches, 27 host ports",
                                "design: PGFT " + SHAPE,
                                "as designed"),
                        List.of()));
        assertThat(Ctl.run("topology", "verify", "--topology", whole).out())
                .contains("design: PGFT " + SHAPE + " (guessed from the fabric; --design says it for sure)");
    }

    @Test
    void shouldListWhatIsMissing() throws IOException {
        Path damaged = directory.resolve("damaged.txt");
        Ctl.run("topology", "degrade", "--topology", whole, "--links", 3, "--seed", 4, "--out", damaged);

        Ctl ctl = Ctl.run("topology", "verify", "--topology", damaged, "--design", SHAPE);

        assertThat(ctl.code()).isEqualTo(1);
        assertThat(ctl.err()).isEmpty();
        assertThat(ctl.text()).isEqualTo("""
                %s: 27 switches, 51 cables between switches, 27 host ports
                design: PGFT 3;3,3,3;1,3,3;1,1,1
                3 differences:
                  1. a cable is missing between l2s8 (free port 4) and l3s2 (free port 3)
                  2. a cable is missing between l2s1 (free port 5) and l3s4 (free port 1)
                  3. a cable is missing between leaf3 (free port 4) and l2s3 (free port 1)""".formatted(damaged));
    }

    @Test
    void shouldNameSwappedCablesByTheirPorts() throws IOException {
        Path swapped = swapped();

        Ctl ctl = Ctl.run("topology", "verify", "--topology", swapped);

        assertThat(ctl.code()).isEqualTo(1);
        assertThat(ctl.out().subList(2, ctl.out().size()))
                .containsExactly(
                        "1 difference:",
                        "  1. cables leaf0 port 4 – l2s6 port 3 and leaf8 port 4 – l2s0 port 1 look swapped: expected"
                                + " leaf0 port 4 – l2s0 port 1 and leaf8 port 4 – l2s6 port 3");
    }

    @Test
    void shouldStopAtTheLinesAskedFor() {
        Ctl ctl = Ctl.run("topology", "verify", "--topology", whole, "--design", "3;4,3,3;1,3,3;1,1,1", "--lines", 2);

        assertThat(ctl.out().get(2)).isEqualTo("9 differences:");
        assertThat(ctl.out().get(3)).matches("  1. leaf\\d has 3 of 4 hosts");
        assertThat(ctl.out().subList(5, 6)).containsExactly("  and 7 more");
        assertThat(ctl.out()).hasSize(6);
    }

    @Test
    void shouldTellTheSameAsJson() throws IOException {
        Ctl ctl = Ctl.run("topology", "verify", "--topology", swapped(), "--format", "json");

        JsonNode json = new ObjectMapper().readTree(ctl.text());
        assertThat(ctl.code()).isEqualTo(1);
        assertThat(json.fieldNames())
                .toIterable()
                .containsExactly(
                        "design",
                        "inferred",
                        "asDesigned",
                        "switches",
                        "placedSwitches",
                        "cables",
                        "hostPorts",
                        "deviationCount",
                        "deviations",
                        "slowLinks");
        assertThat(json.at("/deviations/0/kind").asText()).isEqualTo("CABLES_SWAPPED");
        assertThat(json.at("/deviations/0/ends")).hasSize(4);
        assertThat(json.at("/placedSwitches").asInt()).isEqualTo(27);
    }

    @Test
    void shouldRefuseWhatItCannotCompareWith() throws IOException {
        Path hostless = Files.writeString(
                directory.resolve("hostless.txt"),
                "Switch 1 \"S-01\"\n[1] \"S-02\"[1]\n\nSwitch 1 \"S-02\"\n[1] \"S-01\"[1]\n");

        assertThat(Ctl.run("topology", "verify", "--topology", whole, "--design", "3;4,3"))
                .isEqualTo(
                        new Ctl(
                                2,
                                List.of(),
                                List.of(
                                        "fabricctl topology verify: '3;4,3' is not a PGFT; expected h;m1,..,mh;w1,..,wh;p1,..,ph")));
        assertThat(Ctl.run("topology", "verify", "--topology", whole, "--lines", 0)
                        .err())
                .containsExactly("fabricctl topology verify: --lines 0; expected 1 or more"
                        + " (see 'fabricctl topology verify --help')");
        assertThat(Ctl.run("topology", "verify", "--topology", hostless))
                .isEqualTo(new Ctl(
                        2,
                        List.of(),
                        List.of("fabricctl topology verify: " + hostless
                                + ": no shape can be guessed (no switch has hosts;"
                                + " expected leaves to recognise a fabric by); expected --design")));
    }

    /** Exchanges the upper ends of a cable of leaf0 and one of leaf8, in the file. */
    private Path swapped() throws IOException {
        Path ordered = directory.resolve("ordered.txt");
        Ctl.run("topology", "generate", "--pgft", SHAPE, "--out", ordered);
        String leaf0 = "\"S-02f0000000000000\"[4]";
        String leaf8 = "\"S-02f0000000000008\"[4]";
        String l2s0 = "\"S-02f0000000000009\"[1]";
        String l2s6 = "\"S-02f000000000000f\"[3]";
        String swapped = Files.readString(ordered)
                .replace("[1]\t" + leaf0, "[1]\tX")
                .replace("[3]\t" + leaf8, "[3]\t" + leaf0)
                .replace("[1]\tX", "[1]\t" + leaf8)
                .replace("[4]\t" + l2s0, "[4]\tX")
                .replace("[4]\t" + l2s6, "[4]\t" + l2s0)
                .replace("[4]\tX", "[4]\t" + l2s6);
        return Files.writeString(directory.resolve("swapped.txt"), swapped);
    }
}
