package io.dmodc.manager.recording;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads frames one after the other. The last may be cut off, or be zeros, as a crash leaves it; anything else wrong is damage. */
final class FrameReader implements AutoCloseable {
    private final Path file;
    private final InputStream in;
    private long number;
    private long at;
    private boolean cutOff;

    /**
     * @throws IOException when the file cannot be read
     * @throws IllegalArgumentException in one line when it is no recording
     */
    FrameReader(Path file) throws IOException {
        this.file = file;
        in = new BufferedInputStream(opened(file), 1 << 16);
        byte[] magic = in.readNBytes(FrameFile.MAGIC.length);
        if (!Arrays.equals(magic, FrameFile.MAGIC)) {
            in.close();
            throw new IllegalArgumentException(file + ": is no recording of events; expected one that a manager wrote");
        }
        at = magic.length;
    }

    private static InputStream opened(Path file) throws IOException {
        try {
            return Files.newInputStream(file);
        } catch (NoSuchFileException e) {
            throw new IOException(file + ": cannot be read (no such file); expected a recording of events", e);
        } catch (IOException e) {
            throw new IOException(file + ": cannot be read (" + e + "); expected a recording of events", e);
        }
    }

    /**
     * The bytes of the next frame; {@code null} at the end.
     *
     * @throws IllegalArgumentException in one line when it is damaged
     */
    byte @Nullable [] next() throws IOException {
        byte[] header = in.readNBytes(FrameFile.HEADER_BYTES);
        if (header.length < FrameFile.HEADER_BYTES) {
            cutOff |= header.length > 0;
            return null;
        }
        ByteBuffer fields = ByteBuffer.wrap(header);
        int length = fields.getInt();
        if (length < 0 || length > FrameFile.LENGTH_MAX || fields.getInt() != FrameFile.lengthSum(number, length)) {
            if (isZeros(header) && restIsZeros()) {
                cutOff = true;
                return null;
            }
            throw damaged("the length of frame " + number);
        }
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            cutOff = true;
            return null;
        }
        if (fields.getInt() != FrameFile.sum(bytes)) {
            if (isZeros(bytes) && restIsZeros()) {
                // A power cut kept the length and not the bytes.
                cutOff = true;
                return null;
            }
            throw damaged("frame " + number);
        }
        number++;
        at += FrameFile.HEADER_BYTES + length;
        return bytes;
    }

    private static boolean isZeros(byte[] bytes) {
        for (byte b : bytes) {
            if (b != 0) {
                return false;
            }
        }
        return true;
    }

    private boolean restIsZeros() throws IOException {
        byte[] rest = in.readNBytes(1 << 16);
        boolean zeros = true;
        while (zeros && rest.length > 0) {
            zeros = isZeros(rest);
            rest = in.readNBytes(1 << 16);
        }
        return zeros;
    }

    IllegalArgumentException damaged(String what) {
        return new IllegalArgumentException(
                file + ": is damaged: " + what + ", at byte " + at + ", is not as it was written");
    }

    /** True once the end was reached and was not the end of a frame. */
    boolean cutOff() {
        return cutOff;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
