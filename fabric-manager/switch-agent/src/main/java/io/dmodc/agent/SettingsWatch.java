package io.dmodc.agent;

import io.dmodc.agent.plane.MemoryPlane;
import io.dmodc.settings.Settings;
import io.dmodc.settings.SettingsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets an operator move cables by editing the settings file: a look every {@value #PERIOD_MILLIS} ms whether it changed;
 * only the plane's ports are taken again. A file that cannot be used is told once and changes nothing.
 */
final class SettingsWatch implements Runnable {
    static final long PERIOD_MILLIS = 200;

    private static final Logger LOG = LoggerFactory.getLogger(SettingsWatch.class);

    private final Path file;
    private final Map<String, String> overrides;
    private final MemoryPlane plane;
    private Stamp seen;

    private record Stamp(long modifiedMillis, long bytes) {}

    SettingsWatch(Path file, Map<String, String> overrides, MemoryPlane plane) {
        this.file = file;
        this.overrides = overrides;
        this.plane = plane;
        this.seen = stamp();
    }

    @Override
    public void run() {
        Stamp now = stamp();
        if (!now.equals(seen)) {
            seen = now;
            replug();
        }
    }

    private void replug() {
        try {
            Settings.read(file, AgentSettings.class, overrides).plug(plane).forEach(plane::tell);
        } catch (SettingsException e) {
            LOG.warn("cables stay as they are: {}", e.getMessage());
        }
    }

    private Stamp stamp() {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return new Stamp(attributes.lastModifiedTime().toMillis(), attributes.size());
        } catch (IOException e) {
            return new Stamp(-1, -1);
        }
    }
}
