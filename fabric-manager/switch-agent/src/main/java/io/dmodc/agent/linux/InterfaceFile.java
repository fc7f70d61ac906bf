package io.dmodc.agent.linux;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The kernel's table of interfaces, for who looks at it each second: the file stays open, as to open one takes more code than to read it, and what
 * it said before is not taken apart again. Not thread-safe.
 */
final class InterfaceFile implements AutoCloseable {
    /** As much as such files give at once; for more the buffer grows. */
    private static final int FIRST_BYTES = 4096;

    private final Path path;
    private @Nullable RandomAccessFile file;
    private byte[] bytes = new byte[FIRST_BYTES];
    private byte[] text = {};
    private InterfaceTable table = InterfaceTable.of("");

    /** @param path not opened before it is read */
    InterfaceFile(Path path) {
        this.path = path;
    }

    /** @throws IOException when the kernel has no IPv6 */
    InterfaceTable read() throws IOException {
        try {
            int length = readAll();
            if (!Arrays.equals(bytes, 0, length, text, 0, text.length)) {
                text = Arrays.copyOf(bytes, length);
                table = InterfaceTable.of(new String(text, StandardCharsets.ISO_8859_1));
            }
            return table;
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    private int readAll() throws IOException {
        if (file == null) {
            file = new RandomAccessFile(path.toString(), "r");
        }
        file.seek(0);
        int length = 0;
        for (int more = file.read(bytes); more > 0; more = file.read(bytes, length, bytes.length - length)) {
            length += more;
            if (length == bytes.length) {
                bytes = Arrays.copyOf(bytes, 2 * length);
            }
        }
        return length;
    }

    /** The next one to read opens it again. */
    @Override
    public void close() {
        RandomAccessFile open = file;
        file = null;
        try {
            if (open != null) {
                open.close();
            }
        } catch (IOException e) {
            // It is closed all the same.
        }
    }
}
