package io.dmodc.manager.store;

import io.dmodc.settings.Reasons;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.h2.mvstore.SingleFileStore;
import org.jspecify.annotations.Nullable;

/** Names of files that survive a power cut: a rename or a new file does only once its directory was forced to disk. */
final class DurableFiles {
    private DurableFiles() {}

    /**
     * Makes a file of these bytes, on disk when it returns.
     *
     * @throws IOException in one line that names it: of a full disk Java says no more than that it is full
     */
    static void write(Path file, byte[] bytes) throws IOException {
        try {
            Files.write(file, bytes);
            force(file);
        } catch (IOException e) {
            throw new IOException("state file " + file + " cannot be written: " + Reasons.of(e), e);
        }
    }

    /** Forces a file's bytes to disk. */
    static void force(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    /** Forces the names in the directory of this file to disk. */
    static void forceName(Path file, RecordFile.Opener disk) throws IOException {
        Path directory = Objects.requireNonNull(file.toAbsolutePath().getParent());
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            disk.force(directory, channel);
        }
    }

    /** Renames at once, over what is there; a power cut may undo it until {@link #forceName}. */
    static void move(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Renames at once, over what is there, for good; the bytes are on disk already. */
    static void rename(Path from, Path to) throws IOException {
        move(from, to);
        forceName(to, SingleFileStore::new);
    }

    /** What tells a file from any other, whatever its name; {@code null} where files have nothing like it. */
    static @Nullable Object identity(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    }
}
