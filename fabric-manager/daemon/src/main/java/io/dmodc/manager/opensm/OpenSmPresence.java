package io.dmodc.manager.opensm;

import io.dmodc.subnet.ChildCommand;
import io.dmodc.subnet.CommandFailedException;
import io.dmodc.subnet.OpenSmSettings;
import java.util.concurrent.TimeUnit;

/**
 * Asks whether OpenSM answers, as often as the fabric is looked at: one that has ended or hangs sends no table, and where nothing has to be sent nothing else tells of it before
 * the first fault. One that does not answer twice in a row is told of; a restart takes less than that. A thread of its own, as a command that gets no answer takes seconds.
 */
final class OpenSmPresence implements AutoCloseable {
    private final ChildCommand query;
    private final long intervalNanos;
    private final Troubles troubles;
    private final Thread thread = new Thread(this::run, "opensm-presence");
    private volatile boolean closed;

    /** It did not answer when it was asked last. */
    private boolean missed;

    /** @param command fails when it does not answer */
    OpenSmPresence(String command, OpenSmSettings settings, Troubles troubles) {
        query = new ChildCommand(command, settings.commandTimeout());
        intervalNanos = settings.interval().toNanos();
        this.troubles = troubles;
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            while (!closed) {
                ask();
                TimeUnit.NANOSECONDS.sleep(intervalNanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // Closed.
        }
    }

    void ask() throws InterruptedException {
        try {
            query.run();
            missed = false;
            troubles.clear(Troubles.Kind.PRESENCE);
        } catch (CommandFailedException e) {
            if (missed) {
                troubles.set(
                        Troubles.Kind.PRESENCE,
                        "OpenSM does not answer, so no fault is led around: start it again (" + e.getMessage() + ")");
            }
            missed = true;
        }
    }

    @Override
    public void close() {
        closed = true;
        OpenSmBridge.end(thread);
    }
}
