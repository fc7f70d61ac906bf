package io.dmodc.keys;

import io.dmodc.topology.Guid;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Fills a directory for each switch and for the manager, below one directory. */
final class BundleWriter {
    private final Authority authority;
    private final String ringKey;
    private final Path below;
    private final Instant now;
    private final Duration valid;

    BundleWriter(KeyDirectory authority, Path below, Instant now, Duration valid) throws IOException {
        this.authority = authority.authority();
        this.ringKey = authority.ringKeyText();
        this.below = below;
        this.now = now;
        this.valid = valid;
    }

    /** Returns the directory. */
    Path writeSwitch(long guid) throws IOException {
        Path directory = below.resolve(Guid.format(guid));
        new KeyDirectory(directory).fill(authority.forSwitch(guid, now, valid), ringKey);
        return directory;
    }

    /** Returns the directory. */
    Path writeManager(List<String> names) throws IOException {
        Path directory = below.resolve("manager");
        new KeyDirectory(directory).fill(authority.forManager(names, now, valid), ringKey);
        return directory;
    }
}
