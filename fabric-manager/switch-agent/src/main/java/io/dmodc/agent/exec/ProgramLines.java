package io.dmodc.agent.exec;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dmodc.agent.plane.Destination;
import io.dmodc.agent.plane.Neighbour;
import io.dmodc.agent.plane.Neighbour.HostPort;
import io.dmodc.agent.plane.Neighbour.SwitchPort;
import io.dmodc.agent.plane.TableChange;
import io.dmodc.southbound.BoundedText;
import io.dmodc.southbound.Guids;
import io.dmodc.southbound.SouthboundProtocol;
import io.dmodc.southbound.TableVersion;
import io.dmodc.topology.Guid;
import io.dmodc.topology.HostAddresses;
import io.dmodc.topology.LinkRate;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What is said between the agent and the program: one JSON object a line, UTF-8, at most {@value #MAX_BYTES} bytes with its end.
 * Stateless but for whose ports are meant. {@code docs/exec-plane.md} is the same for people.
 */
final class ProgramLines {
    /** Longest line either way, with its end. */
    static final int MAX_BYTES = 1 << 16;

    /** Version of what is said here. */
    static final int PROTOCOL = 1;

    /** How much of a line that is not understood is shown. */
    private static final int SHOWN_CHARS = 80;

    private static final int NO_ROUTE = Byte.toUnsignedInt(SouthboundProtocol.NO_ROUTE);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ObjectReader READER =
            JSON.readerFor(JsonNode.class).with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private final long guid;
    private final int portCount;

    /** @param guid of the switch, which has {@code portCount} ports */
    ProgramLines(long guid, int portCount) {
        this.guid = guid;
        this.portCount = portCount;
    }

    byte[] hello(String name) {
        return line(JSON.createObjectNode()
                .put("do", "hello")
                .put("protocol", PROTOCOL)
                .put("guid", Guids.text(guid))
                .put("name", name)
                .put("ports", portCount));
    }

    byte[] ports(long id) {
        return line(asked("ports", id));
    }

    byte[] read(long id) {
        return line(asked("read", id));
    }

    /** The first line of a table; as many of {@link #change} follow as it says, and {@link #commit}. */
    byte[] install(long id, TableChange change) {
        TableVersion version = change.table().version();
        return line(asked("install", id)
                .put("leader", version.leaderEpoch())
                .put("epoch", version.fabricEpoch())
                .put("entries", change.table().entries().length)
                .put("changes", change.changed().cardinality()));
    }

    byte[] change(TableChange change, int index) {
        ObjectNode line = JSON.createObjectNode().put("index", index);
        putPort(line, "port", change.table().entries(), index);
        putPort(line, "was", change.before().entries(), index);
        byte[] alternatives = change.alternatives().at(index);
        if (alternatives.length > 0) {
            ArrayNode ports = line.putArray("alternatives");
            for (byte port : alternatives) {
                ports.add(Byte.toUnsignedInt(port));
            }
        }
        Destination destination = change.destinations().at(index);
        if (destination != null) {
            line.put("guid", Guids.text(destination.portGuid())).put("name", destination.name());
            put(line, destination.addresses());
        }
        return line(line);
    }

    byte[] commit(long id) {
        return line(asked("commit", id));
    }

    private static ObjectNode asked(String what, long id) {
        return JSON.createObjectNode().put("do", what).put("id", id);
    }

    private static void putPort(ObjectNode line, String field, byte[] entries, int index) {
        int port = index < entries.length ? Byte.toUnsignedInt(entries[index]) : NO_ROUTE;
        if (port == NO_ROUTE) {
            line.putNull(field);
        } else {
            line.put(field, port);
        }
    }

    private static void put(ObjectNode line, HostAddresses addresses) {
        if (addresses.lid() != 0) {
            line.put("lid", addresses.lid());
        }
        put(line, "ipv4", addresses.ipv4Text());
        put(line, "ipv6", addresses.ipv6Text());
        put(line, "mac", addresses.macText());
    }

    private static void put(ObjectNode line, String field, String text) {
        if (!text.isEmpty()) {
            line.put(field, text);
        }
    }

    private static byte[] line(ObjectNode node) {
        try {
            return (JSON.writeValueAsString(node) + "\n").getBytes(StandardCharsets.UTF_8);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a line cannot be written", e);
        }
    }

    /**
     * Understands a line of the program's.
     *
     * @param bytes without the end of the line
     * @throws GarbageException in one line, when there is no such line
     */
    ProgramWord word(byte[] bytes) throws GarbageException {
        Fields fields = new Fields(object(bytes), bytes);
        if (fields.has("did")) {
            return answer(fields);
        }
        if (fields.has("index")) {
            int index = fields.number("index", 0, SouthboundProtocol.MAX_ENTRIES - 1);
            return new ProgramWord.Entry(index, fields.isNull("port") ? NO_ROUTE : fields.number("port", 0, portCount));
        }
        if (fields.has("progress")) {
            int total = fields.number("of", 1, Integer.MAX_VALUE);
            int done = fields.number("progress", 0, total);
            return new ProgramWord.Progress(fields.id(), done, total);
        }
        if (fields.has("failed")) {
            return new ProgramWord.Failed(fields.number("failed"), BoundedText.shown(fields.text("why")));
        }
        if (fields.has("port")) {
            return port(fields);
        }
        if (fields.has("lost") && fields.flag("lost")) {
            return new ProgramWord.Lost();
        }
        throw fields.garbage("none of did, index, progress, failed, port, lost is in it");
    }

    private static JsonNode object(byte[] bytes) throws GarbageException {
        try {
            // Decoded here, as Jackson would take UTF-16 and UTF-32 too.
            JsonNode node = READER.readTree(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
            if (node.isObject()) {
                return node;
            }
        } catch (CharacterCodingException | JsonProcessingException e) {
            // Said below: the reader's own words have several lines.
        }
        throw new GarbageException("it said " + shown(bytes) + ", which is no JSON object");
    }

    private static ProgramWord answer(Fields fields) throws GarbageException {
        String did = fields.text("did");
        return switch (did) {
            case "hello" ->
                new ProgramWord.Hello(
                        fields.has("entries")
                                ? fields.number("entries", 1, SouthboundProtocol.MAX_ENTRIES)
                                : SouthboundProtocol.MAX_ENTRIES);
            case "read" ->
                new ProgramWord.Read(
                        fields.id(),
                        version(fields),
                        fields.has("entries") ? fields.number("entries", 0, SouthboundProtocol.MAX_ENTRIES) : -1);
            case "install" -> new ProgramWord.Installed(fields.id());
            case "ports" -> new ProgramWord.Ports(fields.id());
            default -> throw fields.garbage("did is none of hello, ports, read, install");
        };
    }

    /** A program that cannot keep it leaves it out, or one of the two. */
    private static TableVersion version(Fields fields) throws GarbageException {
        if (fields.isNull("leader") || fields.isNull("epoch")) {
            return TableVersion.NONE;
        }
        return new TableVersion(
                fields.number("leader", 0, SouthboundProtocol.MAX_LEADER_EPOCH),
                fields.number("epoch", 0, SouthboundProtocol.MAX_FABRIC_EPOCH));
    }

    private ProgramWord port(Fields fields) throws GarbageException {
        int number = fields.number("port", 1, portCount);
        return new ProgramWord.Port(number, fields.flag("up"), far(number, fields), rate(fields));
    }

    private static @Nullable LinkRate rate(Fields fields) throws GarbageException {
        int lanes = fields.isNull("lanes") ? 0 : fields.number("lanes", 0, LinkRate.LANES_MAX);
        int megabits = fields.isNull("megabits") ? 0 : fields.number("megabits", 0, LinkRate.MEGABITS_MAX);
        return megabits == 0 ? null : new LinkRate(megabits, lanes);
    }

    private @Nullable Neighbour far(int number, Fields fields) throws GarbageException {
        if (fields.has("switch")) {
            SwitchPort far =
                    new SwitchPort(fields.guid("switch"), fields.number("far", 1, SouthboundProtocol.MAX_PORTS));
            if (far.guid() == guid && far.port() == number) {
                throw fields.garbage("the port leads to itself");
            }
            return far;
        }
        if (!fields.has("host")) {
            return null;
        }
        long host = fields.guid("host");
        int port = fields.has("far") ? fields.number("far", 1, SouthboundProtocol.MAX_PORTS) : 1;
        return new HostPort(host, host, port, fields.name(), fields.addresses());
    }

    private static String shown(byte[] bytes) {
        String text = new String(bytes, 0, Math.min(bytes.length, SHOWN_CHARS), StandardCharsets.UTF_8);
        return "'" + BoundedText.printable(text) + (bytes.length > SHOWN_CHARS ? "…'" : "'");
    }

    /** The fields of one line; those that nobody asks for are passed over. */
    private record Fields(JsonNode node, byte[] line) {
        boolean has(String field) {
            return node.has(field);
        }

        boolean isNull(String field) {
            return !node.hasNonNull(field);
        }

        long id() throws GarbageException {
            return number("id");
        }

        long number(String field) throws GarbageException {
            return number(field, 0, Long.MAX_VALUE);
        }

        int number(String field, int min, int max) throws GarbageException {
            return (int) number(field, (long) min, (long) max);
        }

        long number(String field, long min, long max) throws GarbageException {
            JsonNode value = node.path(field);
            if (!value.isIntegralNumber()
                    || !value.canConvertToLong()
                    || value.longValue() < min
                    || value.longValue() > max) {
                throw garbage(field + " is not a number in " + min + ".." + max);
            }
            return value.longValue();
        }

        boolean flag(String field) throws GarbageException {
            if (!node.path(field).isBoolean()) {
                throw garbage(field + " is neither true nor false");
            }
            return node.path(field).booleanValue();
        }

        String text(String field) throws GarbageException {
            if (!node.path(field).isTextual()) {
                throw garbage(field + " is no text");
            }
            return node.path(field).textValue();
        }

        private @Nullable String textOrNull(String field) throws GarbageException {
            return isNull(field) ? null : text(field);
        }

        String name() throws GarbageException {
            String name = isNull("name") ? "" : BoundedText.printable(text("name"));
            if (name.getBytes(StandardCharsets.UTF_8).length > SouthboundProtocol.MAX_NAME_BYTES) {
                throw garbage("name has more than " + SouthboundProtocol.MAX_NAME_BYTES + " bytes");
            }
            return name;
        }

        long guid(String field) throws GarbageException {
            try {
                long guid = Guid.parse(text(field));
                if (guid != 0) {
                    return guid;
                }
            } catch (IllegalArgumentException e) {
                // The same is wrong with it.
            }
            throw garbage(field + " is no GUID, as 0x…");
        }

        HostAddresses addresses() throws GarbageException {
            try {
                int lid = isNull("lid") ? 0 : number("lid", 1, HostAddresses.LID_MAX);
                return HostAddresses.parse(lid, textOrNull("ipv4"), textOrNull("ipv6"), textOrNull("mac"));
            } catch (IllegalArgumentException e) {
                throw garbage(BoundedText.shown(String.valueOf(e.getMessage())));
            }
        }

        GarbageException garbage(String why) {
            return new GarbageException("it said " + shown(line) + ": " + why);
        }
    }
}
