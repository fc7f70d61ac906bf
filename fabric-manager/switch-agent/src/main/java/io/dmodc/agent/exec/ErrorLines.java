package io.dmodc.agent.exec;

import io.dmodc.southbound.BoundedText;
import io.dmodc.southbound.SouthboundProtocol;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** What the program writes to its standard error, for the log: lines of bounded length, and not too many. Used by one thread. */
final class ErrorLines {
    /** Lines shown in one window. */
    static final int LINES = 20;

    static final long WINDOW_NANOS = 10_000_000_000L;

    /** Longest line, with its end; the rest of a longer one is left out. */
    static final int MAX_BYTES = SouthboundProtocol.MAX_TEXT_BYTES;

    private final LongSupplier nanoTime;
    private final Consumer<String> log;
    private long windowBegan;
    private int shown;
    private long leftOut;

    ErrorLines(LongSupplier nanoTime, Consumer<String> log) {
        this.nanoTime = nanoTime;
        this.log = log;
        windowBegan = nanoTime.getAsLong();
    }

    void take(byte[] line) {
        if (nanoTime.getAsLong() - windowBegan >= WINDOW_NANOS) {
            sayLeftOut();
            windowBegan = nanoTime.getAsLong();
            shown = 0;
        }
        if (shown < LINES) {
            shown++;
            log.accept(BoundedText.shown(new String(line, StandardCharsets.UTF_8)));
        } else {
            leftOut++;
        }
    }

    /** Says how much was not shown, if anything. */
    void sayLeftOut() {
        if (leftOut > 0) {
            log.accept("(" + leftOut + " more lines)");
            leftOut = 0;
        }
    }
}
