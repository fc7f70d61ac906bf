package io.dmodc.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code fabricctl topology replace}: routes do not change for an adapter or a switch that is replaced. */
class ReplaceCommandTest {
    private static final String PGFT = "3;2,2,3;1,2,2;1,2,1";

    @TempDir
    private Path directory = Path.of("");

    private String file(String name) {
        return directory.resolve(name).toString();
    }

    private Ctl route(String topology, String out) {
        return Ctl.run(
                "route",
                "--topology",
                file(topology),
                "--node-map",
                file("nodes"),
                "--plane-map",
                file("planes"),
                "--as",
                "text",
                "--out",
                file(out));
    }

    /** The lines of tables without the names and GUIDs of switches. */
    private List<String> entries(String tables) throws IOException {
        return Files.readAllLines(directory.resolve(tables)).stream()
                .filter(line -> line.startsWith("  d"))
                .toList();
    }

    @Test
    void shouldLeaveEveryEntryWhatItWasWhenAnAdapterIsReplaced() throws IOException {
        Ctl.run("topology", "generate", "--pgft", PGFT, "--out", file("before"));
        route("before", "first");
        String text = Files.readString(directory.resolve("before"));
        Files.writeString(directory.resolve("after"), text.replaceAll("02c0000000000005", "0999000000000005"));
        Files.copy(directory.resolve("nodes"), directory.resolve("nodes-before"));

        Ctl replaced = Ctl.run(
                "topology",
                "replace",
                "0x02c0000000000005",
                "0x0999000000000005",
                "--node-map",
                file("nodes"),
                "--plane-map",
                file("planes"));
        Ctl routed = route("after", "second");

        assertThat(replaced.out()).containsExactly("0x0999000000000005 has node index 2 of 0x02c0000000000005");
        assertThat(routed.code()).isZero();
        assertThat(entries("second")).isEqualTo(entries("first")).isNotEmpty();
        assertThat(Files.readAllLines(directory.resolve("nodes")))
                .containsExactlyInAnyOrderElementsOf(Files.readAllLines(directory.resolve("nodes-before")).stream()
                        .map(line -> line.replace("0x02c0000000000005", "0x0999000000000005"))
                        .toList());
    }

    @Test
    void shouldHandThePlaneOfASwitchOn() throws IOException {
        Files.write(directory.resolve("planes"), List.of("0x10 3", "0x11 4", "0x12 5"));

        Ctl replaced = Ctl.run("topology", "replace", "0x11", "0x12", "--plane-map", file("planes"));

        assertThat(replaced.out()).containsExactly("0x0000000000000012 has plane number 4 of 0x0000000000000011");
        assertThat(Files.readAllLines(directory.resolve("planes")))
                .containsExactly("0x0000000000000010 3", "0x0000000000000012 4");
    }

    /** Half of a plane map, as a full disk leaves it behind a copy: nothing is done by halves for it. */
    @Test
    void shouldChangeNoFileIfOneCannotBeRead() throws IOException {
        Files.write(directory.resolve("nodes"), List.of("0x10 3"));
        Files.write(directory.resolve("planes"), List.of("0x10 3", "0x11"));

        Ctl refused = Ctl.run(
                "topology", "replace", "0x10", "0x12", "--node-map", file("nodes"), "--plane-map", file("planes"));

        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err())
                .containsExactly(
                        "fabricctl topology replace: " + file("planes") + ":2: '0x11'; expected 'guid number'");
        assertThat(Files.readAllLines(directory.resolve("nodes"))).containsExactly("0x10 3");
    }

    @Test
    void shouldSayWhereThereIsNoNumber() throws IOException {
        Files.write(directory.resolve("nodes"), List.of("0x12 3"));

        Ctl refused = Ctl.run("topology", "replace", "0x10", "0x11", "--node-map", file("nodes"));

        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err())
                .containsExactly("fabricctl topology replace: 0x0000000000000010 has no number in " + file("nodes"));
        assertThat(Files.readAllLines(directory.resolve("nodes"))).containsExactly("0x12 3");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0x10 0x10 --node-map nodes|0x0000000000000010 does not replace itself",
                "node0 0x10 --node-map nodes|OLD 'node0' is no GUID; expected 0x and hexadecimal digits",
                "0x10 0x11|expected --node-map, --plane-map or both",
                "0x10 0x0 --node-map nodes|NEW '0x0' is nobody's GUID; expected that of a port or switch",
                "0x10 0x11 --node-map nodes|nodes: cannot be read (no such file); expected lines 'guid index'",
                "0x10 0x11 --node-map nodes --plane-map ./nodes|--node-map nodes and --plane-map ./nodes are one file; expected two"
            })
    void shouldRefuseInOneLine(String words, String error) {
        Object[] all = ("topology replace " + words).split(" ");
        Ctl refused = Ctl.run(all);

        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).containsExactly("fabricctl topology replace: " + error);
    }
}
