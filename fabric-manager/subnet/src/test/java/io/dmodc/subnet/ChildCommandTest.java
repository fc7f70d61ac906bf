package io.dmodc.subnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildCommandTest {
    private static final Duration SOON = Duration.ofMillis(500);

    @TempDir
    private Path directory = Path.of("");

    private static ChildCommand shell(String text, Duration timeout) {
        return new ChildCommand(List.of("sh", "-c", text), timeout);
    }

    @Test
    void shouldReturnAllThatIsPrinted() throws Exception {
        byte[] printed = shell(
                        "i=0; while [ $i -lt 20000 ]; do echo 0123456789; i=$((i+1)); done", Duration.ofSeconds(20))
                .run();

        assertThat(new String(printed, StandardCharsets.US_ASCII)).isEqualTo("0123456789\n".repeat(20000));
    }

    @Test
    void shouldTellTheFirstComplaint() {
        assertThatThrownBy(() -> shell("echo no umad >&2; echo more >&2; exit 3", Duration.ofSeconds(20))
                        .run())
                .isInstanceOf(CommandFailedException.class)
                .hasMessageEndingWith("exit code 3 (no umad)");
        assertThatThrownBy(() -> shell("echo ibwarn: [$$] mad_rpc: failed [7] >&2; exit 1", Duration.ofSeconds(20))
                        .run())
                .hasMessageEndingWith("exit code 1 (ibwarn: mad_rpc: failed [7])");
        assertThatThrownBy(() -> new ChildCommand("/no/such/program", SOON).run())
                .hasMessageStartingWith("'/no/such/program': cannot be started");
    }

    @Test
    void shouldTellWhatIsComplainedOfByOneThatEndsWell() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();

        assertThat(shell("echo a lost packet >&2; echo one; echo more >&2", Duration.ofSeconds(20))
                        .run(printed, 100, OutputStream.nullOutputStream()))
                .isEqualTo("a lost packet");
        assertThat(printed.toString(StandardCharsets.US_ASCII)).isEqualTo("one\n");
        assertThat(shell("echo one", Duration.ofSeconds(20)).run(printed, 100, OutputStream.nullOutputStream()))
                .isEmpty();
    }

    /** Whoever prints more complaints than are kept must not wait for a reader. */
    @Test
    void shouldThrowAwayComplaintsThatGoOn() throws Exception {
        byte[] printed = shell("head -c 1000000 /dev/zero >&2; echo done", Duration.ofSeconds(20))
                .run();

        assertThat(printed).hasSize(5);
    }

    /** Eight at a time may do so. */
    @Test
    void shouldNotKeepWhatIsPrintedWithoutEnd() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();

        assertThatThrownBy(() -> shell("yes", Duration.ofSeconds(20)).run())
                .isInstanceOf(CommandFailedException.class)
                .hasMessage("'sh -c yes': prints more than 1 MiB");
        assertThatThrownBy(() ->
                        shell("yes", Duration.ofSeconds(20)).run(printed, 3 << 20, OutputStream.nullOutputStream()))
                .hasMessageEndingWith("prints more than 3 MiB");
        assertThat(printed.size()).isLessThanOrEqualTo(3 << 20);
    }

    @Test
    void shouldKillWhatHangsWithAllItStarted() throws Exception {
        Path pid = directory.resolve("pid");

        assertThatThrownBy(() ->
                        shell("sleep 1000 & echo $! > " + pid + "; wait", SOON).run())
                .hasMessageContaining("no end within 500 ms");

        long child = Long.parseLong(Files.readString(pid).strip());
        assertThat(ProcessHandle.of(child).map(ProcessHandle::onExit).stream())
                .allSatisfy(end -> assertThat(end).succeedsWithin(Duration.ofSeconds(5)));
    }

    /** Asked only after a pause, it would have been late. */
    @Test
    void shouldReturnAsSoonAsItEnds() throws Exception {
        List<String> words = List.of("sh", "-c", "sleep 0.1; echo hello");

        byte[] printed = new ChildCommand(words, Duration.ofSeconds(20), Duration.ofSeconds(30)).run();

        assertThat(printed).hasSize(6);
    }

    /** A child of its own that lives on has the pipe. */
    @Test
    void shouldNotWaitForWhoKeepsThePipe() throws Exception {
        long begun = System.nanoTime();

        assertThat(shell("sleep 20 & echo hello", Duration.ofSeconds(15)).run()).hasSize(6);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
    }
}
