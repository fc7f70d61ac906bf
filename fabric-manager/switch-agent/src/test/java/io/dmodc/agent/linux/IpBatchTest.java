package io.dmodc.agent.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The long-lived program: each failure belongs to a line. Nothing here needs a privilege. */
class IpBatchTest {
    private static final List<String> COMMAND = List.of("ip", "-force", "-batch", "-");

    @BeforeEach
    void find() {
        try {
            Namespaces.run("ip", "-V");
        } catch (IOException | AssertionError e) {
            assumeTrue(false, "there is no ip here: " + e.getMessage());
        }
    }

    @Test
    void shouldSayWhichLinesFailedInEachBatch() throws IOException {
        try (IpBatch batch = IpBatch.start(COMMAND)) {
            assertThat(batch.run("link show dev lo\nlink show dev none-such\nlink show dev lo\nnonsense\n", 4))
                    .hasSize(2)
                    .containsEntry(1, "Device \"none-such\" does not exist.")
                    .hasEntrySatisfying(3, why -> assertThat(why).contains("nonsense"));
            assertThat(batch.run("link show dev lo\n", 1)).isEmpty();
            assertThat(batch.run("nonsense\n", 1)).containsOnlyKeys(0);
            assertThat(batch.run("", 0)).isEmpty();
            assertThat(batch.isWornOut()).isFalse();
        }
    }

    @Test
    void shouldHearMoreFailuresThanAPipeHolds() throws IOException {
        try (IpBatch batch = IpBatch.start(COMMAND)) {
            assertThat(batch.run("link show dev none-such\n".repeat(IpBatch.LINES_MAX), IpBatch.LINES_MAX))
                    .hasSize(IpBatch.LINES_MAX);
            assertThat(batch.isWornOut()).isTrue();
        }
    }

    /** More than a pipe holds, to one that never reads. */
    @Test
    @Timeout(20)
    void shouldNotWaitForOneThatReadsNothing() throws IOException {
        try (IpBatch batch = IpBatch.start(List.of("sleep", "60"), TimeUnit.MILLISECONDS.toNanos(100))) {
            assertThatThrownBy(() -> batch.run("link show dev lo\n".repeat(IpBatch.LINES_MAX), IpBatch.LINES_MAX))
                    .isInstanceOf(IOException.class)
                    .hasMessage("ip takes no more commands: it ended with exit code 137");
        }
    }

    @Test
    void shouldSayThatItEnded() throws IOException {
        try (IpBatch batch = IpBatch.start(List.of("sh", "-c", "read -r line; echo broken; exit 3"))) {
            assertThatThrownBy(() -> batch.run("link show dev lo\n", 1))
                    .isInstanceOf(IOException.class)
                    .hasMessage("ip ended: broken");
        }
        assertThatThrownBy(() -> IpBatch.start(List.of("/no/such/ip"))).isInstanceOf(IOException.class);
    }

    /** Also if it ended before anything was written. */
    @Test
    @Timeout(20)
    void shouldSayWhyItTakesNothing() throws IOException {
        try (IpBatch batch = IpBatch.start(List.of("sh", "-c", "echo no room; exit 1"))) {
            while (batch.isAlive()) {
                Thread.onSpinWait();
            }

            assertThatThrownBy(() -> batch.run("link show dev lo\n", 1))
                    .isInstanceOf(IOException.class)
                    .hasMessage("ip takes no more commands: it ended with exit code 1: no room");
        }
    }
}
