package io.dmodc.manager.service;

import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.FabricEvent;
import io.dmodc.manager.core.FabricEvent.Persisted;
import io.dmodc.manager.core.FabricEvent.StoreReported;
import io.dmodc.manager.loop.FabricLoop;
import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.store.StateStore;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends records to the store away from the loop, and tells the loop when they survive a crash. When the disk does not take
 * them, the loop is told and it is tried again every {@value #RETRY_SECONDS} seconds, while the fabric is served as before.
 *
 * <p>All batches that wait become one append. Of each key only the last record waits, so what waits is bounded by the keys
 * there are. When nothing came for {@value #QUIET_SECONDS} seconds, the store is tidied, a short step at a time.
 */
final class RecordKeeper implements AutoCloseable {
    private static final int RETRY_SECONDS = 10;
    private static final int QUIET_SECONDS = 2;
    private static final int CLOSING_SECONDS = 5;
    private static final Logger LOG = LoggerFactory.getLogger(RecordKeeper.class);

    /** Takes events, and waits while it has no room. */
    interface Listener {
        void put(FabricEvent event) throws InterruptedException;
    }

    private final StateStore store;
    private final long retryMillis;
    private final ScheduledThreadPoolExecutor writer = new ScheduledThreadPoolExecutor(1, work -> {
        Thread thread = new Thread(work, "record-keeper");
        thread.setDaemon(true);
        return thread;
    });
    private @Nullable Listener listener;
    private LongSupplier clock = () -> 0;

    /** Guarded by this, as all that follows: the last record of each key, in the order they came. */
    private final Map<StateRecord.Key, StateRecord> waiting = new LinkedHashMap<>();

    /** Number of the last batch in {@link #waiting}; 0 before the first. */
    private long waitingNumber;

    private boolean writeDue;
    private boolean tidyDue;
    private boolean closed;

    /** The writer while it waits for room in the loop's queue. */
    private @Nullable Thread telling;

    /** By the writer only. */
    private long told;

    private boolean failing;

    /** @param store closed by whoever opened it, after this */
    RecordKeeper(StateStore store) {
        this(store, TimeUnit.SECONDS.toMillis(RETRY_SECONDS));
    }

    RecordKeeper(StateStore store, long retryMillis) {
        this.store = store;
        this.retryMillis = retryMillis;
        // Closing tries once more at once; it must not wait for what is due later.
        writer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Names who is told; before anything is kept. */
    void connect(FabricLoop loop) {
        connect(loop::put, loop::nowNanos);
    }

    void connect(Listener who, LongSupplier nanos) {
        listener = who;
        clock = nanos;
    }

    /** Takes a batch; never blocks. */
    synchronized void keep(Effect.Persist batch) {
        for (StateRecord record : batch.records()) {
            waiting.remove(record.key());
            waiting.put(record.key(), record);
        }
        waitingNumber = batch.number();
        writeSoon(0);
    }

    private synchronized void writeSoon(long millis) {
        if (!writeDue && !writer.isShutdown()) {
            writeDue = true;
            writer.schedule(this::write, millis, TimeUnit.MILLISECONDS);
        }
    }

    private void write() {
        Map<StateRecord.Key, StateRecord> taken;
        long number;
        synchronized (this) {
            writeDue = false;
            taken = new LinkedHashMap<>(waiting);
            number = waitingNumber;
        }
        try {
            store.append(List.copyOf(taken.values()));
        } catch (IOException | RuntimeException e) {
            report(e.getMessage() + "; tried again every " + TimeUnit.MILLISECONDS.toSeconds(retryMillis) + " s");
            writeSoon(retryMillis);
            return;
        }
        synchronized (this) {
            // What came meanwhile is newer.
            taken.forEach(waiting::remove);
        }
        report("");
        if (number > told) {
            told = number;
            tell(new Persisted(clock.getAsLong(), number));
        }
        tidySoon(store.isOvergrown() ? 0 : TimeUnit.SECONDS.toMillis(QUIET_SECONDS));
    }

    private synchronized void tidySoon(long millis) {
        if (!tidyDue && !writer.isShutdown()) {
            tidyDue = true;
            writer.schedule(this::tidy, millis, TimeUnit.MILLISECONDS);
        }
    }

    private void tidy() {
        synchronized (this) {
            tidyDue = false;
        }
        try {
            if (store.tidy()) {
                tidySoon(0);
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("{}; tried again after the next records", e.getMessage());
        }
    }

    private void report(String failure) {
        boolean failed = !failure.isEmpty();
        if (failed != failing) {
            failing = failed;
            tell(new StoreReported(clock.getAsLong(), failure));
        }
    }

    /** Waits for room in the loop's queue, so that nothing is lost; not while closing, when nobody listens any more. */
    private void tell(FabricEvent event) {
        Listener to = listener;
        synchronized (this) {
            if (closed || to == null) {
                return;
            }
            telling = Thread.currentThread();
        }
        try {
            to.put(event);
        } catch (InterruptedException e) {
            LOG.debug("closed before the loop was told of {}", event);
        } finally {
            synchronized (this) {
                telling = null;
                // An interrupt that came too late must not close the file of the next append.
                boolean late = Thread.interrupted();
                LOG.trace("interrupted: {}", late);
            }
        }
    }

    /** Writes what still waits, once. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            if (telling != null) {
                telling.interrupt();
            }
        }
        writer.execute(this::write);
        writer.shutdown();
        try {
            if (!writer.awaitTermination(CLOSING_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("the store did not take the last records within {} s", CLOSING_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
