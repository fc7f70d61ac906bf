package io.dmodc.ctl;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Says on standard error how far a long piece of work is: nothing in its first second; then on a terminal a bar that is
 * drawn over itself and wiped at the end, elsewhere a plain line every ten seconds. Not safe for threads at the same time.
 */
final class ProgressLine {
    private static final long PATIENCE_NANOS = 1_000_000_000L;
    private static final long REDRAW_NANOS = 100_000_000L;
    private static final long LINE_NANOS = 10_000_000_000L;
    private static final int WIDTH = 40;
    private static final String WIPE = "\r\u001b[K";

    private final String what;
    private final PrintWriter err;
    private final boolean terminal;
    private final LongSupplier nanoTime;
    private final long start;
    private long next;
    private boolean drawn;

    ProgressLine(String what, PrintWriter err, boolean terminal, LongSupplier nanoTime) {
        this.what = what;
        this.err = err;
        this.terminal = terminal;
        this.nanoTime = nanoTime;
        this.start = nanoTime.getAsLong();
        this.next = start + PATIENCE_NANOS;
    }

    /** True if standard error is a terminal: {@code System.console()} would answer for input and output instead. */
    static boolean onTerminal() {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    /** The first {@code done} of {@code total} parts are done. */
    void reached(int done, int total) {
        long now = nanoTime.getAsLong();
        if (now - next < 0) {
            return;
        }
        int percent = (int) (100L * done / total);
        if (terminal) {
            int filled = (int) ((long) WIDTH * done / total);
            err.print(WIPE + what + " [" + "#".repeat(filled) + " ".repeat(WIDTH - filled) + "] " + percent + " %"
                    + remaining(now - start, done, total));
            drawn = true;
        } else {
            err.println(what + ": " + percent + " %" + remaining(now - start, done, total));
        }
        err.flush();
        next = now + (terminal ? REDRAW_NANOS : LINE_NANOS);
    }

    private static String remaining(long nanos, int done, int total) {
        double seconds = nanos / 1e9 * (total - done) / done;
        return String.format(Locale.ROOT, ", %.0f s to go", Math.ceil(seconds));
    }

    /** The work is done: leaves the terminal as it was. */
    void end() {
        if (drawn) {
            err.print(WIPE);
            err.flush();
        }
    }
}
