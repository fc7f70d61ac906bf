package io.dmodc.manager.congestion;

import io.dmodc.manager.loop.FabricLoop;
import io.dmodc.routing.quality.CongestionSummary.Samples;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures the congestion risk of the tables in force on a thread of the lowest priority. Without it the manager would be as
 * good: whatever ends the thread is logged, and nothing else comes of it.
 */
public final class CongestionWorker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CongestionWorker.class);

    /** Of the heap, the most that a measurement may take. */
    private static final int HEAP_SHARE = 4;

    private final CongestionMeter meter;
    private final Thread thread = new Thread(this::run, "congestion");

    private CongestionWorker(CongestionMeter meter) {
        this.meter = meter;
    }

    /**
     * Starts measuring.
     *
     * @param history takes what is measured
     */
    @SuppressWarnings("ThreadPriorityCheck") // a hint where the system takes it; nothing rests on it
    public static CongestionWorker start(FabricLoop loop, CongestionHistory history) {
        CongestionWorker worker = new CongestionWorker(new CongestionMeter(
                loop::snapshot,
                history,
                Samples.STANDARD,
                Runtime.getRuntime().maxMemory() / HEAP_SHARE,
                loop::nowNanos));
        worker.thread.setDaemon(true);
        worker.thread.setPriority(Thread.MIN_PRIORITY);
        worker.thread.setUncaughtExceptionHandler(
                (thread, thrown) -> LOG.error("defect: congestion is not measured any more", thrown));
        worker.thread.start();
        return worker;
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                TimeUnit.NANOSECONDS.sleep(meter.look());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for the part in work. */
    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
