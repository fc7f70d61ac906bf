package io.dmodc.manager.service;

import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.FabricNote;
import io.dmodc.manager.loop.EventLog;
import io.dmodc.manager.store.StateDirectory;
import java.io.IOException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * Writes the state directory away from the loop. Only the newest content waits; when the disk does not take it, an
 * alarm is raised and it is tried again every {@value #RETRY_SECONDS} seconds, while the fabric is served as before.
 */
final class StateKeeper implements AutoCloseable {
    private static final int RETRY_SECONDS = 10;

    private final StateDirectory directory;
    private final EventLog eventLog;
    private final LongSupplier clock;
    private final AtomicReference<Effect.Store> waiting = new AtomicReference<>();
    private final ScheduledThreadPoolExecutor writer = new ScheduledThreadPoolExecutor(1, work -> {
        Thread thread = new Thread(work, "state-keeper");
        thread.setDaemon(true);
        return thread;
    });
    private boolean failing;

    StateKeeper(StateDirectory directory, EventLog eventLog, LongSupplier clock) {
        this.directory = directory;
        this.eventLog = eventLog;
        this.clock = clock;
        // Closing tries once more at once; it must not wait for a repetition that is due later.
        writer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    void keep(Effect.Store store) {
        if (waiting.getAndSet(store) == null) {
            writer.execute(this::write);
        }
    }

    private void write() {
        Effect.Store store = waiting.getAndSet(null);
        if (store == null) {
            return;
        }
        try {
            directory.store(store.nodeMap(), store.levels());
            if (failing) {
                failing = false;
                tell(FabricNote.Severity.INFO, "state is kept again");
            }
        } catch (IOException e) {
            if (!failing) {
                failing = true;
                tell(FabricNote.Severity.ALARM, e.getMessage() + "; tried again every " + RETRY_SECONDS + " s");
            }
            if (waiting.compareAndSet(null, store)) {
                writer.schedule(this::write, RETRY_SECONDS, TimeUnit.SECONDS);
            }
        }
    }

    private void tell(FabricNote.Severity severity, String text) {
        eventLog.write(new FabricNote(clock.getAsLong(), 0, severity, FabricNote.Kind.STATE_STORE, 0, text));
    }

    /** Writes what still waits, once. */
    @Override
    public void close() {
        writer.execute(this::write);
        writer.shutdown();
        try {
            if (!writer.awaitTermination(5, TimeUnit.SECONDS)) {
                writer.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
