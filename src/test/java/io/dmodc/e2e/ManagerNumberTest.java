package io.dmodc.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.state.LeaderEpochs;
import io.dmodc.manager.state.StateRecord.LeaderEpoch;
import io.dmodc.manager.store.StateStore;
import io.dmodc.southbound.SouthboundProtocol;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which manager it is, over restarts and from a release before managers had numbers. */
class ManagerNumberTest {
    @TempDir
    private Path directory;

    private record Seen(long leaderEpoch, long ringGuid) {}

    private Seen start(Map<String, String> settings) throws IOException {
        try (RunningManager manager = RunningManager.open(directory, Set.of(), settings)) {
            return new Seen(
                    manager.ask(FabricSnapshot::leaderEpoch),
                    manager.ringMember().member().guid());
        }
    }

    /** Leader epoch 57 was the 57th start of the release before; the next term is above it, and above all that carry a number. */
    @Test
    void shouldGoOnFromAStateDirectoryOfTheReleaseBefore() throws IOException {
        try (StateStore before = StateStore.open(RunningManager.state(directory))) {
            before.append(List.of(new LeaderEpoch(57)));
        }

        Seen first = start(Map.of());
        Seen second = start(Map.of());

        int number = Integer.parseInt(
                Files.readString(RunningManager.state(directory).resolve("manager-number"))
                        .split(" ")[0]);
        assertThat(number).isBetween(0, LeaderEpochs.NUMBERS - 1);
        assertThat(first).isEqualTo(new Seen(1024 + number, SouthboundProtocol.managerGuid(number)));
        assertThat(second).as("the same manager").isEqualTo(new Seen(2048 + number, first.ringGuid));
    }

    @Test
    void shouldTakeTheNumberOfTheSettingsWhateverWasDrawn() throws IOException {
        start(Map.of());

        Seen named = start(Map.of("manager.number", "1023"));

        assertThat(named).isEqualTo(new Seen(2048 + 1023, SouthboundProtocol.managerGuid(1023)));
    }
}
