package io.dmodc.detector.net;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread of ring endpoints: it waits for their sockets and timers, and for nothing else. What kept it busy longer than η would look
 * like a dead agent to others. At η = 100 ms an endpoint takes less than 0.1 % of a core where many share a loop, so hundreds of them fit.
 *
 * <p>In one turn it reads what waits in each socket, {@value #READS_PER_TURN} datagrams at most, does what it was given to do, and fires
 * the timers that were due before: so a timer that is armed for now fires after the sockets were looked at once more. Timers fire
 * a millisecond late at most, beside what else the thread does.
 *
 * <p>On plain channels of the JDK: an endpoint wakes forty times a second for a datagram or two, and so seldom code costs what it is long.
 */
public final class RingLoop implements AutoCloseable {
    /** Datagrams read from a socket before others and timers have their turn; after a pause a burst of them waits there. */
    static final int READS_PER_TURN = 64;

    /** One byte more than a datagram, so that a longer one is seen to be longer. */
    private static final int SCRATCH_BYTES = Datagram.LENGTH_MAX + 1;

    /** Who ends the loop waits so long for its thread. */
    private static final long END_MILLIS = 2_000;

    private static final Logger LOG = LoggerFactory.getLogger(RingLoop.class);

    /** A socket on the loop, attached to its key. All is called on the loop's thread. */
    interface Socket {
        /** Something waits; {@code scratch} is free again when it returns. Throws nothing. */
        void read(ByteBuffer scratch);

        /** Closes, if it is not closed. */
        void close();
    }

    /** Something to be done at a time; on the loop's thread. */
    static final class Timer {
        /** Of {@link System#nanoTime}. */
        private final long at;

        private final Runnable work;
        private boolean cancelled;

        private Timer(long at, Runnable work) {
            this.at = at;
            this.work = work;
        }

        /** Has it not done, nor the loop woken for it. */
        void cancel() {
            cancelled = true;
        }
    }

    private final Selector selector;
    private final Thread thread;
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final PriorityQueue<Timer> timers = new PriorityQueue<>(Comparator.comparingLong(this::ahead));
    private final ArrayDeque<Timer> due = new ArrayDeque<>();
    private final long origin = System.nanoTime();
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(SCRATCH_BYTES);
    private final Consumer<SelectionKey> reader = this::read;
    private volatile boolean closing;

    /** Guarded by {@link #tasks}: nobody does them any more. */
    private boolean ended;

    private RingLoop(Selector selector, String name) {
        this.selector = selector;
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    /**
     * Starts a daemon thread; {@link #close} ends it.
     *
     * @throws IllegalStateException when the kernel gives no more descriptors
     */
    public static RingLoop start(String name) {
        try {
            RingLoop loop = new RingLoop(Selector.open(), name);
            loop.thread.start();
            return loop;
        } catch (IOException e) {
            throw new IllegalStateException("detector: cannot wait for sockets: " + e.getMessage(), e);
        }
    }

    Selector selector() {
        return selector;
    }

    /** True where there is one socket on it. */
    boolean isOfOne() {
        return selector.keys().size() == 1;
    }

    /**
     * Has the loop do it, after what it was given before; from any thread.
     *
     * @return false: it has ended, and with it all sockets
     */
    boolean execute(Runnable work) {
        synchronized (tasks) {
            if (ended) {
                return false;
            }
            tasks.add(work);
        }
        selector.wakeup();
        return true;
    }

    /** True on the loop's own thread, which must not wait for itself. */
    boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    /** On the loop's thread: has it done then, unless the loop ends before. */
    public void schedule(long atNanoTime, Runnable work) {
        timer(atNanoTime, work);
    }

    /** The same; returns what can be cancelled. */
    Timer timer(long atNanoTime, Runnable work) {
        Timer timer = new Timer(atNanoTime, work);
        timers.add(timer);
        return timer;
    }

    /** Closes all sockets on it without a word to anybody, and waits until its thread has ended, unless called on that. */
    @Override
    public void close() {
        closing = true;
        selector.wakeup();
        try {
            if (!isCurrent()) {
                thread.join(END_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** On the loop's thread: gives the kernel back what was closed, which otherwise waits for the next turn. */
    void releaseClosed() {
        try {
            selector.selectNow(reader);
        } catch (IOException e) {
            LOG.debug("selector", e);
        }
    }

    private void run() {
        try {
            while (!closing) {
                await();
                doTasks();
                fireTimers();
            }
        } catch (IOException e) {
            throw new IllegalStateException("detector: cannot wait for sockets any more", e);
        } finally {
            end();
        }
    }

    private void end() {
        selector.keys().forEach(key -> ((Socket) key.attachment()).close());
        try {
            selector.close();
        } catch (IOException e) {
            LOG.debug("selector", e);
        }
        synchronized (tasks) {
            ended = true;
        }
        doTasks(); // somebody may wait for one
    }

    /** Cancelled ones go when they are the first, so there are as many as were armed within the longest time at most. */
    private @Nullable Timer first() {
        Timer first = timers.peek();
        while (first != null && first.cancelled) {
            timers.remove();
            first = timers.peek();
        }
        return first;
    }

    private void await() throws IOException {
        Timer first = first();
        long left = first == null ? Long.MAX_VALUE : first.at - System.nanoTime();
        if (left <= 0) {
            selector.selectNow(reader);
        } else {
            // 0 is for ever; rounded up, so that what is due then is due indeed.
            selector.select(reader, first == null ? 0 : TimeUnit.NANOSECONDS.toMillis(left) + 1);
        }
    }

    private void read(SelectionKey key) {
        ((Socket) key.attachment()).read(scratch);
    }

    private void doTasks() {
        for (Runnable task = nextTask(); task != null; task = nextTask()) {
            task.run();
        }
    }

    private @Nullable Runnable nextTask() {
        synchronized (tasks) {
            return tasks.poll();
        }
    }

    private void fireTimers() {
        long now = System.nanoTime();
        for (Timer first = first(); first != null && first.at - now <= 0; first = first()) {
            due.add(timers.remove());
        }
        for (Timer each = due.poll(); each != null; each = due.poll()) {
            if (!each.cancelled) {
                each.work.run();
            }
        }
    }

    private long ahead(Timer timer) {
        return timer.at - origin;
    }
}
