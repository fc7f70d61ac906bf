package io.dmodc.agent.linux;

import io.dmodc.agent.plane.PlaneException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps another agent with the same state directory from writing: two of one switch would take back what the other wrote. Held until it is closed, or the process
 * ends, however it does. From any thread.
 */
final class StateLock implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StateLock.class);

    private final @Nullable FileChannel channel;

    private StateLock(@Nullable FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Takes it. Where the directory cannot be written there is none, with a warning.
     *
     * @param directory made where it is missing; null: nobody is kept out
     * @throws PlaneException in one line, when somebody holds it
     */
    static StateLock of(@Nullable Path directory) throws PlaneException {
        if (directory == null) {
            return new StateLock(null);
        }
        Path file = directory.resolve("linux-table.lock");
        try {
            Files.createDirectories(directory.toAbsolutePath());
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (isTaken(channel)) {
                return new StateLock(channel);
            }
            channel.close();
        } catch (IOException e) {
            LOG.warn(
                    "{}: cannot be locked, so that a second agent of this switch would not be noticed: {}",
                    file,
                    e.toString());
            return new StateLock(null);
        }
        throw new PlaneException(file + " is locked: expected one agent with this state directory");
    }

    private static boolean isTaken(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false; // by this process
        }
    }

    @Override
    public void close() {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            LOG.debug("lock", e);
        }
    }
}
