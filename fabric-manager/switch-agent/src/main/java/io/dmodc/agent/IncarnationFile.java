package io.dmodc.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers the incarnation of an agent across its starts: one decimal number in a file, replaced as a whole.
 *
 * <p>The next one is above the stored one and not below the number the caller derives from the time, so that a lost file
 * does not make an agent older than its own rumours. Nor does one that cannot be read or stored, as on a full disk, keep an agent from its switch: it
 * begins by the time alone, with a warning, and where that is too low the ring raises it.
 */
final class IncarnationFile {
    /** The detector needs one number above the highest. */
    static final long MAX = 0xffff_fffeL;

    private static final long UNSIGNED_MAX = 0xffff_ffffL;

    private static final Logger LOG = LoggerFactory.getLogger(IncarnationFile.class);

    private final Path file;

    IncarnationFile(Path stateDir) {
        file = stateDir.resolve("incarnation");
    }

    /**
     * Takes the incarnation of a new start and stores it before it is used.
     *
     * @param fromTime lower bound, unsigned
     * @throws UncheckedIOException in one line, when there is no higher one
     */
    int next(int fromTime) {
        long next = Math.max(stored() + 1, Integer.toUnsignedLong(fromTime));
        if (next >= MAX) {
            throw new UncheckedIOException(new IOException(file + ": no incarnation is left above " + (next - 1)
                    + "; expected one below " + (MAX - 1) + ", or no file: it begins by the time then"));
        }
        store((int) next);
        return (int) next;
    }

    /** Returns 0 where there is none, or none that can be read. */
    private long stored() {
        try {
            if (!Files.exists(file)) {
                return 0;
            }
            String text = Files.readString(file, StandardCharsets.US_ASCII).strip();
            long number = text.matches("\\d{1,10}") ? Long.parseLong(text) : Long.MAX_VALUE;
            if (number > UNSIGNED_MAX) {
                throw new IOException("'" + text.substring(0, Math.min(40, text.length())) + "' is not an incarnation");
            }
            return number;
        } catch (IOException e) {
            LOG.warn("{}: the last incarnation is not known, the next is by the time: {}", file, e.toString());
            return 0;
        }
    }

    /** Stores the number of a new start, or one that the ring raised; after a crash the file holds the old one or the new one. */
    void store(int incarnation) {
        Path fresh = file.resolveSibling("incarnation.new");
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            byte[] text = (Integer.toUnsignedString(incarnation) + "\n").getBytes(StandardCharsets.US_ASCII);
            try (FileChannel out = FileChannel.open(
                    fresh, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
                out.write(ByteBuffer.wrap(text));
                out.force(true);
            }
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            LOG.warn(
                    "{}: incarnation {} is not remembered: {}",
                    file,
                    Integer.toUnsignedString(incarnation),
                    e.toString());
        }
    }
}
