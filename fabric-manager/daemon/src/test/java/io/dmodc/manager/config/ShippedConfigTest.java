package io.dmodc.manager.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShippedConfigTest {
    private static final Path SHIPPED = Path.of("../../conf/fabric-manager.yaml");

    @Test
    void shouldGiveTheDefaults() {
        ManagerConfig shipped = Settings.read(SHIPPED, ManagerConfig.class, Map.of());

        assertThat(shipped).isEqualTo(ManagerConfig.defaults());
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
