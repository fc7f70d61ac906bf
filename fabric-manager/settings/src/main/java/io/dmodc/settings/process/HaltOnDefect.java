package io.dmodc.settings.process;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.Thread.UncaughtExceptionHandler;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;

/**
 * Ends the process when a thread dies of something nobody caught: says why, once and with the stack, and halts with exit
 * code {@value #EXIT_CODE}. Nothing is closed, said goodbye to or stored: who does not know what state he is in leaves the
 * rest to his successor.
 *
 * <p>The words go to standard error past the queue of the log, which is given {@value #FLUSH_MILLIS} ms to empty itself
 * before. All together takes at most {@value #WRITE_MILLIS} ms, also if nobody reads. Thread-safe.
 */
public final class HaltOnDefect implements UncaughtExceptionHandler {
    /** "Internal software error" in sysexits.h. */
    public static final int EXIT_CODE = 70;

    private static final int FLUSH_MILLIS = 500;
    private static final int WRITE_MILLIS = 2000;

    private final String consequence;
    private final OutputStream err;
    private final IntConsumer halt;
    private final AtomicBoolean ending = new AtomicBoolean();

    /** @param consequence what that means for the fabric, for people */
    public HaltOnDefect(String consequence) {
        // Not System.err: a thread that cannot write to it may hold its lock.
        this(consequence, new FileOutputStream(FileDescriptor.err), Runtime.getRuntime()::halt);
    }

    HaltOnDefect(String consequence, OutputStream err, IntConsumer halt) {
        this.consequence = consequence;
        this.err = err;
        this.halt = halt;
    }

    /** Has this process ended so from now on, whichever thread dies. */
    public static void install(String consequence) {
        Thread.setDefaultUncaughtExceptionHandler(new HaltOnDefect(consequence));
    }

    /**
     * Hands over what a library would swallow, as event loops and executors do, to who is told when the current thread
     * dies of it.
     */
    public static void hand(Throwable defect) {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, defect);
    }

    /** The same work, with {@link #hand} for whatever it throws. */
    public static Runnable guarding(Runnable work) {
        return () -> {
            try {
                work.run();
            } catch (RuntimeException | Error e) {
                hand(e);
            }
        };
    }

    @Override
    public void uncaughtException(Thread thread, Throwable defect) {
        if (!ending.compareAndSet(false, true)) {
            return;
        }
        try {
            Thread writer = new Thread(() -> write(thread, defect), "last-words");
            writer.setDaemon(true);
            // Its own death must not be told to this handler again.
            writer.setUncaughtExceptionHandler((ignored, end) -> {});
            writer.start();
            TimeUnit.MILLISECONDS.timedJoin(writer, WRITE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            halt.accept(EXIT_CODE);
        }
    }

    private void write(Thread thread, Throwable defect) {
        LogQueues.flush(FLUSH_MILLIS);
        try {
            err.write(text(thread, defect).getBytes(StandardCharsets.UTF_8));
            err.flush();
        } catch (IOException e) {
            // Nobody is there to hear it; the exit code says the rest.
        }
    }

    private String text(Thread thread, Throwable defect) {
        StringWriter text = new StringWriter();
        text.append(OffsetDateTime.now(ZoneId.systemDefault())
                        .truncatedTo(ChronoUnit.MILLIS)
                        .toString())
                .append(" ERROR defect on thread '")
                .append(thread.getName())
                .append("': the process ends with exit code ")
                .append(Integer.toString(EXIT_CODE))
                .append("; ")
                .append(consequence)
                .append(System.lineSeparator());
        defect.printStackTrace(new PrintWriter(text, true));
        return text.toString();
    }
}
