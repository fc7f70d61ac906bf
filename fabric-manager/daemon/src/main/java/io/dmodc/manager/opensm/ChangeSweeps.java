package io.dmodc.manager.opensm;

import io.dmodc.manager.opensm.OpenSmLog.News;
import io.dmodc.subnet.OpenSmSettings;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Has OpenSM sweep when its log names a change, where its settings say {@code sweep_on_trap FALSE}. By itself it would begin with the notice of one end of a
 * cable, and look at the whole fabric once more when that of the other end comes a moment after it has begun. So {@value #SETTLE_MILLIS} ms are waited for both.
 *
 * <p>While OpenSM's log does not say that tables are sent it is told {@value #SIGNALS_MAX} times at most, as each time it looks once more: a port that does
 * not come to rest keeps nobody from getting tables. After half of {@code load-timeout} that counts no more. Of what the same port says again and again, each time
 * less than {@value #NOISE_SECONDS} s after the last, it is told {@value #NOISE_MAX} times and then no more until it is quiet: so OpenSM itself does, which logs all the
 * same, and sees it in its next light sweep.
 *
 * <p>What OpenSM could not be told it is told after {@value #AGAIN_MIN_SECONDS} s, then after twice that each time, {@value #AGAIN_MAX_SECONDS} s at most, until it is told or its log says that tables are sent:
 * then it has swept, whatever for, and what was heard of well before is in them.
 *
 * <p>Follows the log by itself, in a thread of its own: a look at switches that do not answer may keep no sweep waiting.
 */
final class ChangeSweeps implements AutoCloseable {
    static final int SETTLE_MILLIS = 10;
    static final int SIGNALS_MAX = 3;
    static final int NOISE_MAX = 10;
    static final int NOISE_SECONDS = 10;
    static final int AGAIN_MIN_SECONDS = 1;

    /** As OpenSM's own light sweeps: nobody waits longer for a change to be seen than without a manager. */
    static final int AGAIN_MAX_SECONDS = 10;

    /** What was heard of so long before tables are sent is in them, at least where no sweep of late took half as long. */
    static final int SEEN_SECONDS = 1;

    /** How often the log is read. */
    private static final int READ_MILLIS = 10;

    private static final int SPEAKERS_MAX = 1024;
    private static final long NOISE_NANOS = TimeUnit.SECONDS.toNanos(NOISE_SECONDS);
    private static final long SETTLE_NANOS = TimeUnit.MILLISECONDS.toNanos(SETTLE_MILLIS);

    private final LongSupplier clock;
    private final OpenSmMeters meters;
    private final HupSignal hup;
    private final long sentTimeoutNanos;
    private final SweepTimes times;
    private final OpenSmLog log;
    private final Thread thread = new Thread(this::run, "opensm-sweeps");
    private volatile boolean closed;

    /** True if a change is to be told; the first of those that are was heard of at {@link #changedNanos}. */
    private boolean due;

    private long changedNanos;

    /** When the last of them was heard of. */
    private long heardNanos;

    /** When the log was last read through: what it says next was written since. */
    private long readNanos;

    /** How often OpenSM was told since it last sent tables, and when last. */
    private int signals;

    private long signalledNanos;

    /** When OpenSM may be told again that could not be, and how long after that if it cannot be then; 0 and the least while it can. */
    private long retryNanos;

    private int againSeconds = AGAIN_MIN_SECONDS;

    /** How often something was said in a row, and when last. */
    private record Said(int times, long lastNanos) {}

    /** By what was said, and by whom; of more than {@value #SPEAKERS_MAX} those are forgotten that have said nothing for longest. */
    private final Map<News, Said> said = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<News, Said> eldest) {
            return size() > SPEAKERS_MAX;
        }
    };

    /** @param clock monotonic nanoseconds */
    ChangeSweeps(OpenSmSettings settings, LongSupplier clock, Troubles troubles, OpenSmMeters meters) {
        this.clock = clock;
        this.meters = meters;
        hup = new HupSignal(settings, troubles, Troubles.Kind.SWEEP_SIGNAL);
        times = new SweepTimes(settings.loadTimeout().toNanos());
        log = new OpenSmLog(Objects.requireNonNull(settings.log()), clock);
        sentTimeoutNanos = settings.loadTimeout().toNanos() / 2;
    }

    void start() {
        thread.start();
    }

    private void run() {
        try (log) {
            while (!closed) {
                log.news().forEach(this::take);
                step();
                Thread.sleep(READ_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // Closed.
        }
    }

    void take(News one) {
        switch (one.kind()) {
            case CONFIGURED -> sent();
            case CHANGED, LOCAL -> {
                if (!isNoise(one)) {
                    heardNanos = clock.getAsLong();
                    changedNanos = due ? changedNanos : heardNanos;
                    due = true;
                }
            }
            case ERRORS, SWEPT -> {}
        }
    }

    private void sent() {
        times.sent(clock.getAsLong());
        signals = 0;
        long seenNanos = Math.max(TimeUnit.SECONDS.toNanos(SEEN_SECONDS), 2 * times.slowestNanos());
        if (retryNanos != 0 && readNanos - heardNanos >= seenNanos) {
            due = false;
            told();
            hup.over();
        }
    }

    private boolean isNoise(News one) {
        long now = clock.getAsLong();
        Said before = said.get(one);
        int times = before != null && now - before.lastNanos < NOISE_NANOS ? before.times + 1 : 1;
        said.put(one, new Said(times, now));
        return times > NOISE_MAX;
    }

    /** When OpenSM is to be told; only while something is due. */
    private long dueNanos() {
        long settled = Math.max(changedNanos + SETTLE_NANOS, retryNanos);
        return signals < SIGNALS_MAX ? settled : Math.max(settled, signalledNanos + sentTimeoutNanos);
    }

    /** Tells OpenSM if it is time to. What is heard from then on is not known to be in its sweep. */
    void step() throws InterruptedException {
        readNanos = clock.getAsLong();
        if (!due || dueNanos() - clock.getAsLong() > 0) {
            return;
        }
        due = false;
        if (hup.send()) {
            signals++;
            signalledNanos = readNanos;
            meters.signalled(false);
            times.signalled(signalledNanos);
            told();
        } else {
            due = true;
            retryNanos = clock.getAsLong() + TimeUnit.SECONDS.toNanos(againSeconds);
            againSeconds = Math.min(2 * againSeconds, AGAIN_MAX_SECONDS);
        }
    }

    private void told() {
        retryNanos = 0;
        againSeconds = AGAIN_MIN_SECONDS;
    }

    @Override
    public void close() {
        closed = true;
        OpenSmBridge.end(thread);
    }
}
