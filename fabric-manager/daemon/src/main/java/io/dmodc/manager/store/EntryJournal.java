package io.dmodc.manager.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A set of one-line entries, kept as the changes made to it: lines {@code +entry} and {@code -entry}, appended and
 * forced to disk. What is left of them is the set. A line {@code =} ends the changes that were made together.
 *
 * <p>Changes after the last {@code =} were cut short by a crash and count as never made: half of a renaming must not be
 * read as a removal. An append that fails half-way
 * leaves nothing behind: the next one first cuts the file back. The file is written anew when it is opened, and when
 * {@value #APPENDED_MAX} lines were appended since. One thread at a time.
 */
final class EntryJournal {
    /** Lines appended before the file is written anew. */
    static final int APPENDED_MAX = 50_000;

    private static final String TOGETHER = "=";

    private final Path file;
    private long goodLength;
    private int appended;

    private EntryJournal(Path file) {
        this.file = file;
    }

    /** What an opened journal is and holds. */
    record Opened(EntryJournal journal, List<String> entries) {}

    /**
     * Opens a journal, empty where there is no file.
     *
     * @throws IllegalArgumentException in one line when the file is damaged: it must not be read as empty
     */
    static Opened open(Path file) throws IOException {
        EntryJournal journal = new EntryJournal(file);
        List<String> entries = journal.read();
        journal.rewrite(entries);
        return new Opened(journal, entries);
    }

    private List<String> read() throws IOException {
        if (!Files.exists(file)) {
            return List.of();
        }
        String text = text(Files.readAllBytes(file));
        int together = ("\n" + text).lastIndexOf("\n" + TOGETHER + "\n");
        // A file written before changes had an end has none of these lines.
        int whole = together < 0 ? text.length() : together + TOGETHER.length() + 1;
        Set<String> entries = new LinkedHashSet<>();
        int number = 0;
        for (int from = 0, end; from < whole && (end = text.indexOf('\n', from)) >= 0; from = end + 1) {
            number++;
            String line = text.substring(from, end);
            if (line.startsWith("+")) {
                entries.add(line.substring(1));
            } else if (line.startsWith("-")) {
                entries.remove(line.substring(1));
            } else if (!line.equals(TOGETHER)) {
                String shown = line.length() <= 60 ? line : line.substring(0, 60) + "…";
                throw new IllegalArgumentException(
                        file + ":" + number + ": '" + shown + "'; expected + or - and an entry");
            }
        }
        return new ArrayList<>(entries);
    }

    /** All whole lines; what a crash cut short need not even be whole letters. */
    private String text(byte[] bytes) {
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] != '\n') {
            end--;
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, 0, end))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(file + ": not UTF-8 text; expected what a manager wrote there", e);
        }
    }

    private void rewrite(List<String> entries) throws IOException {
        List<String> lines = new ArrayList<>(entries.size() + 1);
        entries.forEach(entry -> lines.add("+" + entry));
        lines.add(TOGETHER);
        StateFile.replace(file, lines);
        goodLength = Files.size(file);
        appended = 0;
    }

    /**
     * Appends changes, {@code +entry} or {@code -entry} each.
     *
     * @throws IOException in one line when the disk does not take them; none of them counts then
     */
    void append(List<String> changes) throws IOException {
        byte[] bytes = (String.join("\n", changes) + "\n" + TOGETHER + "\n").getBytes(StandardCharsets.UTF_8);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            if (channel.size() < goodLength) {
                throw new IOException("it was replaced or cut since this manager began; a restart writes it anew");
            }
            channel.truncate(goodLength);
            channel.position(goodLength);
            for (ByteBuffer rest = ByteBuffer.wrap(bytes); rest.hasRemaining(); ) {
                channel.write(rest);
            }
            channel.force(true);
        } catch (IOException e) {
            throw new IOException("state file " + file + " cannot be written: " + StateFile.reason(e), e);
        }
        goodLength += bytes.length;
        appended += changes.size();
        if (appended > APPENDED_MAX) {
            rewrite(read());
        }
    }
}
