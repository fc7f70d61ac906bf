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
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
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
 *
 * <p>A disk that neither takes records nor refuses them counts as one that refuses after {@value #ANSWER_SECONDS} seconds, until
 * it answers: another thread looks at the clock then.
 */
final class RecordKeeper implements AutoCloseable {
    private static final int RETRY_SECONDS = 10;
    private static final int QUIET_SECONDS = 2;
    private static final int CLOSING_SECONDS = 5;

    /** How long the disk may take for one append, or for one step of tidying. */
    private static final int ANSWER_SECONDS = 5;

    private static final Logger LOG = LoggerFactory.getLogger(RecordKeeper.class);

    /** Takes events, and waits while it has no room. */
    interface Listener {
        void put(FabricEvent event) throws InterruptedException;
    }

    private final StateStore store;
    private final long retryMillis;
    private final long answerMillis;
    private final ScheduledThreadPoolExecutor writer = executor("record-keeper");

    /** Does what must not wait for the writer. */
    private final ScheduledThreadPoolExecutor watch = executor("record-keeper-watch");

    private @Nullable Listener listener;
    private LongSupplier clock = () -> 0;

    /** Guarded by this, as all that follows: the last record of each key, in the order they came. */
    private final Map<StateRecord.Key, StateRecord> waiting = new LinkedHashMap<>();

    /** Number of the last batch in {@link #waiting}; 0 before the first. */
    private long waitingNumber;

    private boolean writeDue;
    private boolean tidyDue;
    private boolean closed;

    /** Whoever waits for room in the loop's queue. */
    private @Nullable Thread telling;

    /** By the writer only. */
    private long told;

    /** Held while a failure is told, or its end, so that they are told in order. */
    private final Lock reporting = new ReentrantLock();

    /** Guarded by {@link #reporting}, as all that follows. Pieces of work that were begun and ended on the disk. */
    private long begun;

    private long ended;
    private boolean failing;

    /** All that was told of a failure is that there is no answer. */
    private boolean noAnswer;

    /** @param store closed by whoever opened it, after this */
    RecordKeeper(StateStore store) {
        this(store, TimeUnit.SECONDS.toMillis(RETRY_SECONDS), TimeUnit.SECONDS.toMillis(ANSWER_SECONDS));
    }

    RecordKeeper(StateStore store, long retryMillis, long answerMillis) {
        this.store = store;
        this.retryMillis = retryMillis;
        this.answerMillis = answerMillis;
        watch.setRemoveOnCancelPolicy(true);
        // Closing tries once more at once; it must not wait for what is due later.
        writer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    private static ScheduledThreadPoolExecutor executor(String name) {
        return new ScheduledThreadPoolExecutor(1, work -> {
            Thread thread = new Thread(work, name);
            thread.setDaemon(true);
            return thread;
        });
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
        Future<?> alarm = begin();
        try {
            store.append(List.copyOf(taken.values()));
        } catch (IOException | RuntimeException e) {
            end(alarm, e.getMessage() + "; tried again every " + TimeUnit.MILLISECONDS.toSeconds(retryMillis) + " s");
            writeSoon(retryMillis);
            return;
        }
        synchronized (this) {
            // What came meanwhile is newer.
            taken.forEach(waiting::remove);
        }
        end(alarm, "");
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
        Future<?> alarm = begin();
        try {
            if (store.tidy()) {
                tidySoon(0);
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("{}; tried again after the next records", e.getMessage());
        } finally {
            end(alarm, null);
        }
    }

    /** From now on an answer of the disk is waited for. */
    private Future<?> begin() {
        long number;
        reporting.lock();
        try {
            number = ++begun;
        } finally {
            reporting.unlock();
        }
        return watch.schedule(() -> late(number), answerMillis, TimeUnit.MILLISECONDS);
    }

    private void late(long number) {
        reporting.lock();
        try {
            if (ended < number && !failing) {
                failing = true;
                noAnswer = true;
                String text = "state directory " + store.directory() + ": no answer from the disk for "
                        + TimeUnit.MILLISECONDS.toSeconds(answerMillis) + " s";
                tell(new StoreReported(clock.getAsLong(), text));
            }
        } finally {
            reporting.unlock();
        }
    }

    /**
     * The disk has answered.
     *
     * @param failure why it does not take records, empty when it does, {@code null} when it was not asked to
     */
    private void end(Future<?> alarm, @Nullable String failure) {
        alarm.cancel(false);
        reporting.lock();
        try {
            ended = begun;
            if (failure != null || noAnswer) {
                report(failure == null ? "" : failure);
            }
        } finally {
            reporting.unlock();
        }
    }

    private void report(String failure) {
        boolean failed = !failure.isEmpty();
        if (failed != failing || noAnswer) {
            failing = failed;
            noAnswer = false;
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
        } finally {
            watch.shutdownNow();
        }
    }
}
