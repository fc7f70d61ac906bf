package io.dmodc.manager.core;

import java.util.Locale;

/** Lengths of time as people read them. */
final class ElapsedText {
    private static final double MICRO = 1e3;
    private static final double MILLI = 1e6;
    private static final double SECOND = 1e9;

    private ElapsedText() {}

    /** Three digits or so, in the unit that fits: {@code 632 µs}, {@code 15.8 ms}, {@code 6.58 s}. */
    static String text(long nanos) {
        if (nanos < MILLI) {
            return String.format(Locale.ROOT, "%.0f µs", nanos / MICRO);
        }
        return nanos < SECOND
                ? String.format(Locale.ROOT, "%.1f ms", nanos / MILLI)
                : String.format(Locale.ROOT, "%.2f s", nanos / SECOND);
    }
}
