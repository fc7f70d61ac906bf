package io.dmodc.southbound.tls;

import io.dmodc.settings.FileStamp;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys that three files hold, read again when one of them changed. Files that cannot be used, such as a certificate
 * whose key is not there yet, change nothing: one warning, and the keys stay. Thread-safe.
 */
public final class TlsKeyReader implements Supplier<TlsKeys> {
    private static final Logger LOG = LoggerFactory.getLogger(TlsKeyReader.class);

    /** How often the files are looked at, at most. */
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final TlsFiles files;
    private final LongSupplier nanoTime;
    private List<FileStamp> stamps;
    private TlsKeys keys;
    private long lookedNanos;

    /**
     * Reads them for the first time.
     *
     * @throws IOException as {@link TlsKeys#read}
     */
    public TlsKeyReader(TlsFiles files, LongSupplier nanoTime) throws IOException {
        this.files = files;
        this.nanoTime = nanoTime;
        // Before the files are read: what is written meanwhile is read again.
        stamps = stamps();
        keys = TlsKeys.read(files);
        lookedNanos = nanoTime.getAsLong();
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
        if (seen.equals(stamps)) {
            return;
        }
        stamps = seen;
        try {
            keys = TlsKeys.read(files);
            LOG.info(
                    "keys read again: {}, until {}",
                    keys,
                    keys.own().getNotAfter().toInstant());
        } catch (IOException e) {
            LOG.warn("keys not read again, those in force stay: {}", e.getMessage());
        }
    }

    private List<FileStamp> stamps() {
        return Stream.of(files.certificate(), files.privateKey(), files.authority())
                .map(FileStamp::of)
                .toList();
    }
}
