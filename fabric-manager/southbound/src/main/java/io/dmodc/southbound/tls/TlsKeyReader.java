package io.dmodc.southbound.tls;

import io.dmodc.settings.FileStamp;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys that three files hold, read again when one of them changed. Files that cannot be used, such as a certificate
 * whose key is not there yet, change nothing: a warning, and the keys stay. They are then read at each look until they can,
 * and told of when something else is wrong with them. Thread-safe.
 */
public final class TlsKeyReader implements Supplier<TlsKeys> {
    private static final Logger LOG = LoggerFactory.getLogger(TlsKeyReader.class);

    /** How often the files are looked at, at most. */
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final TlsFiles files;
    private final TlsKeyUse use;
    private final LongSupplier nanoTime;
    private final InstantSource clock;

    /** Of the files that {@code keys} are from. */
    private List<FileStamp> stamps;

    private TlsKeys keys;
    private long lookedNanos;
    /** What was wrong at the last look. */
    private @Nullable String wrong;

    /**
     * Reads them for the first time. Dates are only warned of: the clock of a switch may be set later than its agent starts,
     * and no side believes a certificate that is not valid.
     *
     * @param use what the keys must be good for
     * @throws IOException in one line that names the file, as {@link TlsKeys#read}, and when it is not good for its use
     */
    public TlsKeyReader(TlsFiles files, TlsKeyUse use, LongSupplier nanoTime, InstantSource clock) throws IOException {
        this.files = files;
        this.use = use;
        this.nanoTime = nanoTime;
        this.clock = clock;
        // Before the files are read: what is written meanwhile is read again.
        stamps = stamps();
        keys = read();
        lookedNanos = nanoTime.getAsLong();
        try {
            use.checkDates(files, keys, clock.instant());
        } catch (IOException e) {
            LOG.warn("keys are of no use now: {}", e.getMessage());
        }
    }

    /** The newest keys that could be used; reads files at most once in a second. */
    @Override
    public synchronized TlsKeys get() {
        long now = nanoTime.getAsLong();
        if (now - lookedNanos >= LOOK_NANOS) {
            lookedNanos = now;
            look();
        }
        return keys;
    }

    private void look() {
        List<FileStamp> seen = stamps();
        if (seen.equals(stamps) && wrong == null) {
            return;
        }
        try {
            TlsKeys fresh = read();
            use.checkDates(files, fresh, clock.instant());
            keys = fresh;
            stamps = seen;
            wrong = null;
            LOG.info(
                    "keys read again: {}, until {}",
                    keys,
                    keys.own().getNotAfter().toInstant());
        } catch (IOException | RuntimeException e) {
            String why = e instanceof IOException ? String.valueOf(e.getMessage()) : e.toString();
            if (!why.equals(wrong)) {
                LOG.warn("keys not read again, those in force stay: {}", why);
            }
            wrong = why;
        }
    }

    private TlsKeys read() throws IOException {
        TlsKeys read = TlsKeys.read(files);
        use.check(files, read);
        return read;
    }

    private List<FileStamp> stamps() {
        return Stream.of(files.certificate(), files.privateKey(), files.authority())
                .map(FileStamp::of)
                .toList();
    }
}
