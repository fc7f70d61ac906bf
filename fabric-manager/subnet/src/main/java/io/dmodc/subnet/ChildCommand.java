package io.dmodc.subnet;

import io.dmodc.settings.PrintableText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Runs a command to its end: words between blanks, no shell. Bounded are its time, what it may print and what is kept of its complaints; at a bound it is killed with all it started. Its output
 * is asked for and never waited for, so that a child of its own that keeps the pipe open holds nobody. Thread-safe.
 */
public final class ChildCommand {
    /** What {@code ibnetdiscover} prints of 50,000 nodes is a quarter of that. */
    public static final int OUTPUT_MAX = 64 << 20;

    /** Of one switch or program: 254 ports, a line each, are a twentieth. */
    static final int SHORT_MAX = 1 << 20;

    /** Tools of InfiniBand begin so, {@code ibwarn: [4711] mad_rpc: …}, and no two complaints would be the same. */
    private static final Pattern PROCESS = Pattern.compile("(?<=^ib(warn|panic): )\\[\\d+] ");

    /** Exit codes of what was to start another program, as of a shell (POSIX 2.8.2): nobody may run that one, or it is not there. */
    private static final Set<Integer> NOT_RUN = Set.of(126, 127);

    private static final int COMPLAINT_MAX = 1024;
    private static final int SHOWN_MAX = 200;

    /** Until one that has printed nothing is asked again, at first; twice as long each time. Its end is seen at once. */
    private static final Duration PAUSE = Duration.ofMillis(1);

    private static final int PAUSE_GROWTH_MAX = 10;

    private final List<String> words;
    private final long timeoutNanos;
    private final long pauseNanos;

    /** @param command at least one word */
    public ChildCommand(String command, Duration timeout) {
        this(List.of(command.strip().split("\\s+")), timeout);
    }

    public ChildCommand(List<String> words, Duration timeout) {
        this(words, timeout, PAUSE);
    }

    ChildCommand(List<String> words, Duration timeout, Duration pause) {
        this.words = List.copyOf(words);
        this.timeoutNanos = timeout.toNanos();
        this.pauseNanos = pause.toNanos();
    }

    /**
     * Runs it.
     *
     * @return what it printed, {@value #SHORT_MAX} bytes at most
     * @throws CommandFailedException if it cannot be started, exits with another code than 0, or went over a bound
     */
    public byte[] run() throws CommandFailedException, InterruptedException {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        run(printed, SHORT_MAX, OutputStream.nullOutputStream());
        return printed.toByteArray();
    }

    /**
     * Runs it and hands on what it prints while it does.
     *
     * @param into on this thread; when it fails the command is killed
     * @param max most bytes it may print
     * @param complaints on this thread; what it complains of before it prints something is there before that
     * @return the first line of what it complained of although it ended well, for people; empty for nothing
     * @throws CommandFailedException as {@link #run()}, and when {@code into} or {@code complaints} fails
     */
    public String run(OutputStream into, long max, OutputStream complaints)
            throws CommandFailedException, InterruptedException {
        Process process = start();
        try {
            process.getOutputStream().close();
            return output(process, into, max, complaints);
        } catch (IOException e) {
            throw failed("its output cannot be read (" + e.getMessage() + ")");
        } finally {
            killWithChildren(process);
        }
    }

    private Process start() throws CommandFailedException {
        try {
            return new ProcessBuilder(words).start();
        } catch (IOException e) {
            throw failed("cannot be started (" + e.getMessage() + ")", true);
        }
    }

    private String output(Process process, OutputStream into, long max, OutputStream complaints)
            throws IOException, InterruptedException, CommandFailedException {
        ByteArrayOutputStream complaint = new ByteArrayOutputStream();
        long end = System.nanoTime() + timeoutNanos;
        long pause = pauseNanos;
        long printed = 0;
        while (true) {
            boolean dead = !process.isAlive();
            byte[] some = available(process.getInputStream());
            byte[] complained = available(process.getErrorStream());
            printed += some.length;
            if (printed > max) {
                throw failed("prints more than " + (max >> 20) + " MiB");
            }
            complaints.write(complained);
            into.write(some);
            complaint.write(complained, 0, Math.min(complained.length, COMPLAINT_MAX - complaint.size()));
            int read = some.length + complained.length;
            if (dead && read == 0) {
                String first = firstLine(complaint);
                if (process.exitValue() != 0) {
                    String why = "exit code " + process.exitValue() + " (" + (first.isEmpty() ? "no complaint" : first)
                            + ")";
                    throw failed(why, NOT_RUN.contains(process.exitValue()));
                }
                return first;
            }
            if (System.nanoTime() - end > 0) {
                throw failed("no end within " + TimeUnit.NANOSECONDS.toMillis(timeoutNanos) + " ms; killed");
            }
            if (read == 0) {
                process.waitFor(pause, TimeUnit.NANOSECONDS);
            }
            pause = read > 0 ? pauseNanos : Math.min(2 * pause, PAUSE_GROWTH_MAX * pauseNanos);
        }
    }

    /** All of it is read, wanted or not, or the command would wait for somebody to read it: a pipe holds less. */
    private static byte[] available(InputStream in) throws IOException {
        return in.readNBytes(Math.min(in.available(), 1 << 17));
    }

    private static String firstLine(ByteArrayOutputStream complaint) {
        String first = complaint
                .toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.isBlank())
                .findFirst()
                .orElse("");
        return shorten(PROCESS.matcher(first).replaceFirst(""));
    }

    /** Itself first: a script whose command dies goes on to the next one. */
    private static void killWithChildren(Process process) {
        List<ProcessHandle> children = process.descendants().toList();
        process.destroyForcibly();
        children.forEach(ProcessHandle::destroyForcibly);
    }

    private CommandFailedException failed(String why) {
        return failed(why, false);
    }

    private CommandFailedException failed(String why, boolean missing) {
        return new CommandFailedException("'" + shorten(String.join(" ", words)) + "': " + why, missing);
    }

    static String shorten(String text) {
        String shown = text.length() <= SHOWN_MAX ? text : text.substring(0, SHOWN_MAX) + "...";
        return PrintableText.of(shown);
    }
}
