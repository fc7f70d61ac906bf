package io.dmodc.agent.exec;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** The lines of a stream, none of which is kept longer than a bound. Used by one thread. */
final class BoundedLines {
    private static final int CHUNK_BYTES = 8192;

    /**
     * A line without its end, or as much of it as fits.
     *
     * @param whole false: there was more of it
     */
    record Line(byte[] bytes, boolean whole) {}

    private final InputStream in;
    private final int maxBytes;
    private final byte[] chunk = new byte[CHUNK_BYTES];
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private int at;
    private int end;

    /** @param maxBytes longest line, with its end */
    BoundedLines(InputStream in, int maxBytes) {
        this.in = in;
        this.maxBytes = maxBytes;
    }

    /** Returns the next line as soon as it is there, or is too long; null behind the last one. What an end without a line feed leaves is a line. */
    @Nullable
    Line next() throws IOException {
        line.reset();
        while (true) {
            if (at == end) {
                end = Math.max(0, in.read(chunk));
                at = 0;
                if (end == 0) {
                    return line.size() == 0 ? null : new Line(line.toByteArray(), true);
                }
            }
            int from = at;
            while (at < end && chunk[at] != '\n') {
                at++;
            }
            int room = maxBytes - 1 - line.size();
            line.write(chunk, from, Math.min(at - from, room));
            if (at - from > room) {
                return new Line(line.toByteArray(), false);
            }
            if (at < end) {
                at++;
                return new Line(line.toByteArray(), true);
            }
        }
    }

    /** Drops the rest of a line that was too long; false when the stream is at its end. */
    boolean skipRest() throws IOException {
        while (true) {
            while (at < end) {
                if (chunk[at++] == '\n') {
                    return true;
                }
            }
            at = 0;
            end = Math.max(0, in.read(chunk));
            if (end == 0) {
                return false;
            }
        }
    }
}
