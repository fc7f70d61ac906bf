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
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
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
                out.write(header(state) + "\n");
                for (StateRecord record : state.records()) {
                    out.write(RecordJson.write(record) + "\n");
                }
            }
            DurableFiles.force(fresh);
            DurableFiles.rename(fresh, file);
        } catch (IOException e) {
            Files.deleteIfExists(fresh);
            throw new IOException(file + ": cannot be written: " + Reasons.of(e), e);
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
        try (BufferedReader in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            return new Reading(file).read(in);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(file + ": not UTF-8 text; expected an export of a state", e);
        } catch (IOException e) {
            throw new IOException(file + ": cannot be read: " + Reasons.of(e), e);
        }
    }

    /** One file while it is read. */
    private static final class Reading {
        private final Path file;
        private int line;
        private final StoredState state = new StoredState();
        private final Set<StateRecord.Key> keys = new HashSet<>();
        private final Map<Integer, Integer> indexLines = new HashMap<>();

        Reading(Path file) {
            this.file = file;
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
                    throw new IllegalArgumentException(file + ":" + line + ": " + e.getMessage(), e);
                }
            }
            if (expected < 0) {
                throw new IllegalArgumentException(file + ": is empty; expected an export of a state");
            }
            if (keys.size() != expected) {
                throw new IllegalArgumentException(
                        file + ": has " + keys.size() + " records; expected " + expected + " as its first line says");
            }
            return state;
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
