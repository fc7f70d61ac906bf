package io.dmodc.e2e;

import io.dmodc.e2e.TrialFabric.TrialCable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Pulls a cable and plugs it in again in turn, every 100 ms, until it is closed; then it is in. */
final class CableFlapper implements AutoCloseable {
    private static final int PERIOD_MILLIS = 100;

    private final TrialFabric fabric;
    private final TrialCable cable;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final ScheduledFuture<?> flaps;
    private final AtomicInteger turns = new AtomicInteger();

    CableFlapper(TrialFabric fabric, TrialCable cable) {
        this.fabric = fabric;
        this.cable = cable;
        flaps = timer.scheduleAtFixedRate(this::turn, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void turn() {
        try {
            fabric.plug(turns.get() % 2 == 0 ? Set.of(cable) : Set.of());
            turns.incrementAndGet();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How often it was out and in again. */
    int count() {
        return turns.get() / 2;
    }

    @Override
    public void close() throws IOException, InterruptedException {
        boolean failed = flaps.isDone();
        timer.shutdownNow();
        if (failed || !timer.awaitTermination(1, TimeUnit.MINUTES)) {
            throw new IOException("the cable flaps no more, or without end");
        }
        fabric.plug(Set.of());
    }
}
