package io.dmodc.manager.opensm;

import io.dmodc.manager.core.Effect;
import io.dmodc.manager.loop.FabricLoop;
import io.dmodc.subnet.OpenSmSettings;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Stands where agents' sessions stand, for all switches that OpenSM manages: what is found of them becomes Hellos and port
 * reports, what the core pushes becomes the file that OpenSM loads, and what is read back of it becomes acknowledgements.
 *
 * <p>Methods never block. {@link #push} and {@link #performed} are for the loop's thread, the others may be called from any.
 */
public final class OpenSmBridge implements AutoCloseable {
    /** Most loads that are remembered. */
    private static final int TIMES_MAX = 64;

    private static final int END_SECONDS = 2;

    /** Once in a process: what was run is compiled for all. */
    private static final AtomicBoolean REHEARSED = new AtomicBoolean();

    private final OpenSmMeters meters;
    private final Troubles troubles;
    private final TableKeeper keeper;

    /** Null where OpenSM sweeps after a change by itself. */
    private final @Nullable ChangeSweeps sweeps;

    private final FabricWatch watch;

    /** Null where nobody asks whether OpenSM answers. */
    private final @Nullable OpenSmPresence presence;

    private final Deque<LoadTimes> times = new ArrayDeque<>();

    /** Nothing happens before {@link #start}. */
    public OpenSmBridge(OpenSmSettings settings, FabricLoop loop) {
        meters = new OpenSmMeters(loop::nowNanos);
        troubles = new Troubles(loop);
        keeper = new TableKeeper(settings, loop, () -> loop.snapshot().computing(), troubles, meters, this::remember);
        sweeps = settings.sweepOnChange() ? new ChangeSweeps(settings, loop::nowNanos, troubles, meters) : null;
        watch = new FabricWatch(settings, loop, keeper, troubles);
        String smQuery = settings.smQuery();
        LocalPorts local = new LocalPorts(LocalPorts.KERNEL);
        presence = smQuery == null ? null : new OpenSmPresence(smQuery, settings, watch::believed, local, troubles);
    }

    /** After the loop. */
    public void start() {
        if (REHEARSED.compareAndSet(false, true)) {
            Thread rehearsal = new Thread(() -> new Rehearsal().play(), "opensm-rehearsal");
            rehearsal.setDaemon(true);
            rehearsal.start();
        }
        troubles.begin();
        keeper.start();
        if (sweeps != null) {
            sweeps.start();
        }
        watch.start();
        if (presence != null) {
            presence.start();
        }
    }

    /** True for a session of a switch that OpenSM manages. */
    public boolean owns(long session) {
        return SwitchSessions.owns(session);
    }

    /** Takes a table, which is sent together with all others of its step. */
    public void push(Effect.Push push) {
        keeper.push(push);
    }

    /** All that a step of the core sends has been taken. */
    public void performed() {
        keeper.pushed();
    }

    /** Ends what counts as a session; the switch greets again later. */
    public void dismiss(Effect.Dismiss dismiss) {
        watch.ask(dismiss);
    }

    /** Has ports reported as they were found last. */
    public void queryPorts(Effect.QueryPorts query) {
        watch.ask(query);
    }

    /** For Prometheus. */
    public MeterBinder meters() {
        return meters;
    }

    /** True while nothing is to be written or read back. */
    public boolean calm() {
        return keeper.calm();
    }

    private void remember(LoadTimes load) {
        synchronized (times) {
            times.addLast(load);
            if (times.size() > TIMES_MAX) {
                times.removeFirst();
            }
        }
    }

    /** How the last loads went, {@value #TIMES_MAX} at most, oldest first. */
    public List<LoadTimes> times() {
        synchronized (times) {
            return List.copyOf(times);
        }
    }

    /** Interrupts one of the bridge's threads, which is to end by that, and waits for it for {@value #END_SECONDS} s at most. */
    static void end(Thread thread) {
        thread.interrupt();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(END_SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        if (presence != null) {
            presence.close();
        }
        watch.close();
        if (sweeps != null) {
            sweeps.close();
        }
        keeper.close();
    }
}
