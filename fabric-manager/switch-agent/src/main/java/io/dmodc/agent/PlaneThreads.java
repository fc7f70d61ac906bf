package io.dmodc.agent;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Where planes are waited for: a switch may take seconds to install a table, and meanwhile its agent must answer the
 * manager and its neighbours.
 *
 * <p>{@value #THREADS_MAX} threads for all agents of the process, none while there is nothing to do. What waits is bounded
 * by the agents: each has one table under way.
 */
final class PlaneThreads {
    static final int THREADS_MAX = 4;

    private static final int IDLE_SECONDS = 10;
    private static final ThreadPoolExecutor THREADS = new ThreadPoolExecutor(
            THREADS_MAX,
            THREADS_MAX,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            new DefaultThreadFactory("plane", true));

    static {
        THREADS.allowCoreThreadTimeOut(true);
    }

    private PlaneThreads() {}

    static void run(Runnable installation) {
        THREADS.execute(installation);
    }
}
