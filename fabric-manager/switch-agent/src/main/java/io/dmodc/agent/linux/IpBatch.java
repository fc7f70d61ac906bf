package io.dmodc.agent.linux;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One {@code ip -force -batch -} that runs as long as it is needed: starting one for each change would take longer than most changes.
 *
 * <p>It does each line as it comes, says nothing of those that succeed, and of others why, then {@code Command failed -:N} with the number
 * of the line since its start. Behind each batch goes a line that it does not understand: its failure tells that all before it is done.
 * What it says comes through one pipe, so in order.
 *
 * <p>Used by one thread, which waits; another reads.
 */
final class IpBatch implements AutoCloseable {
    /** So long it may take to read a batch of {@link #LINES_MAX}, and as long again until it is done. */
    static final long ANSWER_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Most lines in one batch. */
    static final int LINES_MAX = 8192;

    /** After so many lines it is to be replaced: the ip of iproute2 6.1 keeps a page of 4 KiB for each line that succeeded, so 48 MiB with the last piece. */
    static final long LIFE_LINES = 1L << 13;

    /** So much a pipe takes though nobody reads: Linux gives it twice that, but to a user without privilege who has a thousand of them. */
    private static final int PIPE_BYTES = 1 << 15;

    private static final long END_MILLIS = 1_000;
    private static final int MESSAGE_CHARS_MAX = 200;
    private static final String SENTINEL = "batch-end\n";
    private static final Pattern FAILED = Pattern.compile("Command failed -:(\\d{1,18})");

    private final Process process;
    private final OutputStream in;
    private final long answerNanos;

    /** Lines told since its start. */
    private long told;

    /** Of the batch begun last. */
    private long first;

    /** Guarded by this object, as the rest. */
    private final Map<Long, String> failures = new HashMap<>();

    /** The last line that it said it was done with. */
    private long sentinel;

    private @Nullable String ended;

    /** What it said last of no line; empty for nothing. */
    private String said = "";

    @SuppressWarnings("ThreadPriorityCheck") // a hint: nothing rests on it
    private IpBatch(Process process, long answerNanos) {
        this.process = process;
        this.answerNanos = answerNanos;
        in = process.getOutputStream();
        Thread reader = new Thread(this::read, UrgentThreads.IP_BATCH);
        reader.setDaemon(true);
        reader.setPriority(Thread.MAX_PRIORITY);
        reader.start();
    }

    /** @throws IOException when there is no such program, or it may not be started */
    static IpBatch start(List<String> command) throws IOException {
        return start(command, ANSWER_NANOS);
    }

    /** @param answerNanos how long it may take to read a batch, and then to answer */
    static IpBatch start(List<String> command, long answerNanos) throws IOException {
        return new IpBatch(new ProcessBuilder(command).redirectErrorStream(true).start(), answerNanos);
    }

    /** Returns whether it was told so much that it is to be replaced. */
    boolean isWornOut() {
        return told >= LIFE_LINES;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /**
     * Has lines done, in order.
     *
     * @param lines each with its end
     * @param count of lines, at most {@link #LINES_MAX}
     * @return why lines failed, by their number from 0
     * @throws IOException when it ended, or does not answer: then nobody knows which were done
     */
    Map<Integer, String> run(CharSequence lines, int count) throws IOException {
        begin(lines, count);
        return awaitDone();
    }

    /** Begins what {@link #awaitDone} waits for; as {@link #run}. */
    void begin(CharSequence lines, int count) throws IOException {
        first = told + 1;
        told += count + 1;
        synchronized (this) {
            failures.clear();
        }
        byte[] bytes = (lines + SENTINEL).getBytes(StandardCharsets.US_ASCII);
        Thread watch = bytes.length <= PIPE_BYTES ? null : watch(answerNanos);
        try {
            in.write(bytes);
            in.flush();
        } catch (IOException e) {
            throw new IOException("ip takes no more commands: " + lastWords(), e);
        } finally {
            if (watch != null) {
                watch.interrupt();
            }
        }
    }

    /** Ends the program unless it is interrupted in time: whoever writes into a pipe that is full waits for ever. */
    private Thread watch(long nanos) {
        Thread watch = new Thread(
                () -> {
                    try {
                        TimeUnit.NANOSECONDS.sleep(nanos);
                        process.destroyForcibly();
                    } catch (InterruptedException e) {
                        // All is written.
                    }
                },
                "ip-watch");
        watch.setDaemon(true);
        watch.start();
        return watch;
    }

    /** Its end and what it said before, which come by two ways, either of them first. */
    private String lastWords() {
        try {
            if (process.waitFor(END_MILLIS, TimeUnit.MILLISECONDS)) {
                awaitAllSaid();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (process.isAlive()) {
            return "it closed its input";
        }
        synchronized (this) {
            return "it ended with exit code " + process.exitValue() + (said.isEmpty() ? "" : ": " + said);
        }
    }

    private synchronized void awaitAllSaid() throws InterruptedException {
        long most = TimeUnit.MILLISECONDS.toNanos(END_MILLIS);
        long deadline = System.nanoTime() + most;
        for (long left = most; ended == null && left > 0; left = deadline - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }

    /** Waits for the end of what was begun last; as {@link #run}. */
    synchronized Map<Integer, String> awaitDone() throws IOException {
        long deadline = System.nanoTime() + answerNanos;
        while (sentinel < told && ended == null) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                throw new IOException("ip did not answer within " + TimeUnit.NANOSECONDS.toSeconds(answerNanos) + " s");
            }
            try {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("the agent ends", e);
            }
        }
        if (sentinel < told) {
            throw new IOException(ended);
        }
        Map<Integer, String> byLine = new HashMap<>();
        failures.forEach((line, why) -> {
            if (line >= first && line < told) {
                byLine.put((int) (line - first), why);
            }
        });
        return byLine;
    }

    private void read() {
        String end = "its output cannot be read";
        String last = "";
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            String message = "";
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                Matcher failed = FAILED.matcher(line);
                if (failed.matches()) {
                    failed(Long.parseLong(failed.group(1)), message);
                    message = "";
                } else {
                    message = line.substring(0, Math.min(line.length(), MESSAGE_CHARS_MAX));
                }
            }
            last = message;
            end = "ip ended" + (message.isEmpty() ? "" : ": " + message);
        } catch (IOException e) {
            end += ": " + e.getMessage();
        }
        synchronized (this) {
            said = last;
            ended = end;
            notifyAll();
        }
    }

    private synchronized void failed(long line, String message) {
        if (line == told) {
            sentinel = line;
            notifyAll();
        } else {
            failures.put(line, message.replaceFirst("^(Error|RTNETLINK answers): ", ""));
        }
    }

    /** Ends its input and with that it; waits for that, shortly. */
    @Override
    public void close() {
        try {
            in.close();
            if (!process.waitFor(END_MILLIS, TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** Ends its input, and with that it, and waits for nothing; only while nothing is under way. */
    void retire() {
        try {
            in.close();
        } catch (IOException e) {
            // It has ended.
        }
        watch(TimeUnit.MILLISECONDS.toNanos(END_MILLIS));
    }

    /** Ends it at once. */
    void kill() {
        process.destroyForcibly();
    }
}
