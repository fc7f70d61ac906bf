package io.dmodc.detector.net;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
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

    /** Of a file that was looked at so often and stayed the same is not read again: it may have changed once more in the tick of its clock. */
    private static final int READS_OF_SAME = 2;

    private final Path file;
    private RingKey key;
    /** When what was read last changed, and which file it is. */
    private Map<String, Object> marks = Map.of();

    private int readsOfSame;
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
            if (mayHaveChanged()) {
                take(RingKey.read(file));
            }
            wrong = null;
        } catch (IOException | RuntimeException e) {
            String why = e instanceof IOException ? String.valueOf(e.getMessage()) : file + ": " + e;
            if (!why.equals(wrong)) {
                log.warn("ring key not read again, the one in force stays: {}", why);
            }
            wrong = why;
            readsOfSame = 0;
        }
        return key;
    }

    /** One question to the kernel, instead of the dozen that a secret file costs. */
    private boolean mayHaveChanged() {
        try {
            Map<String, Object> now = Files.readAttributes(file, "unix:ctime,ino,dev");
            readsOfSame = now.equals(marks) ? readsOfSame + 1 : 1;
            marks = now;
            return readsOfSame <= READS_OF_SAME;
        } catch (IOException | UnsupportedOperationException e) {
            return true; // whoever reads it says what is wrong
        }
    }

    private void take(RingKey fresh) {
        if (!fresh.equals(key)) {
            key = fresh;
            log.info("{}: read again: {}", file, fresh);
        }
    }
}
