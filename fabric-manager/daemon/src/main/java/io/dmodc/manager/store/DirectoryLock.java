package io.dmodc.manager.store;

import io.dmodc.settings.Reasons;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;

/** Keeps every other manager, in this process or another, out of a state directory until it is closed. */
final class DirectoryLock implements AutoCloseable {
    /** The file that is locked; it says by which process. */
    static final String FILE = "lock";

    /** Of this process. Opening and closing the file a second time would let go of the operating system's lock. */
    private static final Set<Path> HELD = new HashSet<>();

    private final Path file;
    private final FileChannel channel;

    private DirectoryLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /**
     * Makes the directory where it is missing, and locks it.
     *
     * @throws IOException in one line when it cannot be made or written to, or another manager has it
     */
    static DirectoryLock of(Path directory) throws IOException {
        try {
            Files.createDirectories(directory);
        } catch (FileAlreadyExistsException e) {
            throw new IOException("state directory " + directory + " is a file", e);
        } catch (IOException e) {
            throw new IOException("state directory " + directory + " cannot be made: " + Reasons.of(e), e);
        }
        if (!Files.isWritable(directory)) {
            throw new IOException("state directory " + directory + " is not writable");
        }
        synchronized (HELD) {
            Path file = directory.toRealPath().resolve(FILE);
            if (HELD.contains(file)) {
                throw inUse(directory, Long.toString(ProcessHandle.current().pid()));
            }
            DirectoryLock lock = new DirectoryLock(file, lock(directory));
            HELD.add(file);
            return lock;
        }
    }

    /** The operating system lets go of it when the process ends, however it ends. */
    private static FileChannel lock(Path directory) throws IOException {
        Path file = directory.resolve(FILE);
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() != null) {
                channel.truncate(0);
                channel.write(
                        StandardCharsets.UTF_8.encode(ProcessHandle.current().pid() + "\n"));
                return channel;
            }
        } catch (IOException e) {
            channel.close();
            throw new IOException("state directory: " + file + " cannot be locked: " + Reasons.of(e), e);
        }
        channel.close();
        throw inUse(directory, Files.readString(file, StandardCharsets.UTF_8).strip());
    }

    private static IOException inUse(Path directory, String holder) {
        return new IOException("state directory " + directory + " is in use by another manager"
                + (holder.isEmpty() ? "" : " (process " + holder + ")"));
    }

    @Override
    public void close() throws IOException {
        synchronized (HELD) {
            HELD.remove(file);
            channel.close();
        }
    }
}
