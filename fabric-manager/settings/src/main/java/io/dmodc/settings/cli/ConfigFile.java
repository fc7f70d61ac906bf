package io.dmodc.settings.cli;

import io.dmodc.settings.Settings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** The options that name a program's settings. */
public final class ConfigFile {
    @Option(names = "--config", required = true, paramLabel = "F", description = "settings, as in conf/")
    private Path file = Path.of("");

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "overrides one setting, as northbound.listen=127.0.0.1:8080; may be repeated")
    private List<String> sets = List.of();

    /** The file. */
    public Path path() {
        return file;
    }

    /** What {@code --set} said, by key. */
    public Map<String, String> overrides() {
        return Settings.overrides(sets);
    }

    /**
     * Reads the settings in force.
     *
     * @throws io.dmodc.settings.SettingsException in one line
     */
    public <T extends Record> T read(Class<T> type) {
        return Settings.read(file, type, overrides());
    }
}
