package io.dmodc.manager.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dmodc.manager.core.LoggedEvent;
import io.dmodc.manager.core.LoggedEvent.Cable;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.core.LoggedEvent.Severity;
import io.dmodc.manager.loop.EventLog.Entry;
import io.dmodc.topology.Guid;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * An event as a line of text: eight hexadecimal digits of CRC-32C over the JSON, a space, the JSON, a line feed. JSON has
 * no line feed of its own, so whatever happens to one line, the next begins after it.
 */
final class EventLines {
    private static final JsonMapper JSON = new JsonMapper();
    private static final int SUM = 8;

    private EventLines() {}

    static byte[] line(Entry entry) {
        LoggedEvent note = entry.note();
        ObjectNode json = JSON.createObjectNode();
        json.put("number", entry.number());
        json.put("time", Instant.ofEpochMilli(entry.epochMillis()).toString());
        json.put("epoch", note.epoch());
        json.put("severity", note.severity().name());
        json.put("kind", note.kind().name());
        if (note.guid() != 0) {
            json.put("guid", Guid.format(note.guid()));
        }
        if (!note.name().isEmpty()) {
            json.put("name", note.name());
        }
        Cable cable = note.cable();
        if (cable != null) {
            json.put("port", cable.port());
            json.put("peer", Guid.format(cable.peerGuid()));
            json.put("peerName", cable.peerName());
            json.put("peerPort", cable.peerPort());
        }
        json.put("text", note.text());
        byte[] text = json.toString().getBytes(StandardCharsets.UTF_8);
        return (sum(text, 0, text.length) + " " + new String(text, StandardCharsets.UTF_8) + "\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    private static String sum(byte[] text, int from, int to) {
        CRC32C sum = new CRC32C();
        sum.update(text, from, to - from);
        return String.format("%08x", sum.getValue());
    }

    /** Reads the line in {@code bytes[from, to)}, without its line feed; {@code null} when it is damaged. */
    static @Nullable Entry read(byte[] bytes, int from, int to) {
        int text = from + SUM + 1;
        if (text > to
                || bytes[text - 1] != ' '
                || !new String(bytes, from, SUM, StandardCharsets.ISO_8859_1).equals(sum(bytes, text, to))) {
            return null;
        }
        try {
            return entry(JSON.readTree(new String(Arrays.copyOfRange(bytes, text, to), StandardCharsets.UTF_8)));
        } catch (JsonProcessingException | IllegalArgumentException | DateTimeException | ArithmeticException e) {
            return null;
        }
    }

    /** The sum was right, so what does not fit was written by another version. */
    private static Entry entry(JsonNode json) {
        Cable cable = json.has("port")
                ? new Cable(
                        json.get("port").asInt(),
                        guid(json, "peer"),
                        json.path("peerName").asText(),
                        json.path("peerPort").asInt())
                : null;
        LoggedEvent note = new LoggedEvent(
                0,
                json.path("epoch").asLong(),
                Severity.valueOf(json.path("severity").asText()),
                Kind.valueOf(json.path("kind").asText()),
                guid(json, "guid"),
                json.path("name").asText(),
                cable,
                json.path("text").asText());
        return new Entry(
                json.path("number").asLong(),
                Instant.parse(json.path("time").asText()).toEpochMilli(),
                note);
    }

    private static long guid(JsonNode json, String name) {
        return json.has(name) ? Guid.parse(json.get(name).asText()) : 0;
    }
}
