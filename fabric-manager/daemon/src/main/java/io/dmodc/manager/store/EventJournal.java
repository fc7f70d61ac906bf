package io.dmodc.manager.store;

import io.dmodc.manager.loop.EventLog;
import io.dmodc.manager.loop.EventLog.Entry;
import io.dmodc.settings.Reasons;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The fabric's events in the state directory, over restarts: {@code events}, to which lines are added, and
 * {@code events.old}, which it becomes after {@value #SEGMENT} of them; {@code events.acts}, what operators did before these; {@code event-number}, a number not given
 * yet.
 *
 * <p>A history is worth less than a manager that starts: whatever the files look like, it opens, and says what it found
 * in {@link #remarks}. A line that was not finished is cut off. A file with damaged lines is set aside as
 * {@code events.damaged}, and what is intact in it is kept. One thread at a time.
 */
public final class EventJournal implements AutoCloseable {
    /** Lines of a file; a batch more may come to the last. */
    static final int SEGMENT = 10_000;

    /** How far ahead numbers are kept; renewed when half of it is used up. */
    static final int AHEAD = 5_000;

    private static final String CURRENT = "events";
    private static final Logger LOG = LoggerFactory.getLogger(EventJournal.class);

    private final Path current;
    private final Path old;
    private final Path acts;
    private final Path damaged;
    private final EventNumbers numbers;
    private final List<Entry> history = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();
    private final long lastNumber;
    private @Nullable FileChannel channel;

    /** True while a file that can be neither read nor moved is where ours should be. */
    private boolean blocked;

    private long end;
    private int lines;

    /** Opens the journal of a state directory that exists and can be written to. */
    public EventJournal(Path directory) {
        current = directory.resolve(CURRENT);
        old = directory.resolve(CURRENT + ".old");
        acts = directory.resolve(CURRENT + ".acts");
        damaged = directory.resolve(CURRENT + ".damaged");
        numbers = new EventNumbers(directory.resolve("event-number"));
        takeIn(acts, 0);
        List<Entry> kept = List.copyOf(history);
        history.clear();
        takeIn(old, 0);
        keepBefore(kept);
        EventSegment last = takeIn(current, lastOfHistory());
        end = last.end();
        lines = last.lines();
        long free = numbers.read();
        long known = lastOfHistory();
        lastNumber = free > known ? free - 1 : known == 0 ? 0 : known + AHEAD;
        if (known > 0 && free <= known) {
            remarks.add(directory.resolve("event-number") + " is missing or damaged; numbers go on from "
                    + (lastNumber + 1));
        }
    }

    /** A crash may have left what is in both files. */
    private void keepBefore(List<Entry> kept) {
        long first = history.isEmpty() ? Long.MAX_VALUE : history.get(0).number();
        history.addAll(0, kept.stream().filter(entry -> entry.number() < first).toList());
    }

    private long lastOfHistory() {
        return history.isEmpty() ? 0 : history.get(history.size() - 1).number();
    }

    /** Reads a file, mends it, says what was wrong with it. */
    private EventSegment takeIn(Path file, long above) {
        try {
            EventSegment segment = EventSegment.read(file, above);
            history.addAll(segment.entries());
            if (segment.torn() > 0) {
                remarks.add(file + ": the last line was not finished, " + segment.torn() + " bytes are cut off");
                cut(file, segment.end());
            }
            return segment.damaged() == 0 ? segment : mended(file, segment);
        } catch (IOException e) {
            remarks.add(file + " cannot be read or mended: " + Reasons.of(e) + "; the journal begins anew");
            blocked |= file.equals(current) && !setAside();
            return EventSegment.EMPTY;
        }
    }

    private EventSegment mended(Path file, EventSegment segment) throws IOException {
        remarks.add(file + ":" + segment.firstDamaged() + ": " + segment.damaged() + " of " + segment.lines()
                + " lines are damaged and left out; the file is kept as " + damaged);
        Files.copy(file, damaged, StandardCopyOption.REPLACE_EXISTING);
        byte[] intact = text(segment.entries());
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        Files.write(fresh, intact);
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        return new EventSegment(
                segment.entries(), intact.length, 0, segment.entries().size(), 0, 0);
    }

    private static void cut(Path file, long end) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(end);
        }
    }

    private boolean setAside() {
        try {
            if (Files.exists(current)) {
                Files.move(current, damaged, StandardCopyOption.REPLACE_EXISTING);
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** What was there when it was opened, by ascending number. */
    public List<Entry> history() {
        return history;
    }

    /** The next event may have the number after this one. */
    public long lastNumber() {
        return lastNumber;
    }

    /** What was wrong when it was opened, a line each; mended, and nothing anybody has to do. */
    public List<String> remarks() {
        return remarks;
    }

    /**
     * Adds events.
     *
     * @param given the highest number given out
     * @throws IOException in one line when the disk does not take them; nothing was added then, and it can be tried again
     */
    public void append(List<Entry> entries, long given) throws IOException {
        try {
            reserve(given);
            FileChannel file = opened();
            ByteBuffer text = ByteBuffer.wrap(text(entries));
            int bytes = text.remaining();
            while (text.hasRemaining()) {
                file.write(text, end + text.position());
            }
            file.force(false);
            end += bytes;
            lines += entries.size();
        } catch (IOException e) {
            closeFile();
            throw new IOException("event journal " + current + " cannot be written: " + Reasons.of(e), e);
        }
    }

    /**
     * Sees to it that the next manager begins above this number.
     *
     * @throws IOException when the disk does not take it
     */
    public void reserve(long given) throws IOException {
        if (given + AHEAD / 2 >= numbers.free()) {
            numbers.write(given + AHEAD);
        }
    }

    /** What a failed attempt left behind the last line is cut off when the file is opened again. */
    private FileChannel opened() throws IOException {
        if (lines >= SEGMENT) {
            closeFile();
            keepActs();
            Files.move(current, old, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            lines = 0;
            end = 0;
        }
        FileChannel file = channel;
        if (file == null) {
            if (blocked && !setAside()) {
                throw new IOException("something else is in its place");
            }
            blocked = false;
            file = FileChannel.open(current, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
            channel = file;
            file.truncate(end);
        }
        return file;
    }

    /** What operators did outlives the file that is replaced next, if the disk has it and takes it: that keeps nothing else out. */
    private void keepActs() {
        List<Entry> kept = new ArrayList<>(readable(acts, 0));
        long last = kept.isEmpty() ? 0 : kept.get(kept.size() - 1).number();
        readable(old, last).stream()
                .filter(entry -> entry.note().kind().isOfOperators())
                .forEach(kept::add);
        if (kept.isEmpty()) {
            return;
        }
        int from = Math.max(0, kept.size() - EventLog.ACTS_KEPT);
        Path fresh = acts.resolveSibling(acts.getFileName() + ".new");
        try {
            DurableFiles.write(fresh, text(kept.subList(from, kept.size())));
            DurableFiles.move(fresh, acts);
        } catch (IOException e) {
            LOG.warn("{} cannot be written, what operators did before {} goes: {}", acts, old, Reasons.of(e));
        }
    }

    private static List<Entry> readable(Path file, long above) {
        try {
            return EventSegment.read(file, above).entries();
        } catch (IOException e) {
            LOG.warn("{} cannot be read, what operators did in it goes: {}", file, Reasons.of(e));
            return List.of();
        }
    }

    private static byte[] text(List<Entry> entries) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        entries.forEach(entry -> text.writeBytes(EventLines.line(entry)));
        return text.toByteArray();
    }

    private void closeFile() {
        FileChannel file = channel;
        channel = null;
        if (file != null) {
            try {
                file.close();
            } catch (IOException e) {
                // What was forced is there; what was not is written again.
                LOG.debug("{} did not close", current, e);
            }
        }
    }

    /**
     * Ends in order: the next manager goes on with the number after this one.
     *
     * @param given the highest number given out
     */
    public void end(long given) throws IOException {
        numbers.write(given + 1);
    }

    @Override
    public void close() {
        closeFile();
    }
}
