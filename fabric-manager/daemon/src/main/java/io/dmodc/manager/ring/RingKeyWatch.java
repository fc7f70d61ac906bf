package io.dmodc.manager.ring;

import io.dmodc.detector.net.RingKey;
import io.dmodc.settings.process.HaltOnDefect;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Gives the manager's place in the ring the newest key, on a thread of its own: a disk that hangs must not stop heartbeats. */
public final class RingKeyWatch implements AutoCloseable {
    private static final long LOOK_MILLIS = 1_000;

    private final Supplier<RingKey> keys;
    private final ManagerRingMember member;
    private final ScheduledThreadPoolExecutor watcher = new ScheduledThreadPoolExecutor(1, work -> {
        Thread thread = new Thread(work, "ring-key");
        thread.setDaemon(true);
        return thread;
    });

    private RingKeyWatch(Supplier<RingKey> keys, ManagerRingMember member) {
        this.keys = keys;
        this.member = member;
    }

    /** @param keys asked once in a second, and at each {@link #look} */
    public static RingKeyWatch start(Supplier<RingKey> keys, ManagerRingMember member) {
        RingKeyWatch watch = new RingKeyWatch(keys, member);
        watch.watcher.scheduleWithFixedDelay(
                HaltOnDefect.guarding(watch::look), LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        return watch;
    }

    /** Asks now. */
    public void look() {
        member.use(keys.get());
    }

    @Override
    public void close() {
        watcher.shutdownNow();
    }
}
