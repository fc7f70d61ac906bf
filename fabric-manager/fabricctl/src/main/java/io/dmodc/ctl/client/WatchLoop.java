package io.dmodc.ctl.client;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Shows something again and again until the thread is interrupted or nobody reads any more. A terminal is redrawn;
 * elsewhere each round follows the one before, under a line with the time. A manager that does not answer is told in one
 * line, once, until it does; only the very first round must succeed.
 */
final class WatchLoop {
    private static final String CLEAR = "\u001b[H\u001b[J";

    /** One showing. */
    interface Round {
        /** Prints; returns the exit code the command would end with. */
        int show(PrintWriter out) throws IOException, NoAnswerException;
    }

    private final String name;
    private final Duration pause;
    private final boolean headed;
    private final PrintWriter out;
    private final PrintWriter err;
    private final boolean terminal = onTerminal();
    private boolean shown;
    private boolean missing;
    private int code;

    /**
     * Prepares.
     *
     * @param name what is shown, for the head of a terminal
     * @param headed whether a line with the time stands above each round
     */
    WatchLoop(String name, Duration pause, boolean headed, PrintWriter out, PrintWriter err) {
        this.name = name;
        this.pause = pause;
        this.headed = headed;
        this.out = out;
        this.err = err;
    }

    /** Returns the exit code of the last round. */
    int run(Round round) throws IOException, NoAnswerException {
        try {
            do {
                show(round);
                Thread.sleep(pause.toMillis());
            } while (!out.checkError());
        } catch (InterruptedException | InterruptedIOException e) {
            Thread.currentThread().interrupt();
        }
        return code;
    }

    private void show(Round round) throws IOException, NoAnswerException {
        StringWriter picture = new StringWriter();
        try {
            code = round.show(new PrintWriter(picture));
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            miss(e);
            return;
        }
        if (headed) {
            out.println(terminal ? CLEAR + name + ", every " + seconds() + " s: " + now() : "-- " + now());
        }
        out.print(picture);
        out.flush();
        shown = true;
        missing = false;
    }

    private void miss(IOException e) throws IOException {
        if (!shown) {
            throw e;
        }
        if (!missing) {
            err.println(name + ": " + now() + " " + e.getMessage() + "; trying again");
            err.flush();
        }
        missing = true;
    }

    private String seconds() {
        String seconds = Double.toString(pause.toMillis() / 1e3);
        return seconds.endsWith(".0") ? seconds.substring(0, seconds.length() - 2) : seconds;
    }

    private static Instant now() {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS);
    }

    /** True if standard output is a terminal: {@code System.console()} would answer for standard input, too. */
    private static boolean onTerminal() {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }
}
