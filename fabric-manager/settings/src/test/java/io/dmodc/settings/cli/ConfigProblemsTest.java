package io.dmodc.settings.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.settings.HostPort;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What can be wrong with a setting although it is well formed. */
class ConfigProblemsTest {
    @TempDir
    private Path dir = Path.of("");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int print(ConfigProblems problems) {
        return problems.print("file", new PrintWriter(out, true), new PrintWriter(err, true));
    }

    @Test
    void shouldSayOkAndLeaveThePortsFree() throws IOException {
        HostPort any = new HostPort("127.0.0.1", freePort());
        for (int twice = 0; twice < 2; twice++) {
            try (ConfigProblems problems = new ConfigProblems(true)) {
                problems.listen("tcp", any);
                problems.receive("udp", any);
                problems.writable("here", dir);
                problems.writable("not yet", dir.resolve("a/b"));

                assertThat(print(problems)).as(err.toString()).isZero();
            }
        }

        assertThat(out.toString()).isEqualToIgnoringNewLines("ok\nok\n");
        assertThat(dir).isEmptyDirectory();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Test
    void shouldGiveEachProblemALine() throws IOException {
        Path file = Files.createFile(dir.resolve("file"));
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ConfigProblems problems = new ConfigProblems(true)) {
            problems.listen("taken", new HostPort("127.0.0.1", taken.getLocalPort()));
            problems.receive("elsewhere", new HostPort("192.0.2.1", 9));
            problems.resolve("unknown", new HostPort("no such host", 9));
            problems.writable("state-dir", file);
            problems.check("a.key", () -> {
                throw new IOException("a.key: not there");
            });

            assertThat(print(problems)).isEqualTo(2);
        }

        assertThat(err.toString().lines())
                .hasSize(5)
                .anyMatch(line -> line.matches("file: taken: 127\\.0\\.0\\.1:\\d+ cannot be listened on \\(.*in use.*"))
                .anyMatch(line -> line.startsWith("file: elsewhere: 192.0.2.1:9 cannot be listened on ("))
                .contains(
                        "file: unknown: host 'no such host' is unknown; expected a name or an address",
                        "file: state-dir: " + file + " is a file; expected a directory",
                        "file: a.key: not there");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void shouldNoticeTwoSettingsThatWantOnePort() throws IOException {
        HostPort one = new HostPort("127.0.0.1", freePort());
        try (ConfigProblems problems = new ConfigProblems(true)) {
            problems.listen("southbound.listen", one);
            problems.listen("northbound.listen", one);

            assertThat(print(problems)).isEqualTo(2);
        }

        assertThat(err.toString()).startsWith("file: northbound.listen: ").containsOnlyOnce("\n");
    }

    @Test
    void shouldLeavePortsAloneWhenTheProgramRuns() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ConfigProblems problems = new ConfigProblems(false)) {
            problems.listen("taken", new HostPort("127.0.0.1", taken.getLocalPort()));

            assertThat(print(problems)).isZero();
        }
    }
}
