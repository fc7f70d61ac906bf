package io.dmodc.topology.ibnet;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a text, numbered, within bounds. A line is taken as UTF-8, or byte by byte as ISO 8859-1 where it is
 * not: a node description may hold anything, and one odd name must not make a fabric unreadable.
 */
final class IbnetLines {
    static final int LINE_BYTES_MAX = 16 * 1024;
    static final long FILE_BYTES_MAX = 1L << 30;

    private static final String ZERO_BYTE = "a zero byte; expected ibnetdiscover text, not a binary file";

    private final String source;
    private final InputStream in;
    private final byte[] buffer = new byte[64 * 1024];
    private int next;
    private int end;
    private long bytesRead;
    private byte[] line = new byte[256];
    private int number;
    private boolean cut;

    IbnetLines(String source, InputStream in) {
        this.source = source;
        this.in = in;
    }

    /** Number of the line given last, from 1. */
    int number() {
        return number;
    }

    /** True if the line given last ended with the file instead of a line feed. */
    boolean cut() {
        return cut;
    }

    /** The next line without its end, or null after the last. */
    @Nullable
    String next() throws IbnetFormatException {
        int length = 0;
        while (true) {
            int read = read();
            if (read < 0 && length == 0) {
                return null;
            }
            if (length == 0) {
                number++;
            }
            if (read < 0 || read == '\n') {
                cut = read < 0;
                return decode(length);
            }
            if (read == 0) {
                throw bad(isUtf16(length) ? "UTF-16 text; expected UTF-8" : ZERO_BYTE);
            }
            if (length == LINE_BYTES_MAX) {
                throw bad("the line is too long; expected at most " + LINE_BYTES_MAX + " bytes");
            }
            if (length == line.length) {
                line = Arrays.copyOf(line, 2 * length);
            }
            line[length++] = (byte) read;
        }
    }

    /** The two orders of UTF-16's mark, which no UTF-8 text starts with. */
    private boolean isUtf16(int length) {
        int first = length > 1 && number == 1 ? ((line[0] & 0xff) << 8) | (line[1] & 0xff) : 0;
        return first == 0xfffe || first == 0xfeff;
    }

    private int read() throws IbnetFormatException {
        if (next == end) {
            fill();
        }
        return end < 0 ? -1 : buffer[next++] & 0xff;
    }

    private void fill() throws IbnetFormatException {
        try {
            end = end < 0 ? -1 : in.read(buffer);
            next = end < 0 ? -1 : 0;
        } catch (IOException e) {
            throw IbnetReader.unreadable(source, e);
        }
        bytesRead += Math.max(end, 0);
        if (bytesRead > FILE_BYTES_MAX) {
            throw bad("the file is too long; expected at most " + FILE_BYTES_MAX + " bytes");
        }
    }

    private String decode(int length) {
        int textLength = length > 0 && line[length - 1] == '\r' ? length - 1 : length;
        for (int i = 0; i < textLength; i++) {
            if (line[i] < 0) {
                return decodeBeyondAscii(textLength);
            }
        }
        return new String(line, 0, textLength, StandardCharsets.ISO_8859_1);
    }

    private String decodeBeyondAscii(int length) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(line, 0, length))
                    .toString();
            return number == 1 && text.startsWith("\ufeff") ? text.substring(1) : text;
        } catch (CharacterCodingException e) {
            return new String(line, 0, length, StandardCharsets.ISO_8859_1);
        }
    }

    private IbnetFormatException bad(String problem) {
        return new IbnetFormatException(source, Math.max(number, 1), problem);
    }
}
