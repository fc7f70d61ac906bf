package io.dmodc.manager.service;

import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.FabricEvent.StoreReported;
import io.dmodc.manager.loop.FabricLoop;
import io.dmodc.manager.store.StateDirectory;
import io.dmodc.settings.process.HaltOnDefect;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Writes the state directory away from the loop. When the disk does not take it, the loop is told and it is tried again
 * every {@value #RETRY_SECONDS} seconds, while the fabric is served as before.
 *
 * <p>Of indices and levels only the newest wait. Of the inventory the last change of each entry waits, so what waits is
 * bounded by the entries there are.
 */
final class StateKeeper implements AutoCloseable {
    private static final int RETRY_SECONDS = 10;

    private final StateDirectory directory;
    private final ScheduledThreadPoolExecutor writer = new ScheduledThreadPoolExecutor(1, work -> {
        Thread thread = new Thread(work, "state-keeper");
        thread.setDaemon(true);
        return thread;
    });
    private @Nullable FabricLoop loop;

    /** Guarded by this, as {@link #changes} and {@link #scheduled} are. */
    private Effect.@Nullable Store store;

    /** By entry: its sign. */
    private final Map<String, Character> changes = new LinkedHashMap<>();

    private boolean scheduled;
    private boolean failing;

    StateKeeper(StateDirectory directory) {
        this.directory = directory;
        // Closing tries once more at once; it must not wait for a repetition that is due later.
        writer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Names who is told of a disk that fails; before anything is kept. */
    void connect(FabricLoop fabricLoop) {
        loop = fabricLoop;
    }

    synchronized void keep(Effect.Store newest) {
        store = newest;
        schedule(0);
    }

    synchronized void keep(Effect.Remember remember) {
        for (String change : remember.changes()) {
            String entry = change.substring(1);
            Character waiting = changes.remove(entry);
            boolean cameAndWent = change.charAt(0) == '-' && waiting != null && waiting == '+';
            if (!cameAndWent || !isNumbered(entry)) {
                changes.put(entry, change.charAt(0));
            }
        }
        schedule(0);
    }

    /** Alarms are numbered, so none comes a second time: what was never written need not be taken back. */
    private static boolean isNumbered(String entry) {
        return entry.startsWith("alarm ") || entry.startsWith("last-alarm ");
    }

    private void schedule(int seconds) {
        if (!scheduled) {
            scheduled = true;
            writer.schedule(this::write, seconds, TimeUnit.SECONDS);
        }
    }

    private void write() {
        Effect.Store newest;
        Map<String, Character> taken;
        synchronized (this) {
            scheduled = false;
            newest = store;
            store = null;
            taken = new LinkedHashMap<>(changes);
            changes.clear();
        }
        try {
            if (newest != null) {
                directory.store(newest.nodeMap(), newest.levels());
                newest = null;
            }
            if (!taken.isEmpty()) {
                List<String> lines = new ArrayList<>(taken.size());
                taken.forEach((entry, sign) -> lines.add(sign + entry));
                directory.remember(lines);
            }
            report("");
        } catch (IOException | RuntimeException e) {
            report(e.getMessage() + "; tried again every " + RETRY_SECONDS + " s");
            putBack(newest, taken);
        } catch (Error e) {
            // The executor would keep it in a future nobody asks.
            HaltOnDefect.hand(e);
        }
    }

    /** What came meanwhile is newer. */
    private synchronized void putBack(Effect.@Nullable Store unwritten, Map<String, Character> taken) {
        store = store == null ? unwritten : store;
        changes.forEach((entry, sign) -> {
            taken.remove(entry);
            taken.put(entry, sign);
        });
        changes.clear();
        changes.putAll(taken);
        if (!writer.isShutdown()) {
            schedule(RETRY_SECONDS);
        }
    }

    private void report(String failure) {
        boolean failed = !failure.isEmpty();
        if (failed != failing && loop != null && loop.offer(new StoreReported(loop.nowNanos(), failure))) {
            failing = failed;
        }
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
