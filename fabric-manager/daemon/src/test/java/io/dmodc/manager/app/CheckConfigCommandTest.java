package io.dmodc.manager.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.store.StateStore;
import io.dmodc.settings.cli.Program;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code fabric-manager check-config}: what a start would find, without one. */
class CheckConfigCommandTest {
    @TempDir
    private Path dir = Path.of("");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Path config = Path.of("");

    @BeforeEach
    void write() throws IOException {
        config = Files.writeString(dir.resolve("m.yaml"), """
                state-dir: %s/state
                southbound: {listen: '127.0.0.1:0', authentication: off}
                northbound: {listen: '127.0.0.1:0'}
                detector: {listen: '127.0.0.1:0', authentication: off}
                """.formatted(dir));
    }

    private int check(String... more) {
        String[] words = Stream.concat(Stream.of("check-config", "--config", config.toString()), Stream.of(more))
                .toArray(String[]::new);
        return Program.run(Main.root(), List.of(), new PrintWriter(out), new PrintWriter(err), words);
    }

    @Test
    void shouldSayOkAndMakeNothing() {
        assertThat(check()).as(err.toString()).isZero();

        assertThat(out.toString().strip()).isEqualTo("ok");
        assertThat(dir.resolve("state")).doesNotExist();
    }

    @Test
    void shouldNameEveryProblemInALine() throws IOException {
        Path roots = Files.writeString(dir.resolve("roots"), "nonsense\n");
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int code = check(
                    "--set", "northbound.listen=127.0.0.1:" + taken.getLocalPort(),
                    "--set", "southbound.authentication=certificate",
                    "--set", "southbound.keys.authority=" + dir.resolve("none"),
                    "--set", "southbound.keys.certificate=" + dir.resolve("no.pem"),
                    "--set", "detector.authentication=key",
                    "--set", "detector.key-file=" + dir.resolve("none"),
                    "--set", "detector.domains=" + dir.resolve("domains"),
                    "--set", "routing.engine=updn",
                    "--set", "routing.roots=" + roots,
                    "--set", "state-dir=" + roots);

            assertThat(code).isEqualTo(2);
        }

        String from = config + ": ";
        assertThat(err.toString().lines())
                .hasSize(6)
                .anyMatch(line -> line.startsWith(from + "northbound.listen: 127.0.0.1:"))
                .anyMatch(
                        line -> line.startsWith(from + "detector.key-file: " + dir.resolve("none") + ": no such file"))
                .contains(
                        from + "detector.domains: " + dir.resolve("domains") + ": cannot be read (no such file)",
                        from + "southbound.keys: " + dir.resolve("no.pem")
                                + ": no such file, expected a certificate; fabric-manager keys makes them",
                        from + "routing.roots: " + roots + ":1: 'nonsense'; expected the GUID of a root switch",
                        from + "state-dir: " + roots + " is a file; expected a directory");
    }

    @Test
    void shouldNameAUseOfSlowLinksThatIsNone() {
        assertThat(check("--set", "routing.slow-links=sometimes")).isEqualTo(2);

        assertThat(err.toString().strip())
                .endsWith("routing.slow-links: 'sometimes' is not one of ignore, avoid")
                .hasLineCount(1);
    }

    @Test
    void shouldReadWhatTheLastRunKept() throws IOException {
        Path state = dir.resolve("state");
        StateStore.open(state).close();
        assertThat(check()).as(err.toString()).isZero();
        Files.write(state.resolve("state.mv"), new byte[100]);

        assertThat(check()).isEqualTo(2);
        assertThat(err.toString())
                .contains("state-dir: ")
                .contains(state.resolve("state.mv").toString());
    }

    @Test
    void shouldLeaveWhatTheDaemonHasAloneWhenToldSo() throws IOException {
        try (StateStore running = StateStore.open(dir.resolve("state"))) {
            assertThat(check("--no-bind")).as(err.toString()).isZero();
            assertThat(check()).isEqualTo(2);
        }
        assertThat(err.toString()).contains("in use by another manager");
    }
}
