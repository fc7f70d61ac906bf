package io.dmodc.ctl;

import io.dmodc.settings.Reasons;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Writes a file so that it appears whole or not at all: into a sibling that is renamed at the end. {@code -} is standard
 * output; a device or pipe is written as it is.
 */
final class OutputFile {
    static final String STANDARD_OUTPUT = "-";

    private OutputFile() {}

    /** Fills the output. */
    @FunctionalInterface
    interface Content {
        void writeTo(Appendable out) throws IOException;
    }

    /** Fills a file with bytes. */
    @FunctionalInterface
    interface Bytes {
        void writeTo(OutputStream out) throws IOException;
    }

    /**
     * Writes text as UTF-8.
     *
     * @param target path, or {@code -}
     * @throws IOException in one line that names the target; an old file is then as it was
     */
    static void write(String target, PrintWriter standardOutput, Content content) throws IOException {
        if (target.equals(STANDARD_OUTPUT)) {
            content.writeTo(standardOutput);
            standardOutput.flush();
            return;
        }
        writeBytes(target, to -> {
            BufferedWriter out = new BufferedWriter(new OutputStreamWriter(to, StandardCharsets.UTF_8));
            content.writeTo(out);
            out.flush();
        });
    }

    /**
     * Writes bytes to a file, never to standard output.
     *
     * @throws IOException in one line that names the target; an old file is then as it was
     */
    static void writeBytes(String target, Bytes content) throws IOException {
        Path file = Path.of(target);
        try {
            if (Files.isDirectory(file)) {
                throw new IOException("is a directory");
            }
            if (Files.exists(file) && !Files.isRegularFile(file)) {
                fill(file, content, StandardOpenOption.WRITE);
            } else {
                replace(Files.exists(file) ? file.toRealPath() : file.toAbsolutePath(), content);
            }
        } catch (IOException e) {
            throw new IOException(target + ": cannot be written (" + why(e) + "); expected a writable place", e);
        }
    }

    private static void replace(Path file, Bytes content) throws IOException {
        String hidden = "." + file.getFileName() + "." + ProcessHandle.current().pid() + ".tmp";
        Path sibling = file.resolveSibling(hidden);
        try {
            fill(sibling, content, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
            Files.move(sibling, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(sibling);
        }
    }

    private static void fill(Path file, Bytes content, StandardOpenOption... options) throws IOException {
        try (OutputStream out = Files.newOutputStream(file, options)) {
            content.writeTo(out);
        }
    }

    private static String why(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "no such directory";
        }
        return Reasons.of(e);
    }
}
