package io.dmodc.manager.opensm;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** What the bridge counts and times. Thread-safe, never blocks. */
final class OpenSmMeters implements MeterBinder {
    private static final Duration[] BUCKETS = {
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(200),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofSeconds(2),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofSeconds(60)
    };

    private final LongSupplier clock;
    private final AtomicLong dumps = new AtomicLong();
    private final AtomicLong blocks = new AtomicLong();
    private final AtomicLong withdrawals = new AtomicLong();
    private final AtomicLong signals = new AtomicLong();
    private final AtomicLong repeats = new AtomicLong();
    private final AtomicLong differences = new AtomicLong();
    private final AtomicInteger differing = new AtomicInteger();
    private final AtomicInteger silent = new AtomicInteger();

    /** When all switches were last seen to hold what is written; 0 before. */
    private final AtomicLong readBackNanos = new AtomicLong();

    private volatile @Nullable Timer noticeToReadBack;

    /** @param clock monotonic nanoseconds */
    OpenSmMeters(LongSupplier clock) {
        this.clock = clock;
    }

    /** A dump is in its place, with so many blocks that the one before had not. */
    void written(int changedBlocks) {
        dumps.incrementAndGet();
        blocks.addAndGet(changedBlocks);
    }

    void withdrawn() {
        withdrawals.incrementAndGet();
    }

    /** OpenSM is told. */
    void signalled(boolean again) {
        signals.incrementAndGet();
        repeats.addAndGet(again ? 1 : 0);
    }

    /** So it stood when switches were read last. */
    void read(int differingSwitches, int silentSwitches) {
        differing.set(differingSwitches);
        silent.set(silentSwitches);
    }

    /** So many switches hold something else although they had time. */
    void different(int switches) {
        differences.addAndGet(switches);
    }

    /**
     * All switches were seen to hold what is written.
     *
     * @param noticedNanos when the change came to notice that it answers; 0 for none
     */
    void readBack(long noticedNanos) {
        long now = clock.getAsLong();
        readBackNanos.set(now);
        Timer timer = noticeToReadBack;
        if (timer != null && noticedNanos != 0) {
            timer.record(now - noticedNanos, TimeUnit.NANOSECONDS);
        }
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        noticeToReadBack = Timer.builder("fabric.opensm.notice.to.read.back")
                .description("First news of a change, in OpenSM's log or by a look, to the last switch seen to hold the"
                        + " dump that answers it")
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
        counter(registry, "dumps", "Dumps written for OpenSM", dumps);
        counter(registry, "blocks", "Blocks of 64 entries in these that the dump before had not", blocks);
        counter(registry, "withdrawals", "Dumps taken away because they used a dead port", withdrawals);
        counter(registry, "signals", "SIGHUPs sent to OpenSM, repeated ones included", signals);
        counter(registry, "signals.repeated", "SIGHUPs sent again because switches did not follow", repeats);
        counter(
                registry,
                "differences",
                "Times a switch held something else than written when it had had time",
                differences);
        gauge(
                registry,
                "switches.differing",
                "Switches that held something else than written when read last",
                differing::get);
        gauge(registry, "switches.silent", "Switches that did not say what they hold when asked last", silent::get);
        Gauge.builder("fabric.opensm.since.read.back", this, OpenSmMeters::sinceReadBack)
                .baseUnit("seconds")
                .description("Time since all switches were seen to hold what is written; NaN before the first time")
                .register(registry);
    }

    private double sinceReadBack() {
        long at = readBackNanos.get();
        return at == 0 ? Double.NaN : (clock.getAsLong() - at) / 1e9;
    }

    private static void counter(MeterRegistry registry, String name, String text, AtomicLong of) {
        FunctionCounter.builder("fabric.opensm." + name, of, AtomicLong::get)
                .description(text)
                .register(registry);
    }

    private static void gauge(MeterRegistry registry, String name, String text, DoubleSupplier value) {
        Gauge.builder("fabric.opensm." + name, value::getAsDouble)
                .description(text)
                .register(registry);
    }
}
