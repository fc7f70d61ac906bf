package io.dmodc.settings.process;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The log's way to standard error: lines wait in a bounded queue for a thread of its own, so that nobody who logs ever
 * waits for whoever reads them. When the queue is full new lines are dropped and counted, and the count is a line of the
 * log once lines are read again.
 *
 * <p>Logback's own AsyncAppender drops without a word.
 */
public final class QueuedStderr extends ConsoleAppender<ILoggingEvent> implements LogQueues.Queue {
    /** Lines that wait at most, unless the settings of the log say otherwise. */
    public static final int QUEUE_MAX = 8192;

    private static final int STOP_MILLIS = 1000;

    /** So late at most the number of dropped lines is told when nothing else is. */
    private static final long IDLE_MILLIS = 10_000;

    private static final long END_MILLIS = 400;

    private int queueSize = QUEUE_MAX;
    private volatile @Nullable BlockingQueue<ILoggingEvent> queue;
    private volatile @Nullable Thread writer;
    private final AtomicLong taken = new AtomicLong();
    private final AtomicLong written = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();

    /** Sets how many lines may wait, at least 1; before the start. */
    public void setQueueSize(int lines) {
        queueSize = Math.max(1, lines);
    }

    /** Lines dropped since the start. */
    public long dropped() {
        return dropped.get();
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // a hint: nothing rests on it
    public void start() {
        queue = new ArrayBlockingQueue<>(queueSize);
        super.start();
        if (isStarted()) {
            Thread thread = new Thread(this::write, "log-writer");
            thread.setDaemon(true);
            thread.setPriority(Thread.MIN_PRIORITY); // what is told of goes before what tells of it
            writer = thread;
            LogQueues.add(this);
            thread.start();
        }
    }

    @Override
    protected void append(ILoggingEvent event) {
        BlockingQueue<ILoggingEvent> waiting = queue;
        if (!isStarted() || waiting == null) {
            return;
        }
        event.prepareForDeferredProcessing();
        // Counted first: a line that is being written was taken.
        taken.incrementAndGet();
        if (!waiting.offer(event)) {
            taken.decrementAndGet();
            dropped.incrementAndGet();
        }
    }

    private void write() {
        BlockingQueue<ILoggingEvent> waiting = queue;
        long told = 0;
        try {
            while (waiting != null && writer == Thread.currentThread()) {
                ILoggingEvent event = waiting.poll(IDLE_MILLIS, TimeUnit.MILLISECONDS);
                if (event != null) {
                    writeOne(event);
                    written.incrementAndGet();
                }
                long now = dropped.get();
                if (now > told && waiting.isEmpty()) {
                    writeOne(droppedLine(now - told));
                    told = now;
                }
            }
        } catch (InterruptedException e) {
            long untold = dropped.get() - told;
            if (untold > 0) {
                writeOne(droppedLine(untold));
            }
            Thread.currentThread().interrupt();
        }
    }

    private void writeOne(ILoggingEvent event) {
        try {
            super.append(event);
        } catch (RuntimeException e) {
            addError("a line of the log could not be written", e);
        }
    }

    private LoggingEvent droppedLine(long lines) {
        LoggingEvent event = new LoggingEvent();
        event.setLoggerName(QueuedStderr.class.getName());
        event.setLevel(Level.WARN);
        event.setThreadName("log-writer");
        event.setTimeStamp(System.currentTimeMillis());
        event.setMessage(lines + " lines of the log were dropped: standard error was not read, and " + queueSize
                + " lines wait at most");
        if (getContext() instanceof LoggerContext context) {
            event.setLoggerContext(context);
        }
        return event;
    }

    @Override
    public void awaitWritten(long untilNanos) throws InterruptedException {
        long wanted = taken.get();
        while (written.get() < wanted && System.nanoTime() < untilNanos) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    /** Writes what waits, for a second at most; a reader that has stopped is not waited for. */
    @Override
    public void stop() {
        Thread thread = writer;
        if (thread == null) {
            super.stop();
            return;
        }
        LogQueues.remove(this);
        try {
            awaitWritten(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(STOP_MILLIS));
            writer = null;
            // It waits for lines; one that writes is not disturbed by that.
            thread.interrupt();
            thread.join(END_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!thread.isAlive()) {
            // Else the thread holds the stream in a write that does not end.
            super.stop();
        }
    }
}
