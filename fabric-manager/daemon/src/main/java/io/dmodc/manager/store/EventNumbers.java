package io.dmodc.manager.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A number that no event has yet, kept ahead of those given out, so that none is given twice although the last events
 * of a manager that was killed never came to the disk.
 *
 * <p>Always the same {@value #BYTES} bytes at the same place: what is written over needs no room on a full disk, and is
 * too short to be torn.
 */
final class EventNumbers {
    private static final int BYTES = 20;

    /** What JSON can carry; no manager comes near it. */
    private static final long NUMBER_MAX = 1L << 53;

    private final Path file;
    private long free;

    EventNumbers(Path file) {
        this.file = file;
    }

    /** The number kept; 0 where there is none, or none that can be read. */
    long read() {
        try {
            String text = Files.readString(file, StandardCharsets.ISO_8859_1);
            long number = text.length() == BYTES && text.matches("\\d+\n") ? Long.parseLong(text.strip()) : 0;
            free = number > NUMBER_MAX ? 0 : number;
        } catch (IOException | NumberFormatException e) {
            free = 0;
        }
        return free;
    }

    long free() {
        return free;
    }

    void write(long number) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
            ByteBuffer text = ByteBuffer.wrap(String.format("%019d\n", number).getBytes(StandardCharsets.ISO_8859_1));
            while (text.hasRemaining()) {
                channel.write(text, text.position());
            }
            channel.force(false);
        }
        free = number;
    }
}
