package io.dmodc.manager.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateDirectoryTest {
    @TempDir
    Path path;

    @Test
    void shouldKeepASecondManagerOutBeforeItChangesAnything() throws IOException {
        try (StateDirectory first = new StateDirectory(path)) {
            long epoch = first.nextLeaderEpoch();

            assertThatThrownBy(() -> new StateDirectory(path))
                    .isInstanceOf(IOException.class)
                    .hasMessage("state directory " + path + " is in use by another manager (process "
                            + ProcessHandle.current().pid() + ")");
            assertThat(Files.readString(path.resolve("leader-epoch")).strip()).isEqualTo(Long.toString(epoch));
        }
        try (StateDirectory next = new StateDirectory(path)) {
            assertThat(next.nextLeaderEpoch()).isEqualTo(2);
        }
    }
}
