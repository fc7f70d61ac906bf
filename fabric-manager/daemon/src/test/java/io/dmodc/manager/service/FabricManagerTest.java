package io.dmodc.manager.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.manager.config.ManagerConfig;
import io.dmodc.manager.state.LeaderEpochs;
import io.dmodc.manager.state.StateRecord.LeaderEpoch;
import io.dmodc.manager.store.StateStore;
import io.dmodc.settings.Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FabricManagerTest {
    private static final String SETTINGS = """
            southbound: {listen: '127.0.0.1:0', authentication: off}
            northbound: {listen: '127.0.0.1:0'}
            detector: {enabled: false}
            manager: {number: 7}
            """;

    @TempDir
    Path directory;

    private Path state() {
        return directory.resolve("state");
    }

    private ManagerConfig settings(Map<String, String> overrides) throws IOException {
        Path file = Files.writeString(directory.resolve("fabric-manager.yaml"), SETTINGS);
        Map<String, String> all = new HashMap<>(overrides);
        all.put("state-dir", state().toString());
        return Settings.read(file, ManagerConfig.class, all);
    }

    /** A unit starts it again once a second, for as long as somebody else has the address. */
    @ParameterizedTest
    @ValueSource(strings = {"southbound.listen", "northbound.listen"})
    void shouldSpendNoTermOnAStartThatDoesNotGetItsAddress(String address) throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ManagerConfig settings = settings(Map.of(address, "127.0.0.1:" + taken.getLocalPort()));

            assertThatThrownBy(() -> new FabricManager(settings, Set.of()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(address);
        }

        assertThat(Objects.requireNonNull(StateStore.read(state())).leaderEpoch())
                .isZero();
    }

    /** What it would keep is refused by the start after it. */
    @Test
    void shouldNotStartInTheLastTerm() throws IOException {
        LeaderEpoch last = new LeaderEpoch(LeaderEpochs.LAST_OUTBID);
        try (StateStore store = StateStore.open(state())) {
            store.append(List.of(last));
        }

        assertThatThrownBy(() -> new FabricManager(settings(Map.of()), Set.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("state directory " + state()
                        + ": leader epoch 2147482623 leaves none for another start; expected below 2147481600");
        assertThat(Objects.requireNonNull(StateStore.read(state())).leaderEpoch())
                .isEqualTo(last.epoch());
    }
}
