package io.dmodc.manager.opensm;

import io.dmodc.settings.FileStamp;
import io.dmodc.settings.FreshFiles;
import io.dmodc.settings.Reasons;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that others read while it is written: whole at any moment, the old one or the new one, also after a power cut. What is
 * written stands beside it first ({@link FreshFiles}); nobody opens it by that name, a second manager
 * neither, so nobody has it open when it gets into its place. It may be {@linkplain #prepare prepared} there long before, so that only {@linkplain #change changes} are left to
 * be written. For one thread.
 */
final class DumpFile {
    private static final int CHUNK = 1 << 20;
    private static final Logger LOG = LoggerFactory.getLogger(DumpFile.class);

    /** Of a file that nobody has read since it was written. No file system sets it, nor takes it for one that is to be kept. */
    private static final FileTime UNREAD = FileTime.from(1, TimeUnit.DAYS);

    private final Path file;
    private final Path fresh;

    /** Of what was written, or seen to be the same. */
    private FileStamp stamp = FileStamp.NONE;

    /** Of what is prepared. */
    private FileStamp prepared = FileStamp.NONE;

    /** What a {@link #change} replaced, until {@link #freeReplaced}: a file goes with its last name or opening, and to free a large one takes milliseconds. */
    private @Nullable FileChannel replaced;

    DumpFile(Path file) {
        this(file, ProcessHandle.current().pid());
    }

    /** @param writer the process that writes */
    DumpFile(Path file, long writer) {
        this.file = file.toAbsolutePath();
        this.fresh = FreshFiles.beside(this.file, writer);
    }

    Path path() {
        return file;
    }

    /**
     * Puts these in the place of what is there.
     *
     * @throws IOException if that fails; what was there is there still
     */
    void write(Iterable<byte[]> parts) throws IOException {
        replace(() -> writeFresh(parts, () -> false, true));
    }

    /**
     * Writes these beside what is there, for {@link #change}. Does not wait for a disk: that is left to {@link #change}.
     *
     * @param enough asked again and again: true when something else comes first
     * @return false if that was so, and nothing is prepared
     * @throws IOException if that fails; then nothing is prepared
     */
    boolean prepare(Iterable<byte[]> parts, BooleanSupplier enough) throws IOException {
        try {
            boolean whole = writeFresh(parts, enough, false);
            if (whole) {
                prepared = FileStamp.of(fresh);
            } else {
                discard();
            }
            return whole;
        } catch (IOException e) {
            discard();
            throw e;
        }
    }

    /** True if what was prepared is there, and nobody has touched it. */
    boolean isPrepared() {
        return !prepared.equals(FileStamp.NONE) && FileStamp.of(fresh).equals(prepared);
    }

    /**
     * Puts what is prepared in the place of what is there, with these changes. Only while {@link #isPrepared}. What was there keeps its room until {@link #freeReplaced},
     * which is to follow when nobody waits any more.
     *
     * @throws IOException if that fails; what was there is there still, and nothing is prepared any more
     */
    void change(Iterable<FilePart> changes) throws IOException {
        replace(() -> {
            try (FileChannel out = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
                for (FilePart each : changes) {
                    ByteBuffer bytes = ByteBuffer.wrap(each.bytes());
                    for (long at = each.at(); bytes.hasRemaining(); ) {
                        at += out.write(bytes, at);
                    }
                }
                out.force(false);
            }
            freeReplaced();
            replaced = openedHere();
        });
    }

    private interface Writing {
        void run() throws IOException;
    }

    private void replace(Writing writing) throws IOException {
        prepared = FileStamp.NONE;
        try {
            writing.run();
            markUnread();
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            stamp = FileStamp.of(file);
        } catch (IOException e) {
            discard();
            throw e;
        }
        try {
            forceName();
        } catch (IOException e) {
            LOG.warn("{}: is written, and may be the one before after a power cut: {}", file, Reasons.of(e));
        }
    }

    private @Nullable FileChannel openedHere() {
        try {
            return Files.isRegularFile(file) ? FileChannel.open(file, StandardOpenOption.READ) : null;
        } catch (IOException e) {
            return null; // There is none, or it is freed when it is replaced.
        }
    }

    /** Gives back the room of what the last {@link #change} replaced. */
    void freeReplaced() {
        try (FileChannel old = replaced) {
            replaced = null;
        } catch (IOException e) {
            LOG.debug("{}: what was replaced could not be closed: {}", file, e.toString());
        }
    }

    private boolean writeFresh(Iterable<byte[]> parts, BooleanSupplier enough, boolean force) throws IOException {
        try (FileChannel out = FileChannel.open(
                fresh, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            boolean whole = writeAll(parts, enough, out);
            if (force) {
                out.force(false);
            }
            return whole;
        }
    }

    private void markUnread() {
        try {
            Files.getFileAttributeView(fresh, BasicFileAttributeView.class).setTimes(null, UNREAD, null);
        } catch (IOException e) {
            // Then it looks as if it had been read, and whoever relies on that reads back what came of it.
        }
    }

    /**
     * True if somebody has opened what was written and read of it, us or others; false also where the file system keeps no times of access.
     * Who has opened the file before it was replaced reads the one before, and that does not count.
     */
    boolean wasRead() {
        try {
            return !Files.readAttributes(file, BasicFileAttributes.class)
                    .lastAccessTime()
                    .equals(UNREAD);
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean writeAll(Iterable<byte[]> parts, BooleanSupplier enough, FileChannel out)
            throws IOException {
        ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK);
        for (byte[] part : parts) {
            if (enough.getAsBoolean()) {
                return false;
            }
            for (int from = 0; from < part.length; ) {
                int count = Math.min(part.length - from, chunk.remaining());
                chunk.put(part, from, count);
                from += count;
                if (!chunk.hasRemaining()) {
                    flush(chunk, out);
                }
            }
        }
        flush(chunk, out);
        return true;
    }

    private static void flush(ByteBuffer chunk, FileChannel out) throws IOException {
        chunk.flip();
        while (chunk.hasRemaining()) {
            out.write(chunk);
        }
        chunk.clear();
    }

    /** Takes away what is prepared, or what a write left behind that did not come to its end. */
    void discard() {
        prepared = FileStamp.NONE;
        freeReplaced();
        try {
            Files.deleteIfExists(fresh);
        } catch (IOException e) {
            // It is written over with the next try.
        }
    }

    /** Takes away the files that processes left that are no more. */
    void discardLeft() {
        try {
            FreshFiles.discardLeftFiles(file);
        } catch (IOException e) {
            LOG.debug("{}", e.toString());
        }
    }

    /** True if the file holds just these. */
    boolean holds(Iterable<byte[]> parts) {
        if (!Files.isRegularFile(file)) {
            return false; // To open a pipe may take for ever.
        }
        FileStamp read = FileStamp.of(file);
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), CHUNK)) {
            for (byte[] part : parts) {
                if (!Arrays.equals(in.readNBytes(part.length), part)) {
                    return false;
                }
            }
            if (in.read() >= 0) {
                return false;
            }
            stamp = read;
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** A directory is none: OpenSM cannot load it, and nothing can be put into its place. */
    boolean exists() {
        return Files.exists(file) && !isDirectory();
    }

    /** True if a directory stands in its place. */
    boolean isDirectory() {
        return Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS);
    }

    /** True if nobody has touched it since it was written, or seen to hold what it should. */
    boolean untouched() {
        return FileStamp.of(file).equals(stamp);
    }

    /** Takes the file away; nothing happens when there is none. A directory in its place is somebody else's, also an empty one. */
    void remove() throws IOException {
        if (isDirectory()) {
            throw new IOException("is a directory");
        }
        Files.deleteIfExists(file);
        forceName();
    }

    private void forceName() throws IOException {
        try (FileChannel directory = FileChannel.open(file.resolveSibling("."), StandardOpenOption.READ)) {
            directory.force(true);
        }
    }
}
