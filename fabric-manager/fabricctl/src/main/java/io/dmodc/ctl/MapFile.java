package io.dmodc.ctl;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A file of lines {@code guid number} or the like, most of them kept from one command to the next. */
final class MapFile {
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
        try {
            return Files.readAllLines(Path.of(file));
        } catch (MalformedInputException e) {
            throw new IOException(file + ": is no UTF-8 text; expected lines '" + expected + "'", e);
        } catch (IOException e) {
            throw new IOException(
                    file + ": cannot be read (" + e.getMessage() + "); expected lines '" + expected + "'", e);
        }
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
