package io.dmodc.manager.loop;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks again and again, on a thread of the lowest priority, whether there is something to do behind the epochs. Without it the
 * manager would be as good: whatever ends the thread is logged, and nothing else comes of it.
 */
public final class BackgroundLooks implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BackgroundLooks.class);

    private final LongSupplier look;
    private final Thread thread;

    private BackgroundLooks(String name, LongSupplier look) {
        this.look = look;
        thread = new Thread(this::run, name);
    }

    /**
     * Starts looking.
     *
     * @param name of the thread
     * @param look does what there is to do, and says how many nanoseconds to rest before the next call
     * @param loss what is missing when the thread has ended by a mistake, for people
     */
    @SuppressWarnings("ThreadPriorityCheck") // a hint where the system takes it; nothing rests on it
    public static BackgroundLooks start(String name, LongSupplier look, String loss) {
        BackgroundLooks looks = new BackgroundLooks(name, look);
        looks.thread.setDaemon(true);
        looks.thread.setPriority(Thread.MIN_PRIORITY);
        looks.thread.setUncaughtExceptionHandler((thread, thrown) -> LOG.error("defect: {}", loss, thrown));
        looks.thread.start();
        return looks;
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                TimeUnit.NANOSECONDS.sleep(look.getAsLong());
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
