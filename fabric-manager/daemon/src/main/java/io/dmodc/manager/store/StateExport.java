package io.dmodc.manager.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.NodeIndex;
import io.dmodc.manager.state.StoredState;
import io.dmodc.settings.BuildInfo;
import io.dmodc.settings.Reasons;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * A state as text that outlives versions: JSON lines, first a header, then a record a line by key. The same state gives the
 * same lines.
 */
public final class StateExport {
    /** The newest form this release reads, and the one it writes. */
    public static final int VERSION = 1;

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private StateExport() {}

    /**
     * Writes a file: beside, then renamed.
     *
     * @throws IOException in one line when it cannot be written; nothing is left then
     */
    public static void write(StoredState state, Path file) throws IOException {
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        try {
            try (BufferedWriter out = Files.newBufferedWriter(fresh, StandardCharsets.UTF_8)) {
                write(state, out);
            }
            DurableFiles.force(fresh);
            DurableFiles.rename(fresh, file);
        } catch (IOException e) {
            Files.deleteIfExists(fresh);
            throw new IOException(file + ": cannot be written: " + Reasons.of(e), e);
        }
    }

    /** Writes the lines. */
    public static void write(StoredState state, Appendable out) throws IOException {
        out.append(header(state) + "\n");
        for (StateRecord record : state.records()) {
            out.append(RecordJson.write(record) + "\n");
        }
    }

    private static JsonNode header(StoredState state) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("fabricManagerState", VERSION)
                .put("writer", BuildInfo.read().version())
                .put("records", state.records().size());
    }

    /**
     * Reads a file that {@link #write} wrote, or somebody by hand.
     *
     * @throws IOException in one line when it cannot be read
     * @throws IllegalArgumentException in one line: file, line, value, what was expected
     */
    public static StoredState read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return read(file.toString(), in);
        } catch (IOException e) {
            throw new IOException(file + ": cannot be read: " + Reasons.of(e), e);
        }
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @param source for messages
     * @throws IllegalArgumentException in one line: source, line, value, what was expected
     */
    public static StoredState read(String source, InputStream in) throws IOException {
        // A decoder of its own: one made by name would let malformed text through.
        BufferedReader text = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8.newDecoder()));
        try {
            return new Reading(source).read(text);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(source + ": not UTF-8 text; expected an export of a state", e);
        }
    }

    /** One file while it is read. */
    private static final class Reading {
        private final String source;
        private int line;
        private final StoredState state = new StoredState();
        private final Set<StateRecord.Key> keys = new HashSet<>();
        private final Map<Integer, Integer> indexLines = new HashMap<>();

        Reading(String source) {
            this.source = source;
        }

        StoredState read(BufferedReader in) throws IOException {
            int expected = -1;
            for (String text = in.readLine(); text != null; text = in.readLine()) {
                line++;
                try {
                    if (line == 1) {
                        expected = header(parse(text));
                    } else if (!text.isBlank()) {
                        take(RecordJson.read(parse(text)));
                    }
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException(source + ":" + line + ": " + printable(e), e);
                }
            }
            if (expected < 0) {
                throw new IllegalArgumentException(source + ": is empty; expected an export of a state");
            }
            if (keys.size() != expected) {
                throw new IllegalArgumentException(
                        source + ": has " + keys.size() + " records; expected " + expected + " as its first line says");
            }
            return state;
        }

        /** One line that moves no cursor, whatever stands in a text that is told. */
        private static String printable(Exception e) {
            return String.valueOf(e.getMessage()).replaceAll("[\\p{Cc}\\u2028\\u2029]", "?");
        }

        private static JsonNode parse(String text) {
            try {
                return JSON.readTree(text);
            } catch (JsonProcessingException e) {
                String shown = text.length() <= 60 ? text : text.substring(0, 60) + "…";
                throw new IllegalArgumentException(
                        "'" + shown + "' is no JSON (" + e.getOriginalMessage() + "); expected an object a line", e);
            }
        }

        private static int header(JsonNode node) {
            JsonFields in = new JsonFields(node);
            if (!in.has("fabricManagerState")) {
                throw new IllegalArgumentException(
                        "no header; expected {\"fabricManagerState\":" + VERSION + ",\"writer\":…,\"records\":…}");
            }
            int version = in.number("fabricManagerState", 1, Integer.MAX_VALUE);
            if (version > VERSION) {
                throw new IllegalArgumentException("form " + version + ", written by fabric-manager "
                        + in.text("writer") + "; expected up to " + VERSION + ": import it with that release");
            }
            in.text("writer");
            int records = in.number("records", 0, Integer.MAX_VALUE);
            in.end();
            return records;
        }

        private void take(StateRecord record) {
            if (!keys.add(record.key())) {
                throw new IllegalArgumentException(record.key() + " a second time; expected each once");
            }
            if (record instanceof NodeIndex node) {
                Integer before = indexLines.putIfAbsent(node.index(), line);
                if (before != null) {
                    throw new IllegalArgumentException("index " + node.index()
                            + "; expected one that is not taken, as it is" + " in line " + before);
                }
            }
            state.apply(record);
        }
    }
}
