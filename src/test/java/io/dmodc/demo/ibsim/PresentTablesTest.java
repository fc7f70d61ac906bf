package io.dmodc.demo.ibsim;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.ctl.Main;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code fabricctl report --opensm} reads a subnet of ibsim that a real opensm routes; skipped where Debian's packages are missing. */
class PresentTablesTest {
    private static final String PGFT = "3;2,2,3;1,2,2;1,2,1";

    @TempDir
    private Path directory = Path.of("");

    private void report(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "report"));
        command.addAll(List.of(words));
        Path said = directory.resolve("report.said");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        assertThat(process.waitFor()).as(Files.readString(said)).isZero();
    }

    private Path printed(String command, String file) throws IOException, InterruptedException {
        Path printed = directory.resolve(file);
        Process process = new ProcessBuilder(command.split(" "))
                .redirectOutput(printed.toFile())
                .start();
        assertThat(process.waitFor()).isZero();
        return printed;
    }

    /** {@code dump_fts} finds its way on its own. */
    @Test
    void shouldSayTheSameAsOfWhatDumpFtsPrints() throws IOException, InterruptedException, IbsimFailure {
        try (SimulatedSubnet subnet = subnet()) {
            String discovery = subnet.command("ibnetdiscover", "");
            String readBack = subnet.command("ibroute", "-n -D {path}");
            Path fabric = printed(discovery, "fabric.txt");
            Path tables = printed(subnet.command("dump_fts", ""), "tables.txt");
            Path config =
                    Files.writeString(directory.resolve("fabric-manager.yaml"), """
                    southbound:
                      opensm:
                        discovery: %s
                        read-back: '%s'
                        parallel: 4
                    """.formatted(discovery, readBack));
            String logBefore = Files.readString(subnet.log());

            report("--opensm", config.toString(), "--out", directory.resolve("live.html") + "");

            assertThat(Files.readString(subnet.log())).isEqualTo(logBefore);
            assertThat(subnet.dump()).doesNotExist();
            report(
                    "--topology",
                    fabric.toString(),
                    "--lft",
                    tables.toString(),
                    "--out",
                    directory.resolve("files.html") + "");
            String live = Files.readString(directory.resolve("live.html"));
            assertThat(live).contains("Present tables are valid");
            assertThat(live.replace(discovery, fabric.toString())
                            .replace(readBack, tables.toString())
                            .replace("ibnetdiscover", "fabric.txt"))
                    .isEqualTo(
                            Files.readString(directory.resolve("files.html")).replace("ibnetdiscover", "fabric.txt"));
        }
    }

    private SimulatedSubnet subnet() throws IOException, InterruptedException, IbsimFailure {
        try {
            return SimulatedSubnet.start(
                    PgftGenerator.generate(PgftShape.parse(PGFT)).build(0, new NodeIndexMap(), new GuidNumbers()),
                    directory);
        } catch (IbsimFailure e) {
            Assumptions.assumeFalse(String.valueOf(e.getMessage()).startsWith("the program "), e.getMessage());
            throw e;
        }
    }
}
