package io.dmodc.detector.net;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ring's key as a file holds it, which is read again each time somebody asks: it is small, and what it holds tells
 * better than any date whether it changed. A file that cannot be used, such as one that is being written, changes nothing:
 * a warning, once for each thing that is wrong with it, and the key stays. Thread-safe; not for an event loop.
 */
public final class RingKeyFile implements Supplier<RingKey> {
    private static final Logger log = LoggerFactory.getLogger(RingKeyFile.class);

    private final Path file;
    private RingKey key;
    /** What was wrong at the last look. */
    private @Nullable String wrong;

    private RingKeyFile(Path file, RingKey key) {
        this.file = file;
        this.key = key;
    }

    /**
     * Reads it for the first time.
     *
     * @throws IOException in one line that names the file, as {@link RingKey#read}
     */
    public static RingKeyFile open(Path file) throws IOException {
        return new RingKeyFile(file, RingKey.read(file));
    }

    /** The newest key that could be used: the same object as before while it has not changed. */
    @Override
    public synchronized RingKey get() {
        try {
            take(RingKey.read(file));
            wrong = null;
        } catch (IOException | RuntimeException e) {
            String why = e instanceof IOException ? String.valueOf(e.getMessage()) : file + ": " + e;
            if (!why.equals(wrong)) {
                log.warn("ring key not read again, the one in force stays: {}", why);
            }
            wrong = why;
        }
        return key;
    }

    private void take(RingKey fresh) {
        if (!fresh.equals(key)) {
            key = fresh;
            log.info("{}: read again: {}", file, fresh);
        }
    }
}
