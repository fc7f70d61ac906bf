package io.dmodc.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code --node-map} and {@code --plane-map}: what is kept from one command to the next. */
class NumberFilesTest {
    private static final String SHAPE = "2;2,2;1,2;1,1";

    @TempDir
    private Path directory = Path.of("");

    /** Indices of adapters that were removed count, so a file may come to its end with few hosts. */
    @Test
    void shouldNameHostsForWhichNoNodeIndexIsLeft() throws IOException {
        Path map = Files.writeString(directory.resolve("map"), "0x1 1048573\n");

        Ctl routed = Ctl.run("route", "--pgft", SHAPE, "--node-map", map);

        assertThat(routed.code()).isZero();
        assertThat(routed.err())
                .contains("no node index up to 1048575 is left for host port 0x02c0000000000005 (and 1 more);"
                        + " no table has a route there");
        assertThat(Files.readAllLines(map))
                .containsExactly(
                        "0x0000000000000001 1048573", "0x02c0000000000001 1048574", "0x02c0000000000003 1048575");
    }

    /** The second would be written over the first. */
    @ParameterizedTest
    @ValueSource(strings = {"route --topology fabric", "change --from fabric --to fabric"})
    void shouldNotKeepNodesAndPlanesInOneFile(String command) throws IOException {
        Path fabric = directory.resolve("fabric");
        Ctl.run("topology", "generate", "--pgft", SHAPE, "--out", fabric);
        Path map = directory.resolve("map");
        Ctl.run("route", "--topology", fabric, "--node-map", map);
        List<String> before = Files.readAllLines(map);

        String words = command.replace("fabric", fabric.toString()) + " --node-map " + map + " --plane-map "
                + directory.resolve("here").resolve("..").resolve("map");
        Ctl refused = Ctl.run((Object[]) words.split(" "));

        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).singleElement().asString().endsWith(" are one file; expected two");
        assertThat(Files.readAllLines(map)).isEqualTo(before).hasSize(4);
    }
}
