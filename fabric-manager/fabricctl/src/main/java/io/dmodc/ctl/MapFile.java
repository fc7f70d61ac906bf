package io.dmodc.ctl;

import io.dmodc.settings.Reasons;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A file of lines {@code guid number} or the like, most of them kept from one command to the next. Of {@value #BYTES_MAX} bytes at most. */
final class MapFile {
    /** A million lines of any kind fit. */
    private static final int BYTES_MAX = 1 << 26;

    private MapFile() {}

    /**
     * Its lines; none if no file was named or there is none yet.
     *
     * @param expected what the lines are, for messages
     * @throws IOException in one line, if it cannot be read
     */
    static List<String> lines(@Nullable String file, String expected) throws IOException {
        return file == null || !Files.exists(Path.of(file)) ? List.of() : existing(file, expected);
    }

    /**
     * Its lines.
     *
     * @param expected what the lines are, for messages
     * @throws IOException in one line, if it cannot be read
     */
    static List<String> existing(String file, String expected) throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(Path.of(file))) {
            bytes = in.readNBytes(BYTES_MAX + 1);
        } catch (IOException e) {
            throw new IOException(
                    file + ": cannot be read (" + Reasons.of(e) + "); expected lines '" + expected + "'", e);
        }
        if (bytes.length > BYTES_MAX) {
            throw new IOException(
                    file + ": more than " + BYTES_MAX + " bytes; expected lines '" + expected + "', no more than that");
        }
        try {
            CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return text.toString().lines().toList();
        } catch (CharacterCodingException e) {
            throw new IOException(file + ": is no UTF-8 text; expected lines '" + expected + "'", e);
        }
    }

    /**
     * Of node indices and of plane numbers: one would be written over the other.
     *
     * @throws IllegalArgumentException in one line, if both are one file
     */
    static void requireTwo(@Nullable String nodeMap, @Nullable String planeMap) {
        if (nodeMap != null && planeMap != null && place(nodeMap).equals(place(planeMap))) {
            throw new IllegalArgumentException(
                    "--node-map " + nodeMap + " and --plane-map " + planeMap + " are one file; expected two");
        }
    }

    private static Path place(String file) {
        return Path.of(file).toAbsolutePath().normalize();
    }

    /** Writes it anew, whole or not at all. */
    static void write(String file, List<String> lines, PrintWriter standardOutput) throws IOException {
        OutputFile.write(file, standardOutput, out -> {
            for (String line : lines) {
                out.append(line).append('\n');
            }
        });
    }
}
