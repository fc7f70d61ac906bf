package io.dmodc.ctl.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Graphviz itself makes of the graph; skipped on machines without it. */
class GraphvizTest {
    private static final Path DOT = Path.of("/usr/bin/dot");

    @TempDir
    Path directory;

    private String run(String format, ExportedFabric fabric, boolean hosts) throws IOException, InterruptedException {
        Path graph = Files.writeString(
                directory.resolve("fabric.dot"), Fabrics.text(out -> DotWriter.write(fabric, hosts, out)));
        Path drawn = directory.resolve("fabric." + format);
        Process dot = new ProcessBuilder(DOT.toString(), "-T" + format, "-o", drawn.toString(), graph.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(dot.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(dot.waitFor()).as(said).isZero();
        assertThat(said).isEmpty();
        return Files.readString(drawn);
    }

    @Test
    void shouldDrawWhateverTheNames() throws Exception {
        assumeTrue(Files.isExecutable(DOT), "Graphviz is not on this machine");
        SplittableRandom random = new SplittableRandom(5);
        for (int round = 0; round < 12; round++) {
            ExportedFabric fabric = Fabrics.of(Fabrics.any(random));

            String drawn = run("plain", fabric, true);

            assertThat(drawn.lines().filter(line -> line.startsWith("node ")).count())
                    .isEqualTo(fabric.view().switchCount() + fabric.view().nodeCount());
        }
    }

    @Test
    void shouldShowNamesAsTheyAre() throws Exception {
        assumeTrue(Files.isExecutable(DOT), "Graphviz is not on this machine");
        var fabric = Fabrics.whole("2;1,2;1,1;1,1");
        Fabrics.addHost(fabric, 0x02f0_0000_0000_0000L, 1, 5, "a\\N \"b\" <c> &lt; é");

        assertThat(run("svg", Fabrics.of(fabric), true)).contains(">a\\N &quot;b&quot; &lt;c&gt; &amp;lt; é<");
    }
}
