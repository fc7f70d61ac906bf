package io.dmodc.manager.opensm;

import io.dmodc.manager.opensm.OpenSmLog.Kind;
import io.dmodc.manager.opensm.OpenSmLog.News;
import io.dmodc.subnet.CommandFailedException;
import io.dmodc.subnet.OpenSmSettings;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Has OpenSM sweep when its log names a change, where its settings say {@code sweep_on_trap FALSE}. By itself it would begin with the notice of one end of a
 * cable, and look at the whole fabric once more when that of the other end comes a moment after it has begun. So {@value #SETTLE_MILLIS} ms are waited for both.
 *
 * <p>While OpenSM's log does not say that tables are sent it is told {@value #SIGNALS_MAX} times at most, as each time it looks once more: a port that does
 * not come to rest keeps nobody from getting tables. After half of {@code load-timeout} that counts no more. {@value #QUEUE_MAX} news wait at most; of more, none is
 * needed. One thread, as nothing else may keep a sweep waiting, nor a sweep that: a reading of all switches, or a look.
 */
final class ChangeSweeps implements AutoCloseable {
    static final int SETTLE_MILLIS = 10;
    static final int SIGNALS_MAX = 3;
    private static final int QUEUE_MAX = 1024;
    private static final long SETTLE_NANOS = TimeUnit.MILLISECONDS.toNanos(SETTLE_MILLIS);

    private final LongSupplier clock;
    private final Troubles troubles;
    private final OpenSmMeters meters;
    private final HupSignal hup;
    private final long sentTimeoutNanos;
    private final BlockingQueue<News> news = new ArrayBlockingQueue<>(QUEUE_MAX);
    private final Thread thread = new Thread(this::run, "opensm-sweeps");
    private volatile boolean closed;

    /** True if a change is to be told; the first of those that are was heard of at {@link #changedNanos}. */
    private boolean due;

    private long changedNanos;

    /** How often OpenSM was told since it last sent tables, and when last. */
    private int signals;

    private long signalledNanos;

    /** @param clock monotonic nanoseconds */
    ChangeSweeps(OpenSmSettings settings, LongSupplier clock, Troubles troubles, OpenSmMeters meters) {
        this.clock = clock;
        this.troubles = troubles;
        this.meters = meters;
        hup = new HupSignal(settings);
        sentTimeoutNanos = settings.loadTimeout().toNanos() / 2;
    }

    void start() {
        thread.start();
    }

    /** What OpenSM's log says. Any thread, never blocks. */
    void heard(News said) {
        if (said.kind() != Kind.SWEPT) {
            news.offer(said);
        }
    }

    private void run() {
        try {
            while (!closed) {
                News said = due
                        ? news.poll(Math.max(dueNanos() - clock.getAsLong(), 0), TimeUnit.NANOSECONDS)
                        : news.take();
                if (said != null) {
                    take(said);
                }
                step();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // Closed.
        }
    }

    void take(News said) {
        if (said.kind() == Kind.CONFIGURED) {
            signals = 0;
        } else if (!due) {
            due = true;
            changedNanos = clock.getAsLong();
        }
    }

    /** When OpenSM is to be told; only while something is due. */
    private long dueNanos() {
        long settled = changedNanos + SETTLE_NANOS;
        return signals < SIGNALS_MAX ? settled : Math.max(settled, signalledNanos + sentTimeoutNanos);
    }

    /** Tells OpenSM if it is time to. What is heard from then on is not known to be in its sweep. */
    void step() throws InterruptedException {
        if (!due || dueNanos() - clock.getAsLong() > 0) {
            return;
        }
        due = false;
        signals++;
        signalledNanos = clock.getAsLong();
        meters.signalled(false);
        try {
            hup.send();
            troubles.clear(Troubles.Kind.SIGNAL);
        } catch (CommandFailedException e) {
            troubles.set(Troubles.Kind.SIGNAL, "OpenSM cannot be told to sweep: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(2));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
