package io.dmodc.manager.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.config.ManagerConfig;
import io.dmodc.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReloadTest {
    @TempDir
    Path directory;

    private ManagerConfig inForce;

    @BeforeEach
    void read() throws IOException {
        inForce = with(Map.of());
    }

    private ManagerConfig with(Map<String, String> overrides) throws IOException {
        Path file = Files.writeString(directory.resolve("fabric-manager.yaml"), "state-dir: /tmp/state\n");
        return Settings.read(file, ManagerConfig.class, overrides);
    }

    @Test
    void shouldSayThatNothingChanged() throws IOException {
        assertThat(Reload.of(inForce, inForce, with(Map.of())).text())
                .isEqualTo("settings read again: nothing changed");
    }

    @Test
    void shouldTellWhatCountsAtOnceFromWhatWaitsForARestart() throws IOException {
        ManagerConfig fresh = with(Map.of(
                "push.tries",
                "7",
                "links.hold-down",
                "3s",
                "northbound.listen",
                "127.0.0.1:1",
                "routing.threads",
                "9"));

        Reload reload = Reload.of(inForce, inForce, fresh);

        assertThat(reload.taken()).containsExactlyInAnyOrder("push.tries", "links.hold-down");
        assertThat(reload.waiting()).containsExactlyInAnyOrder("northbound.listen", "routing.threads");
        assertThat(reload.text())
                .startsWith("settings read again: ")
                .contains(" changed; needs a restart: ")
                .endsWith("routing.threads");
    }

    @Test
    void shouldTellOfASettingThatIsTakenBack() throws IOException {
        ManagerConfig changed = with(Map.of("push.tries", "7", "routing.threads", "9"));

        Reload back = Reload.of(inForce, changed, with(Map.of()));

        assertThat(back.text()).isEqualTo("settings read again: push.tries changed");
    }

    @Test
    void shouldKnowOfEverySettingTheCoreWorksWithWhetherItCountsAtOnce() throws IOException {
        ManagerConfig fresh = with(Map.ofEntries(
                Map.entry("push.ack-timeout", "2s"),
                Map.entry("routing.settle", "5ms"),
                Map.entry("routing.rebalance", "off"),
                Map.entry("routing.rebalance-blocks", "9"),
                Map.entry("routing.slow-links", "avoid"),
                Map.entry("discovery.quiet", "3s"),
                Map.entry("discovery.timeout", "99s"),
                Map.entry("detector.membership-quiet", "2s"),
                Map.entry("detector.ring-seed", "99"),
                Map.entry("links.hold-down-max", "99s"),
                Map.entry("links.flap-memory", "99s")));

        assertThat(Reload.of(inForce, inForce, fresh).waiting()).isEmpty();
        assertThat(Reload.of(inForce, inForce, fresh).taken()).hasSize(11);
    }
}
