package io.dmodc.manager.recording;

import com.google.protobuf.MessageLite;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes frames into a new file. */
final class FrameWriter implements AutoCloseable {
    private final OutputStream out;
    private long number;
    private long length = FrameFile.MAGIC.length;

    /** Makes a file, or empties the one that is there. */
    FrameWriter(Path file) throws IOException {
        this(Files.newOutputStream(file));
    }

    FrameWriter(OutputStream to) throws IOException {
        out = new BufferedOutputStream(to, 1 << 16);
        out.write(FrameFile.MAGIC);
    }

    /** @throws IOException also for a frame that nobody would read: a longer one than {@link FrameFile#LENGTH_MAX} */
    void write(MessageLite message) throws IOException {
        byte[] bytes = message.toByteArray();
        if (bytes.length > FrameFile.LENGTH_MAX) {
            throw new IOException("an entry of " + bytes.length + " bytes");
        }
        out.write(FrameFile.header(number, bytes));
        out.write(bytes);
        number++;
        length += FrameFile.HEADER_BYTES + bytes.length;
    }

    /** Bytes so far. */
    long length() {
        return length;
    }

    void flush() throws IOException {
        out.flush();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
