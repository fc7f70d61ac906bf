package io.dmodc.routing.opensm;

import java.io.BufferedReader;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Lines of bounded length, counted, so that a binary file fills no memory and every complaint names its line. */
final class DumpLines {
    /** Longest line OpenSM reads. */
    private static final int LENGTH_MAX = 1023;

    private final String source;
    private final StringBuilder text = new StringBuilder();
    private int number;

    DumpLines(String source) {
        this.source = source;
    }

    /** The next line without its end, or {@code null} after the last. */
    @Nullable
    String next(BufferedReader in) throws IOException {
        int c = in.read();
        if (c < 0) {
            return null;
        }
        number++;
        text.setLength(0);
        while (c >= 0 && c != '\n') {
            if (text.length() == LENGTH_MAX) {
                throw error("line longer than " + LENGTH_MAX + " characters", "a table dump of OpenSM");
            }
            text.append((char) c);
            c = in.read();
        }
        return text.toString().stripTrailing();
    }

    IllegalArgumentException error(String what, String expected) {
        return new IllegalArgumentException(source + ":" + number + ": " + what + "; expected " + expected);
    }

    /** The start of a line, fit to be quoted in a message. */
    static String shorten(String line) {
        String plain = line.replaceAll("[^ -~]", "?");
        return plain.length() <= 60 ? plain : plain.substring(0, 60) + "...";
    }
}
