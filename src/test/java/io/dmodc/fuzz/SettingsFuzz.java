package io.dmodc.fuzz;

import io.dmodc.agent.AgentSettings;
import io.dmodc.manager.config.ManagerConfig;
import io.dmodc.settings.Settings;
import io.dmodc.settings.SettingsException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** YAML of both programs' settings. */
public final class SettingsFuzz {
    private SettingsFuzz() {}

    static List<byte[]> seeds() {
        return List.of(
                "southbound: {listen: 0.0.0.0:7470, keep-alive: 2s}\nfabric:\n  allow: [0x10]\n"
                        .getBytes(StandardCharsets.UTF_8),
                "detector: {networks: [10.1.0.0/16], overlay: hypercube}\nrouting:\n  engine: updn\n  roots: r.txt\n"
                        .getBytes(StandardCharsets.UTF_8),
                "guid: 0x10\nmanager: '[::1]:7470'\nplane:\n  ports:\n  - {number: 1, switch: 0x2, port: 3}\n"
                        .getBytes(StandardCharsets.UTF_8));
    }

    public static void fuzzerTestOneInput(byte[] data) {
        String text = new String(data, StandardCharsets.UTF_8);
        read(text, ManagerConfig.class);
        read(text, AgentSettings.class);
    }

    private static <T extends Record> void read(String text, Class<T> type) {
        try {
            Settings.describe(Settings.parse(text, "f.yaml", type, Map.of()));
        } catch (SettingsException refused) {
            OneLine.require(refused, "f.yaml:");
        }
    }
}
