package io.dmodc.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code --node-types}, and {@code quality --from --to}. */
class NodeTypesCommandTest {
    private static final String SHAPE = "2;4,4;1,4;1,1";

    @TempDir
    private Path directory = Path.of("");

    private Path types = Path.of("");
    private Path map = Path.of("");

    /** The last host of each leaf, by the index it has without types. */
    @BeforeEach
    void nameTypes() throws IOException {
        Path plain = directory.resolve("plain");
        Ctl.run("route", "--pgft", SHAPE, "--node-map", plain);
        List<String> lines = Files.readAllLines(plain).stream()
                .map(line -> line.split(" "))
                .filter(words -> Integer.parseInt(words[1]) % 4 == 3)
                .map(words -> words[0] + " io")
                .toList();
        assertThat(lines).hasSize(4);
        types = Files.write(directory.resolve("types"), lines);
        map = directory.resolve("map");
    }

    @Test
    void shouldSpreadTheTrafficOfEachType() throws IOException {
        JsonNode alike = new ObjectMapper()
                .readTree(
                        Ctl.run("quality", "--pgft", SHAPE, "--format", "json", "--from", "compute", "--to", "compute")
                                .text());
        Ctl typed = Ctl.run("quality", "--pgft", SHAPE, "--node-types", types, "--from", "compute", "--to", "io");

        assertThat(alike.get("senders").asInt()).isEqualTo(16);
        assertThat(typed.code()).isZero();
        assertThat(typed.out())
                .containsExactly(
                        "dmodc: 12 nodes (compute) send to 4 (io), 48 pairs",
                        "",
                        "congestion risk    ports  used  all-to-all",
                        "whole fabric          32    16           1",
                        "up, rank 0 to 1       16    12           1",
                        "down, rank 1 to 0     16     4           1");
    }

    @Test
    void shouldKeepNumbersThatAreInTheMapAndSaySo() throws IOException {
        Ctl.run("route", "--pgft", SHAPE, "--node-map", map, "--node-types", types);
        List<String> typed = Files.readAllLines(map);

        Ctl again = Ctl.run("route", "--pgft", SHAPE, "--node-map", map, "--node-types", types);

        assertThat(typed.get(12).split(" ")[0])
                .isEqualTo(Files.readAllLines(types).get(0).split(" ")[0]);
        assertThat(again.err())
                .containsExactly("node types: all nodes are numbered in " + map + " and keep their indices");
        assertThat(Files.readAllLines(map)).isEqualTo(typed);
    }

    @Test
    void shouldNameTypesThatNoHostIsOf() throws IOException {
        Files.write(types, List.of("tape-* tape", "0x77 login", "node* compute"), StandardOpenOption.APPEND);

        Ctl routed = Ctl.run("route", "--pgft", SHAPE, "--node-types", types);

        assertThat(routed.code()).isZero();
        assertThat(routed.err()).containsExactly(types + ": no host is of type tape, login");
    }

    @Test
    void shouldRefuseTypesThatNobodyHasAndPatternsThatAreNotBetweenTypes() throws IOException {
        assertThat(Ctl.run("quality", "--pgft", SHAPE, "--node-types", types, "--to", "storage"))
                .isEqualTo(
                        new Ctl(
                                2,
                                List.of(),
                                List.of(
                                        "fabricctl quality: --to storage: no host is of this type; --node-types has compute, io")));
        for (String[] pattern : new String[][] {{"--patterns", "sp"}, {"--shifts", "2"}, {"--permutations", "2"}}) {
            assertThat(Ctl.run("quality", "--pgft", SHAPE, "--to", "compute", pattern[0], pattern[1]))
                    .isEqualTo(new Ctl(
                            2,
                            List.of(),
                            List.of(
                                    "fabricctl quality: --from and --to have all-to-all traffic of forwarding tables alone;"
                                            + " expected no --patterns, --shifts, --permutations nor engine vtftr")));
        }
        assertThat(Ctl.run("route", "--pgft", SHAPE, "--node-types", directory.resolve("none"))
                        .err())
                .singleElement()
                .asString()
                .contains("none: cannot be read", "expected lines 'guid type'");
        Path broken = Files.writeString(directory.resolve("broken"), "0x1 io\nio\n");
        assertThat(Ctl.run("route", "--pgft", SHAPE, "--node-types", broken).err())
                .singleElement()
                .asString()
                .contains(broken + ":2: 'io'; expected 'guid type' or 'name-pattern type'");
    }
}
