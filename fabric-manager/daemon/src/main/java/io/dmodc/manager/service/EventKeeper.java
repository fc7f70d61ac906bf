package io.dmodc.manager.service;

import io.dmodc.manager.core.LoggedEvent;
import io.dmodc.manager.core.LoggedEvent.Severity;
import io.dmodc.manager.loop.EventLog;
import io.dmodc.manager.store.EventJournal;
import io.dmodc.settings.process.HaltOnDefect;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes events to the journal away from the loop.
 *
 * <p>What waits is what the event log keeps anyway: the keeper is a reader of it that remembers where it was, so at most
 * {@link EventLog#KEPT} events wait. When the disk does not take them an alarm is raised once, and it is tried again
 * every {@value #RETRY_SECONDS} seconds; events that were forgotten meanwhile are told as missing.
 */
final class EventKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EventKeeper.class);

    private static final int RETRY_SECONDS = 10;
    private static final int BATCH = 256;

    private final EventJournal journal;
    private final EventLog eventLog;
    private final LongSupplier clock;
    private final AtomicBoolean woken = new AtomicBoolean();
    private final EventLog.Subscription subscription;
    private final ScheduledThreadPoolExecutor writer = new ScheduledThreadPoolExecutor(1, work -> {
        Thread thread = new Thread(work, "event-keeper");
        thread.setDaemon(true);
        return thread;
    });

    /** Touched on the writer's thread only. */
    private boolean failing;

    private long written;

    /** @param eventLog made of the journal's history, nothing written to it yet */
    EventKeeper(EventJournal journal, EventLog eventLog, LongSupplier clock) {
        this.journal = journal;
        this.eventLog = eventLog;
        this.clock = clock;
        written = eventLog.lastNumber();
        writer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        writer.execute(this::reserve);
        subscription = eventLog.listen(entry -> wake());
        journal.remarks().forEach(remark -> tell(Severity.WARNING, "event journal " + remark));
    }

    /** Before the first batch, so that also the first numbers are not given out again. */
    private void reserve() {
        try {
            journal.reserve(eventLog.lastNumber());
        } catch (IOException e) {
            // The first batch meets the same and tells it.
            LOG.debug("number not reserved", e);
        }
    }

    private void wake() {
        if (woken.compareAndSet(false, true)) {
            try {
                // The executor would keep a defect in a future nobody asks, and no event would be kept any more.
                writer.execute(HaltOnDefect.guarding(this::next));
            } catch (RejectedExecutionException e) {
                // Closed: events from now on are told to nobody.
                woken.set(true);
            }
        }
    }

    private void next() {
        woken.set(false);
        if (!failing) {
            write();
        }
    }

    private void write() {
        try {
            List<EventLog.Entry> batch = eventLog.after(written, BATCH);
            long missing = 0;
            while (!batch.isEmpty()) {
                missing += batch.get(batch.size() - 1).number() - written - batch.size();
                journal.append(batch, eventLog.lastNumber());
                written = batch.get(batch.size() - 1).number();
                batch = eventLog.after(written, BATCH);
            }
            if (missing > 0) {
                tell(Severity.WARNING, missing + " events are missing in the event journal: the disk was too slow");
            }
            if (failing) {
                failing = false;
                tell(Severity.INFO, "events are kept again");
            }
        } catch (IOException e) {
            if (!failing) {
                failing = true;
                tell(
                        Severity.ALARM,
                        e.getMessage() + "; the last " + EventLog.KEPT + " are in memory, tried again every "
                                + RETRY_SECONDS + " s");
            }
            if (!writer.isShutdown()) {
                writer.schedule(this::write, RETRY_SECONDS, TimeUnit.SECONDS);
            }
        }
    }

    private void tell(Severity severity, String text) {
        eventLog.write(new LoggedEvent(clock.getAsLong(), 0, severity, LoggedEvent.Kind.EVENT_JOURNAL, 0, text));
    }

    /** Writes what still waits, once, and says that this is the end. */
    @Override
    public void close() {
        subscription.close();
        writer.execute(this::finish);
        writer.shutdown();
        try {
            if (!writer.awaitTermination(5, TimeUnit.SECONDS)) {
                writer.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        journal.close();
    }

    private void finish() {
        write();
        // And what the first time had to tell.
        write();
        try {
            journal.end(eventLog.lastNumber());
        } catch (IOException e) {
            LOG.warn("the event journal did not end in order, so that some numbers are left out: {}", e.toString());
        }
    }
}
