package io.dmodc.manager.store;

import io.dmodc.manager.core.LearntLevels;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The manager's state directory.
 *
 * <p>{@code node-map}: lines {@code guid index}. {@code levels}: lines {@code guid level} after a first line
 * {@code links N}. {@code leader-epoch}: one number, raised by each start. Each file is written to a temporary one,
 * forced to disk and renamed over the old. One thread at a time.
 */
public final class StateDirectory {
    private static final String NODE_MAP = "node-map";
    private static final String LEVELS = "levels";
    private static final String LEADER_EPOCH = "leader-epoch";
    private static final String LINKS = "links ";

    private final Path directory;

    /**
     * Opens the directory and makes it where it is missing.
     *
     * @throws IOException in one line when it cannot be made or written to
     */
    public StateDirectory(Path directory) throws IOException {
        this.directory = directory;
        try {
            Files.createDirectories(directory);
        } catch (FileAlreadyExistsException e) {
            throw new IOException("state directory " + directory + " is a file", e);
        } catch (IOException e) {
            throw new IOException("state directory " + directory + " cannot be made: " + reason(e), e);
        }
        if (!Files.isWritable(directory)) {
            throw new IOException("state directory " + directory + " is not writable");
        }
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
        replace(LEADER_EPOCH, List.of(Long.toString(last + 1)));
        return last + 1;
    }

    /**
     * Keeps node indices and levels.
     *
     * @throws IOException when the disk does not take them; the old files are whole then
     */
    public void store(List<String> nodeMap, LearntLevels levels) throws IOException {
        replace(NODE_MAP, nodeMap);
        List<String> lines = new ArrayList<>();
        lines.add(LINKS + levels.linkCount());
        lines.addAll(levels.levels().lines());
        replace(LEVELS, lines);
    }

    private List<String> lines(String name) throws IOException {
        Path file = directory.resolve(name);
        try {
            return Files.exists(file) ? Files.readAllLines(file, StandardCharsets.UTF_8) : List.of();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(file + ": not UTF-8 text; expected what a manager wrote there", e);
        }
    }

    private void replace(String name, List<String> lines) throws IOException {
        Path file = directory.resolve(name);
        Path fresh = directory.resolve(name + ".new");
        try {
            Files.write(fresh, lines, StandardCharsets.UTF_8);
            try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            Files.deleteIfExists(fresh);
            throw new IOException("state file " + file + " cannot be written: " + reason(e), e);
        }
    }

    /** Java says only the path when the operating system gave no text. */
    private static String reason(IOException e) {
        if (e instanceof FileSystemException failed && failed.getReason() == null) {
            return e.getClass().getSimpleName() + " " + failed.getFile();
        }
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
}
