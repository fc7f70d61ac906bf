package io.dmodc.manager.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The manager's state directory.
 *
 * <p>{@code node-map}: lines {@code guid index}. {@code levels}: lines {@code guid level} after a first line
 * {@code links N}. {@code leader-epoch}: one number, raised by each start and to outbid another manager. Each file is written to a temporary one,
 * forced to disk and renamed over the old. {@code inventory}: what has worked and which alarms are open, as a journal.
 * {@code lock}: held while a manager runs; it says which. One thread at a time.
 */
public final class StateDirectory implements AutoCloseable {
    private static final String NODE_MAP = "node-map";
    private static final String LEVELS = "levels";
    private static final String LEADER_EPOCH = "leader-epoch";
    private static final String INVENTORY = "inventory";

    /** Its name is known to who must not make it. */
    public static final String LOCK = "lock";

    private static final String LINKS = "links ";

    private final Path directory;
    private final FileChannel lock;
    private @Nullable EntryJournal inventory;

    /**
     * Opens the directory, makes it where it is missing, and keeps every other manager out until it is closed.
     *
     * @throws IOException in one line when it cannot be made or written to, or another manager has it
     */
    public StateDirectory(Path directory) throws IOException {
        this.directory = directory;
        try {
            Files.createDirectories(directory);
        } catch (FileAlreadyExistsException e) {
            throw new IOException("state directory " + directory + " is a file", e);
        } catch (IOException e) {
            throw new IOException("state directory " + directory + " cannot be made: " + StateFile.reason(e), e);
        }
        if (!Files.isWritable(directory)) {
            throw new IOException("state directory " + directory + " is not writable");
        }
        lock = lock(directory.resolve(LOCK));
    }

    /** The operating system lets go of it when the process ends, however it ends. */
    private static FileChannel lock(Path file) throws IOException {
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() != null) {
                channel.truncate(0);
                channel.write(
                        StandardCharsets.UTF_8.encode(ProcessHandle.current().pid() + "\n"));
                return channel;
            }
        } catch (OverlappingFileLockException e) {
            // Held by this very process: told below like any other.
        } catch (IOException e) {
            channel.close();
            throw new IOException("state directory: " + file + " cannot be locked: " + StateFile.reason(e), e);
        }
        channel.close();
        String holder = Files.readString(file, StandardCharsets.UTF_8).strip();
        throw new IOException("state directory " + file.getParent() + " is in use by another manager"
                + (holder.isEmpty() ? "" : " (process " + holder + ")"));
    }

    /**
     * Raises the leader epoch: this run's is higher than that of every run before.
     *
     * @throws IllegalArgumentException in one line when the file is damaged
     */
    public long nextLeaderEpoch() throws IOException {
        List<String> lines = lines(LEADER_EPOCH);
        long last = 0;
        if (!lines.isEmpty()) {
            if (!lines.get(0).matches("\\d{1,10}")) {
                throw new IllegalArgumentException(
                        directory.resolve(LEADER_EPOCH) + ":1: '" + lines.get(0) + "'; expected a number");
            }
            last = Long.parseLong(lines.get(0));
        }
        StateFile.replace(directory.resolve(LEADER_EPOCH), List.of(Long.toString(last + 1)));
        return last + 1;
    }

    private List<String> lines(String name) throws IOException {
        Path file = directory.resolve(name);
        try {
            return Files.exists(file) ? Files.readAllLines(file, StandardCharsets.UTF_8) : List.of();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(file + ": not UTF-8 text; expected what a manager wrote there", e);
        }
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
