package io.dmodc.manager.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.settings.Settings;
import io.dmodc.subnet.OpenSmSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ShippedConfigTest {
    private static final Path SHIPPED = Path.of("../../conf/fabric-manager.yaml");

    @Test
    void shouldGiveTheDefaults() {
        ManagerConfig shipped = Settings.read(SHIPPED, ManagerConfig.class, Map.of());

        assertThat(shipped).isEqualTo(ManagerConfig.defaults());
    }

    @Test
    void shouldShowAllOfOpenSmInItsExample() throws IOException {
        Path example = Path.of("../../conf/examples/opensm/fabric-manager.yaml");
        OpenSmSettings opensm = Objects.requireNonNull(Settings.read(example, ManagerConfig.class, Map.of())
                .southbound()
                .opensm());
        List<String> keys = Files.readAllLines(example).stream()
                .filter(line -> line.matches("    [a-z0-9-]+:.*"))
                .map(line -> line.strip().split(":")[0])
                .toList();
        assertThat(keys)
                .isEqualTo(Settings.describe(OpenSmSettings.defaults())
                        .lines()
                        .map(line -> line.split(":")[0])
                        .toList());
        assertThat(opensm.readBack()).isEqualTo(OpenSmSettings.defaults().readBack());
        assertThat(opensm.hupCommand()).isEqualTo(OpenSmSettings.defaults().hupCommand());
    }

    /** Equality would hold for an empty file, too; so every key must really stand there, and in this order. */
    @Test
    void shouldShowEveryKeyWithItsValue() throws IOException {
        List<String> shown = Files.readAllLines(SHIPPED).stream()
                .filter(line -> !line.isBlank() && !line.strip().startsWith("#"))
                .toList();

        List<String> all = Settings.describe(ManagerConfig.defaults())
                .lines()
                .map(line -> line.replace("\"", ""))
                .toList();
        assertThat(shown).isEqualTo(all);
    }
}
