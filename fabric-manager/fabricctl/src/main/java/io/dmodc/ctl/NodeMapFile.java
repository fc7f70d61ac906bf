package io.dmodc.ctl;

import io.dmodc.topology.NodeIndexMap;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The file that keeps node indices from one command to the next; none if no name was given. */
record NodeMapFile(@Nullable String file) {
    /**
     * Reads it; empty indices if there is none yet.
     *
     * @throws IOException in one line, if it cannot be read
     * @throws IllegalArgumentException in one line, if a line is no 'guid index'
     */
    NodeIndexMap read() throws IOException {
        return file == null || !Files.exists(Path.of(file))
                ? new NodeIndexMap()
                : NodeIndexMap.parse(file, lines(file));
    }

    private static List<String> lines(String file) throws IOException {
        try {
            return Files.readAllLines(Path.of(file));
        } catch (MalformedInputException e) {
            throw new IOException(file + ": is no UTF-8 text; expected lines 'guid index'", e);
        } catch (IOException e) {
            throw new IOException(file + ": cannot be read (" + e.getMessage() + "); expected lines 'guid index'", e);
        }
    }

    void write(NodeIndexMap nodes, PrintWriter standardOutput) throws IOException {
        if (file != null) {
            OutputFile.write(file, standardOutput, out -> {
                for (String line : nodes.lines()) {
                    out.append(line).append('\n');
                }
            });
        }
    }
}
