package io.dmodc.manager.loop;

import io.dmodc.manager.core.FabricNote;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * the fabric's event log: the last {@value #KEPT} notes, numbered, for the log, REST and whoever listens.
 *
 * <p>Thread-safe. Listeners are called on the writer's thread and must not block.
 */
public final class EventLog {
    /** Notes kept; older ones are forgotten. */
    public static final int KEPT = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger("fabric");

    /**
     * A note with its number and wall-clock time.
     *
     * @param number from 1, without gaps
     */
    public record Entry(long number, long epochMillis, FabricNote note) {}

    private final LongSupplier wallClock;
    private final Deque<Entry> entries = new ArrayDeque<>();
    private final List<Consumer<Entry>> listeners = new CopyOnWriteArrayList<>();
    private long lastNumber;

    /** @param wallClock milliseconds since 1970 */
    public EventLog(LongSupplier wallClock) {
        this.wallClock = wallClock;
    }

    /** Writes a note down, logs it, tells the listeners. */
    public void write(FabricNote note) {
        Entry entry;
        synchronized (entries) {
            entry = new Entry(++lastNumber, wallClock.getAsLong(), note);
            entries.addLast(entry);
            if (entries.size() > KEPT) {
                entries.removeFirst();
            }
        }
        switch (note.severity()) {
            case INFO -> LOG.info("[epoch {}] {}", note.epoch(), note.text());
            case WARNING -> LOG.warn("[epoch {}] {}", note.epoch(), note.text());
            case ALARM -> LOG.error("[epoch {}] {}", note.epoch(), note.text());
        }
        listeners.forEach(listener -> listener.accept(entry));
    }

    /** Up to {@code limit} entries with numbers above {@code after}, oldest first. */
    public List<Entry> after(long after, int limit) {
        synchronized (entries) {
            List<Entry> found = new ArrayList<>();
            for (Entry entry : entries) {
                if (entry.number > after && found.size() < limit) {
                    found.add(entry);
                }
            }
            return found;
        }
    }

    /** The last {@code limit} entries, oldest first. */
    public List<Entry> last(int limit) {
        return after(lastNumber() - limit, limit);
    }

    /** Number of the newest entry, 0 when there is none. */
    public long lastNumber() {
        synchronized (entries) {
            return lastNumber;
        }
    }

    /** Calls the listener for each note from now on, until the returned handle is closed. */
    public Subscription listen(Consumer<Entry> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /** Ends listening. */
    public interface Subscription extends AutoCloseable {
        @Override
        void close();
    }
}
