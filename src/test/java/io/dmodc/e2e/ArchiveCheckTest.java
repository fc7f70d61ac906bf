package io.dmodc.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The check that every build runs on the archive must find what is wrong with one. */
class ArchiveCheckTest {
    private static final Path SCRIPTS =
            Path.of("../../fabric-manager/dist/src/main/sh").toAbsolutePath().normalize();

    @TempDir
    private Path directory = Path.of("");

    private void file(String path, String text) throws Exception {
        Path file = directory.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private String run(int expected, String... command) throws Exception {
        Path out = directory.resolve("out");
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        int status = process.waitFor();
        String text = Files.readString(out);
        assertThat(status).as(text).isEqualTo(expected);
        return text;
    }

    @Test
    void shouldNameAllThatIsWrongWithAnArchive() throws Exception {
        file("fabric-manager/README.md", "[here](docs/a.md) [gone](docs/gone.md) [there](https://example.org/x)\n");
        file(
                "fabric-manager/docs/a.md",
                "[up](../README.md#top)\n```\n[code](in.fence)\n```\n![picture](images/no.png)\n");
        file("fabric-manager/lib/listed-1.0.jar", "");
        file("fabric-manager/lib/unlisted-2.0.jar", "");
        file("fabric-manager/lib/daemon-9.jar", "");
        file("fabric-manager/licenses/THIRD-PARTY.txt", "listed-1.0   WTFPL   https://example.org\n");
        file("fabric-manager/run-tests", "");
        run(0, "tar", "-czf", "a.tar.gz", "fabric-manager");

        String said = run(1, "bash", SCRIPTS.resolve("check-archive.sh").toString(), "a.tar.gz", "9");

        assertThat(said.lines().filter(line -> line.startsWith("a.tar.gz: ")))
                .contains(
                        "a.tar.gz: nothing is called LICENSE",
                        "a.tar.gz: nothing is called bin/fabric-manager",
                        "a.tar.gz: run-tests does not belong here",
                        "a.tar.gz: listed-1.0.jar: no text of WTFPL",
                        "a.tar.gz: unlisted-2.0.jar: no licence in licenses/THIRD-PARTY.txt",
                        "a.tar.gz: README.md:1: no docs/gone.md in the archive",
                        "a.tar.gz: docs/a.md:5: no images/no.png in the archive",
                        "a.tar.gz: bin/switch-agent does not start")
                .filteredOn(line -> line.contains("README.md") || line.contains("docs/a.md") || line.contains("daemon"))
                .hasSize(2);
    }

    @Test
    void shouldTurnDeadLinksIntoTextAndKeepTheOthers() throws Exception {
        file("docs/a.md", "See [`Main`](../src/Main.java), [b](b.md#x) and ![p](images/p.png).\n```\n[c](gone)\n```\n");
        file("paths", String.join("\n", List.of("docs", "docs/a.md", "docs/b.md")) + "\n");

        String text = run(
                0, "awk", "-v", "mode=text", "-f", SCRIPTS.resolve("links.awk").toString(), "paths", "docs/a.md");

        assertThat(text).isEqualTo("See `Main`, [b](b.md#x) and p.\n```\n[c](gone)\n```\n");
    }
}
