package io.dmodc.manager.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

    @Test
    void shouldRememberOverARestart() throws IOException {
        try (StateDirectory first = new StateDirectory(path)) {
            assertThat(first.knownBefore().inventory().switchCount()).isZero();
            first.remember(List.of(
                    "+switch 0x0000000000000001 4 leaf0",
                    "+switch 0x0000000000000002 4 spine with a name",
                    "+link 0x0000000000000001 3 0x0000000000000002 1",
                    "+host 0x0000000000000001 1 0x0000000000000011 0x0000000000000010 1 node0 HCA-1"));
        }
        try (StateDirectory next = new StateDirectory(path)) {
            var inventory = next.knownBefore().inventory();

            assertThat(inventory.switchCount()).isEqualTo(2);
            assertThat(inventory.linkCount()).isEqualTo(1);
            assertThat(inventory.hostCount()).isEqualTo(1);
            assertThat(inventory.nameOf(2)).isEqualTo("spine with a name");
        }
    }
}
