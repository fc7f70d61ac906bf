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
 * Keeps another agent with the same state directory from writing: two of one switch would take back what the other wrote; and whoever takes its routes away from
 * beginning while it runs. Held until it is closed, or the process ends, however it does. From any thread.
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
        return directory == null ? new StateLock(null) : take(directory, true);
    }

    /**
     * The same, but makes nothing, which would belong to the caller and not to the agent: where none ever locked it, none does.
     *
     * @throws PlaneException in one line, when somebody holds it, or it cannot be known whether somebody does
     */
    static StateLock ofExisting(@Nullable Path directory) throws PlaneException {
        return directory == null || Files.notExists(file(directory)) ? new StateLock(null) : take(directory, false);
    }

    private static Path file(Path directory) {
        return directory.resolve("linux-table.lock");
    }

    private static StateLock take(Path directory, boolean make) throws PlaneException {
        Path file = file(directory);
        try {
            if (make) {
                Files.createDirectories(directory.toAbsolutePath());
            }
            FileChannel channel = make
                    ? FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)
                    : FileChannel.open(file, StandardOpenOption.WRITE);
            if (isTaken(channel)) {
                return new StateLock(channel);
            }
            channel.close();
        } catch (IOException e) {
            if (!make) {
                throw new PlaneException(file + ": cannot be locked: " + e + "; expected the rights of the agent");
            }
            LOG.warn(
                    "{}: cannot be locked, so that another agent of this switch would not be noticed: {}",
                    file,
                    e.toString());
            return new StateLock(null);
        }
        throw new PlaneException(file + " is locked: expected no other agent that runs with this state directory");
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
