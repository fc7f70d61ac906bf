package io.dmodc.demo;

import io.dmodc.manager.core.LoggedEvent;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.loop.EventLog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Notes of one kind, each with the moment the manager wrote it down: when it knew, not only when it was told. */
final class EventWatch implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 60;

    /** A note and when it was written, by {@code System.nanoTime}. */
    record Seen(long nanos, LoggedEvent note) {}

    private final BlockingQueue<Seen> seen = new LinkedBlockingQueue<>();
    private final EventLog.Subscription subscription;

    EventWatch(EventLog eventLog, Kind kind) {
        subscription = eventLog.listen(entry -> {
            if (entry.note().kind() == kind) {
                seen.add(new Seen(System.nanoTime(), entry.note()));
            }
        });
    }

    /** Waits for the next one. */
    Seen next(String what) throws DemoFailure {
        try {
            Seen next = seen.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (next == null) {
                throw new DemoFailure(what + ": not noticed within " + PATIENCE_SECONDS + " s");
            }
            return next;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DemoFailure("interrupted");
        }
    }

    /** Those that came and were not waited for. */
    List<Seen> rest() {
        List<Seen> rest = new ArrayList<>();
        seen.drainTo(rest);
        return rest;
    }

    @Override
    public void close() {
        subscription.close();
    }
}
