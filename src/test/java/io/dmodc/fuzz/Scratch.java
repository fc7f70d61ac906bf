package io.dmodc.fuzz;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A directory of this process, for what is read from files only. */
final class Scratch {
    private static @Nullable Path made;

    private Scratch() {}

    static synchronized Path directory() throws IOException {
        Path directory = made;
        if (directory == null) {
            directory = Files.createTempDirectory("fuzz");
            made = directory;
        }
        return directory;
    }

    /** Puts an input, but for its first bytes, into a file. */
    static void write(Path file, byte[] input, int from) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            out.write(input, from, input.length - from);
        }
    }
}
