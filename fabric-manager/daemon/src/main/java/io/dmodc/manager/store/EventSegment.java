package io.dmodc.manager.store;

import io.dmodc.manager.loop.EventLog.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What a file of events holds, however it was left.
 *
 * @param entries by ascending number
 * @param end bytes up to the end of the last line
 * @param torn bytes of a line that was not finished, after {@code end}
 * @param lines whole lines
 * @param damaged lines that are none of ours; all others are intact, each proves it with its own sum
 * @param firstDamaged the first of these, from 1
 */
record EventSegment(List<Entry> entries, long end, long torn, int lines, int damaged, int firstDamaged) {
    static final EventSegment EMPTY = new EventSegment(List.of(), 0, 0, 0, 0, 0);

    /** Far above what a file of events can have become. */
    private static final long BYTES_MAX = 64 << 20;

    /**
     * Reads the file; empty where there is none.
     *
     * @param above numbers up to this one are taken
     */
    static EventSegment read(Path file, long above) throws IOException {
        if (!Files.exists(file)) {
            return EMPTY;
        }
        if (Files.size(file) > BYTES_MAX) {
            throw new IOException("has " + Files.size(file) + " bytes; expected at most " + BYTES_MAX);
        }
        return of(Files.readAllBytes(file), above);
    }

    static EventSegment of(byte[] bytes, long above) {
        List<Entry> entries = new ArrayList<>();
        long number = above;
        int lines = 0;
        int damaged = 0;
        int firstDamaged = 0;
        int end = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                lines++;
                Entry entry = EventLines.read(bytes, end, i);
                end = i + 1;
                if (entry == null || entry.number() <= number) {
                    firstDamaged = damaged == 0 ? lines : firstDamaged;
                    damaged++;
                } else {
                    entries.add(entry);
                    number = entry.number();
                }
            }
        }
        return new EventSegment(entries, end, bytes.length - end, lines, damaged, firstDamaged);
    }
}
