package io.dmodc.agent.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.agent.plane.PlaneException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One at a time in a state directory. */
class StateLockTest {
    @TempDir
    private Path dir;

    @Test
    void shouldLockTheDirectoryThatASymbolicLinkLeadsTo() throws Exception {
        Path link = Files.createSymbolicLink(dir.resolve("link"), Files.createDirectory(dir.resolve("state")));

        StateLock first = StateLock.of(link);
        assertThatThrownBy(() -> StateLock.of(dir.resolve("state")))
                .isInstanceOf(PlaneException.class)
                .hasMessageContaining("linux-table.lock is locked: ");
        first.close();
        StateLock.of(link).close();
    }

    @Test
    void shouldMakeNothingWhereNoAgentEverWas() throws Exception {
        StateLock.ofExisting(dir.resolve("state")).close();
        StateLock.ofExisting(dir).close();
        StateLock.ofExisting(null).close();

        assertThat(dir).isEmptyDirectory();
    }

    /** Then an agent may run, for all that is known. */
    @Test
    void shouldKeepOutWhoCannotLockWhatThereIs() throws Exception {
        Files.createDirectory(dir.resolve("linux-table.lock"));

        assertThatThrownBy(() -> StateLock.ofExisting(dir))
                .isInstanceOf(PlaneException.class)
                .hasMessageContaining("linux-table.lock: cannot be locked: ");
    }

    @Test
    void shouldKeepOutWhoTakesAwayWhileAnAgentRuns() throws PlaneException {
        Path state = dir.resolve("new/state");
        StateLock agent = StateLock.of(state);
        assertThatThrownBy(() -> StateLock.ofExisting(state))
                .isInstanceOf(PlaneException.class)
                .hasMessageContaining("linux-table.lock is locked: ");
        agent.close();

        StateLock taking = StateLock.ofExisting(state);
        assertThatThrownBy(() -> StateLock.of(state)).isInstanceOf(PlaneException.class);
        taking.close();
    }
}
