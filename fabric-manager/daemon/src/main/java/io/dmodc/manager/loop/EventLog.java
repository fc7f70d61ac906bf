package io.dmodc.manager.loop;

import io.dmodc.manager.core.LoggedEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The fabric's event log: the last {@value #KEPT} notes, numbered, for the log, REST and whoever listens; and of those before the last {@value #ACTS_KEPT} that
 * say what operators did, so that no switch and no agent can push these out.
 *
 * <p>Thread-safe. Listeners are called on the writer's thread and must not block. Who wants every entry keeps the number
 * of the last one it had and reads on from there, so that a slow reader costs nobody anything.
 */
public final class EventLog {
    /** Notes kept; older ones are forgotten. */
    public static final int KEPT = 10_000;

    /** Notes of what operators did that are kept beyond these. */
    public static final int ACTS_KEPT = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger("fabric");

    /**
     * A note with its number and wall-clock time.
     *
     * @param number from 1, growing; without gaps but where a manager ended without closing, and between what operators did before the others
     */
    public record Entry(long number, long epochMillis, LoggedEvent note) {}

    /**
     * The end of the log at one moment.
     *
     * @param last number of the newest entry, or of the one before the first
     */
    public record Tail(long last, List<Entry> entries) {}

    private final LongSupplier wallClock;
    private final List<Consumer<Entry>> listeners = new CopyOnWriteArrayList<>();

    /** Guards all below; held for copying only. */
    private final Object lock = new Object();

    private final EntryRing entries = new EntryRing(KEPT);

    /** All before the first of those. */
    private final EntryRing acts = new EntryRing(ACTS_KEPT);

    private long lastNumber;

    /** Empty. */
    public EventLog(LongSupplier wallClock) {
        this(wallClock, List.of(), 0);
    }

    /**
     * Goes on where the manager before it ended.
     *
     * @param wallClock milliseconds since 1970
     * @param history by ascending number
     * @param lastNumber the first note written gets the next number
     */
    public EventLog(LongSupplier wallClock, List<Entry> history, long lastNumber) {
        this.wallClock = wallClock;
        history.forEach(this::keep);
        this.lastNumber = Math.max(this.lastNumber, lastNumber);
    }

    /** Writes a note down, logs it, tells the listeners. */
    public void write(LoggedEvent note) {
        Entry entry;
        synchronized (lock) {
            entry = new Entry(lastNumber + 1, wallClock.getAsLong(), note);
            keep(entry);
        }
        switch (note.severity()) {
            case INFO -> LOG.info("[epoch {}] {}", note.epoch(), note.text());
            case WARNING -> LOG.warn("[epoch {}] {}", note.epoch(), note.text());
            case ALARM -> LOG.error("[epoch {}] {}", note.epoch(), note.text());
        }
        listeners.forEach(listener -> listener.accept(entry));
    }

    private void keep(Entry entry) {
        Entry leaving = entries.add(entry);
        if (leaving != null && leaving.note.kind().isOfOperators()) {
            acts.add(leaving);
        }
        lastNumber = entry.number;
    }

    /** Up to {@code limit} entries with numbers above {@code after}, oldest first. */
    public List<Entry> after(long after, int limit) {
        synchronized (lock) {
            int from = firstAfter(after);
            return copy(from, Math.min(limit, count() - from));
        }
    }

    /** The last {@code limit} entries, oldest first. */
    public List<Entry> last(int limit) {
        synchronized (lock) {
            int some = Math.min(limit, count());
            return copy(count() - some, some);
        }
    }

    /** All entries with numbers above {@code after}, oldest first. */
    public Tail tail(long after) {
        synchronized (lock) {
            int from = firstAfter(after);
            return new Tail(lastNumber, copy(from, count() - from));
        }
    }

    private List<Entry> copy(int from, int some) {
        List<Entry> copy = new ArrayList<>(some);
        for (int i = from; i < from + some; i++) {
            copy.add(get(i));
        }
        return copy;
    }

    private int count() {
        return acts.count() + entries.count();
    }

    /** The i-th from the oldest. */
    private Entry get(int i) {
        return i < acts.count() ? acts.get(i) : entries.get(i - acts.count());
    }

    /** Place of the first entry with a number above this one, counted from the oldest; O(log entries). */
    private int firstAfter(long after) {
        int low = 0;
        int high = count();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (get(middle).number > after) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** Number of the newest entry; 0 when there never was one. */
    public long lastNumber() {
        synchronized (lock) {
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
