package io.dmodc.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** {@code switch-agent check-config}: what a start would find, without one. */
class CheckConfigCommandTest {
    @TempDir
    private Path dir = Path.of("");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int check(String yaml, String... more) throws IOException {
        Path config = Files.writeString(dir.resolve("agent.yaml"), yaml);
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return line.execute(Stream.concat(Stream.of("check-config", "--config", config.toString()), Stream.of(more))
                .toArray(String[]::new));
    }

    @Test
    void shouldSayOk() throws IOException {
        int code = check(
                "{guid: 0x1, authentication: off, manager: '127.0.0.1:7470', detector: {listen: '127.0.0.1:0', authentication: off}}");

        assertThat(code).as(err.toString()).isZero();
        assertThat(out.toString().strip()).isEqualTo("ok");
    }

    @Test
    void shouldNameEveryProblemInALine() throws IOException {
        int code = check(
                "{detector: {listen: '192.0.2.1:9'}}",
                "--set",
                "manager=no such host:1",
                "--set",
                "detector.key-file=" + dir.resolve("none"),
                "--set",
                "keys.certificate=" + dir.resolve("no.pem"));

        assertThat(code).isEqualTo(2);
        String from = dir.resolve("agent.yaml") + ": ";
        assertThat(err.toString().lines())
                .hasSize(5)
                .contains(from + "manager: host 'no such host' is unknown; expected a name or an address")
                .contains(from + "guid: missing; expected the GUID of the switch, as 0x…")
                .anyMatch(line -> line.startsWith(from + "detector.listen: 192.0.2.1:9 cannot be listened on ("))
                .contains(from + "keys: " + dir.resolve("no.pem")
                        + ": no such file, expected a certificate; fabric-manager keys makes them")
                .anyMatch(line -> line.startsWith(from + "detector.key-file: " + dir.resolve("none")));
    }

    @Test
    void shouldNameAProgramThatIsNotThere() throws IOException {
        String settings =
                "{guid: 0x1, authentication: off, manager: '127.0.0.1:7470', detector: {enabled: false}, plane: {kind:"
                        + " exec, command: [%s]}}";

        assertThat(check(settings.formatted("sh"))).as(err.toString()).isZero();
        assertThat(check(settings.formatted("/no/such/program"))).isEqualTo(2);
        assertThat(err.toString().strip())
                .isEqualTo(dir.resolve("agent.yaml")
                        + ": plane.command: /no/such/program: no program that this user may run");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        megabits: 0               | plane.ports[0].megabits: 0 is outside 1..100000000
        megabits: fast            | plane.ports[0].megabits: 'fast'
        lanes: 4                  | plane.ports[0].megabits: missing beside lanes; expected what all lanes carry
        megabits: 9, lanes: 256   | plane.ports[0].lanes: 256 is outside 1..255
        """)
    void shouldNameARateThatNoLinkHas(String rate, String problem) throws IOException {
        String settings = "{guid: 0x1, authentication: off, detector: {enabled: false},"
                + " plane: {port-count: 4, ports: [{number: 1, switch: 0x2, port: 1, " + rate + "}]}}";

        assertThat(check(settings)).isEqualTo(2);
        assertThat(err.toString().strip().lines()).singleElement().asString().contains(problem);
    }

    @Test
    void shouldTakeTheOldNameOfPrintConfig() {
        assertThat(Main.run("run", "--print-settings", "--config", "../../conf/switch-agent.yaml"))
                .isZero();
        assertThat(Main.run("run", "--print-config", "--config", "../../conf/switch-agent.yaml"))
                .isZero();
    }

    @Test
    void shouldReadTheExampleOfALinuxSwitch() {
        assertThat(Main.run("run", "--print-config", "--config", "../../conf/examples/linux-switch/switch-agent.yaml"))
                .isZero();
    }
}
