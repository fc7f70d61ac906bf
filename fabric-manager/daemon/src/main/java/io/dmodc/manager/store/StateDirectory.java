package io.dmodc.manager.store;

import io.dmodc.manager.core.KnownBefore;
import io.dmodc.manager.core.LearntLevels;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The manager's state directory.
 *
 * <p>{@code node-map}: lines {@code guid index}. {@code levels}: lines {@code guid level} after a first line
 * {@code links N}. {@code leader-epoch}: one number, raised by each start. Each file is written to a temporary one,
 * forced to disk and renamed over the old. {@code inventory}: what has worked and which alarms are open, as a journal.
 * {@code lock}: held while a manager runs; it says which. One thread at a time.
 */
public final class StateDirectory implements AutoCloseable {
    private static final String NODE_MAP = "node-map";
    private static final String LEVELS = "levels";
    private static final String LEADER_EPOCH = "leader-epoch";
    private static final String INVENTORY = "inventory";

    /** Its name is known to who must not make it. */
    public static final String LOCK = DirectoryLock.FILE;

    private static final String LINKS = "links ";

    private final Path directory;
    private final DirectoryLock lock;
    private @Nullable EntryJournal inventory;

    /**
     * Opens the directory, makes it where it is missing, and keeps every other manager out until it is closed.
     *
     * @throws IOException in one line when it cannot be made or written to, or another manager has it
     */
    public StateDirectory(Path directory) throws IOException {
        this.directory = directory;
        lock = DirectoryLock.of(directory);
    }

    /**
     * What the last run knew of its fabric, nothing after a first start. Once, before {@link #remember}.
     *
     * @throws IllegalArgumentException in one line when the file is damaged
     */
    public KnownBefore knownBefore() throws IOException {
        Path file = directory.resolve(INVENTORY);
        EntryJournal.Opened opened = EntryJournal.open(file);
        inventory = opened.journal();
        return KnownBefore.parse(file.toString(), opened.entries());
    }

    /**
     * Keeps changes of what is known of the fabric.
     *
     * @throws IOException in one line when the disk does not take them; none of them counts then
     */
    public void remember(List<String> changes) throws IOException {
        Objects.requireNonNull(inventory, "knownBefore comes first").append(changes);
    }

    /**
     * The node indices of the last run, none after a first start.
     *
     * @throws IllegalArgumentException in one line when the file is damaged: indices must not be dealt anew by accident
     */
    public NodeIndexMap nodeMap() throws IOException {
        return NodeIndexMap.parse(directory.resolve(NODE_MAP).toString(), lines(NODE_MAP));
    }

    /**
     * The levels learnt in the last run.
     *
     * @throws IllegalArgumentException in one line when the file is damaged
     */
    public LearntLevels levels() throws IOException {
        List<String> lines = lines(LEVELS);
        if (lines.isEmpty()) {
            return LearntLevels.none();
        }
        String source = directory.resolve(LEVELS).toString();
        if (!lines.get(0).matches(LINKS + "\\d{1,9}")) {
            throw new IllegalArgumentException(source + ":1: '" + lines.get(0) + "'; expected 'links N'");
        }
        List<String> rest = new ArrayList<>(lines);
        rest.set(0, "");
        return new LearntLevels(
                Integer.parseInt(lines.get(0).substring(LINKS.length())), GuidNumbers.parse(source, rest));
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
            if (!lines.get(0).matches("\\d{1,9}")) {
                throw new IllegalArgumentException(
                        directory.resolve(LEADER_EPOCH) + ":1: '" + lines.get(0) + "'; expected a number");
            }
            last = Long.parseLong(lines.get(0));
        }
        StateFile.replace(directory.resolve(LEADER_EPOCH), List.of(Long.toString(last + 1)));
        return last + 1;
    }

    /**
     * Keeps node indices and levels.
     *
     * @throws IOException when the disk does not take them; the old files are whole then
     */
    public void store(List<String> nodeMap, LearntLevels levels) throws IOException {
        StateFile.replace(directory.resolve(NODE_MAP), nodeMap);
        List<String> lines = new ArrayList<>();
        lines.add(LINKS + levels.linkCount());
        lines.addAll(levels.levels().lines());
        StateFile.replace(directory.resolve(LEVELS), lines);
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
