package io.dmodc.manager.loop;

import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for a rebalance in quiet times on a thread of the lowest priority. Without it the manager would be as good: whatever ends the
 * thread is logged, and nothing else comes of it.
 */
public final class QuietRebalanceWorker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(QuietRebalanceWorker.class);

    private final QuietRebalance rebalance;
    private final Thread thread = new Thread(this::run, "rebalance");

    private QuietRebalanceWorker(QuietRebalance rebalance) {
        this.rebalance = rebalance;
    }

    /**
     * Starts looking.
     *
     * @param drainKnown whether it is known how long a packet may stay in the fabric
     */
    @SuppressWarnings("ThreadPriorityCheck") // a hint where the system takes it; nothing rests on it
    public static QuietRebalanceWorker start(FabricLoop loop, EngineChoice engines, boolean drainKnown) {
        QuietRebalanceWorker worker = new QuietRebalanceWorker(new QuietRebalance(
                loop::snapshot, loop::offer, engines, drainKnown, RebalancePlanning.BYTES_MAX, loop::nowNanos));
        worker.thread.setDaemon(true);
        worker.thread.setPriority(Thread.MIN_PRIORITY);
        worker.thread.setUncaughtExceptionHandler(
                (thread, thrown) -> LOG.error("defect: nothing is rebalanced in quiet times any more", thrown));
        worker.thread.start();
        return worker;
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                TimeUnit.NANOSECONDS.sleep(rebalance.look());
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
