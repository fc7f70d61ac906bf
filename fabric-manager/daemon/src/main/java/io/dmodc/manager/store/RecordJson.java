package io.dmodc.manager.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dmodc.manager.state.ChangedRows;
import io.dmodc.manager.state.KeptRow;
import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.Acknowledgement;
import io.dmodc.manager.state.StateRecord.ExpectedPort;
import io.dmodc.manager.state.StateRecord.ExpectedSwitch;
import io.dmodc.manager.state.StateRecord.FabricEpoch;
import io.dmodc.manager.state.StateRecord.HeldTable;
import io.dmodc.manager.state.StateRecord.Intent;
import io.dmodc.manager.state.StateRecord.KeptEpoch;
import io.dmodc.manager.state.StateRecord.Kind;
import io.dmodc.manager.state.StateRecord.KnownSwitch;
import io.dmodc.manager.state.StateRecord.LastAlarm;
import io.dmodc.manager.state.StateRecord.LeaderEpoch;
import io.dmodc.manager.state.StateRecord.NodeIndex;
import io.dmodc.manager.state.StateRecord.OpenAlarm;
import io.dmodc.manager.state.StateRecord.SwitchLevel;
import io.dmodc.manager.state.StateRecord.SwitchPlane;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.Host;
import io.dmodc.topology.HostAddresses;
import io.dmodc.topology.LinkRate;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.PlaneNumbers;
import io.dmodc.topology.PortPlace;
import io.dmodc.topology.SwitchClaims;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Records as JSON objects, for people and for export: {@code docs/state.md} names every field. */
public final class RecordJson {
    private RecordJson() {}

    /** The word for a kind, as {@code node-index}. */
    public static String word(Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Writes a record; never a removal. */
    public static ObjectNode write(StateRecord record) {
        ObjectNode out = JsonNodeFactory.instance.objectNode();
        out.put("kind", word(record.key().kind()));
        if (record instanceof LeaderEpoch it) {
            return out.put("epoch", it.epoch());
        } else if (record instanceof FabricEpoch it) {
            return write(it, out);
        } else if (record instanceof NodeIndex it) {
            write(it, out);
            return out;
        } else if (record instanceof SwitchLevel it) {
            return out.put("switch", Guid.format(it.guid())).put("level", it.level());
        } else if (record instanceof SwitchPlane it) {
            return out.put("switch", Guid.format(it.guid())).put("number", it.number());
        } else if (record instanceof KnownSwitch it) {
            write(it, out);
            return out;
        } else if (record instanceof ExpectedSwitch it) {
            out.put("switch", Guid.format(it.guid())).put("name", it.name());
            ArrayNode ports = out.put("portCount", it.portCount()).putArray("ports");
            it.ports().forEach(port -> write(port.neighbour(), ports.addObject().put("port", port.port())));
            return out;
        } else if (record instanceof HeldTable it) {
            out.put("switch", Guid.format(it.guid())).put("leaderEpoch", it.leaderEpoch());
            out.put("fabricEpoch", it.fabricEpoch()).put("entryCount", it.entryCount());
            out.put("digest", Guid.format(it.digest()));
            if (it.transitHellos()) {
                out.put("transitHellos", true);
            }
            if (!it.rows().isEmpty()) {
                ArrayNode rows = out.putArray("rows");
                it.rows().forEach(row -> write(row, rows.addObject()));
            }
            return out;
        } else if (record instanceof KeptEpoch it) {
            write(it, out);
            return out;
        } else if (record instanceof OpenAlarm it) {
            out.put("subject", it.subject()).put("guid", Guid.format(it.guid())).put("port", it.port());
            return out.put("id", it.id()).put("sinceMillis", it.sinceMillis()).put("causeEpoch", it.causeEpoch());
        } else if (record instanceof Acknowledgement it) {
            out.put("subject", it.subject()).put("guid", Guid.format(it.guid())).put("port", it.port());
            out.put("id", it.id()).put("alarmKind", it.kind());
            return out.put("by", it.by()).put("atMillis", it.atMillis()).put("why", it.why());
        } else if (record instanceof Intent it) {
            out.put("act", it.act()).put("guid", Guid.format(it.guid())).put("port", it.port());
            out.put("value", it.value()).put("by", it.by());
            return out.put("atMillis", it.atMillis()).put("why", it.why());
        } else if (record instanceof LastAlarm it) {
            return out.put("id", it.id());
        }
        throw new IllegalArgumentException("no value is kept for " + record);
    }

    private static ObjectNode write(FabricEpoch it, ObjectNode to) {
        to.put("epoch", it.epoch());
        write("drained", it.drained(), to);
        write("slow", it.slow(), to);
        if (!it.engine().isEmpty()) {
            to.put("engine", it.engine());
        }
        if (it.basis() != 0) {
            to.put("basis", Guid.format(it.basis()));
        }
        if (it.nodeCount() > 0) {
            to.put("nodeCount", it.nodeCount());
        }
        if (it.heldBack()) {
            to.put("heldBack", true);
        }
        return to;
    }

    private static void write(String field, List<PortPlace> places, ObjectNode to) {
        if (!places.isEmpty()) {
            ArrayNode all = to.putArray(field);
            places.forEach(place ->
                    all.addObject().put("switch", Guid.format(place.guid())).put("port", place.port()));
        }
    }

    private static void write(NodeIndex node, ObjectNode to) {
        to.put("port", Guid.format(node.portGuid())).put("index", node.index());
    }

    private static void write(KnownSwitch known, ObjectNode to) {
        SwitchClaims claims = known.claims();
        to.put("switch", Guid.format(claims.guid())).put("name", claims.name());
        ArrayNode ports = to.put("portCount", claims.portCount())
                .put("forwards", known.forwards())
                .putArray("ports");
        claims.ports().forEach(port -> {
            ObjectNode at = ports.addObject().put("port", port.port()).put("up", port.up());
            if (port.lastUpOwner()) {
                at.put("lastUpOwner", true);
            }
            Neighbour neighbour = port.neighbour();
            if (neighbour != null) {
                write(neighbour, at);
            }
            LinkRate rate = port.rate();
            if (rate != null) {
                at.put("megabits", rate.megabits());
            }
            if (rate != null && rate.lanes() > 0) {
                at.put("lanes", rate.lanes());
            }
        });
    }

    private static void write(KeptEpoch kept, ObjectNode to) {
        to.put("epoch", kept.epoch()).put("cause", kept.cause()).put("engine", kept.engine());
        to.put("acceptedMillis", kept.acceptedMillis()).put("entryCount", kept.entryCount());
        to.put("digest", Guid.format(kept.digest())).put("base", Guid.format(kept.base()));
        ArrayNode rows = to.putArray("rows");
        for (ChangedRows changed : kept.rows()) {
            ObjectNode group = rows.addObject();
            ArrayNode switches = group.putArray("switches");
            Arrays.stream(changed.switches()).mapToObj(Guid::format).forEach(switches::add);
            ArrayNode blocks = group.putArray("blocks");
            Arrays.stream(changed.blocks()).forEach(blocks::add);
            group.put("entries", changed.entries());
        }
        ArrayNode switches = to.putArray("switches");
        kept.switches().forEach(known -> write(known, switches.addObject()));
        ArrayNode absent = to.putArray("absent");
        kept.absent().forEach(guid -> absent.add(Guid.format(guid)));
        ArrayNode nodes = to.putArray("nodes");
        kept.nodes().forEach(node -> write(node, nodes.addObject()));
    }

    private static void write(KeptRow row, ObjectNode to) {
        to.put("entryCount", row.entryCount()).put("digest", Guid.format(row.digest()));
        if (!row.whole()) {
            to.put("base", Guid.format(row.base()));
        }
        ArrayNode blocks = to.putArray("blocks");
        Arrays.stream(row.blocks()).forEach(blocks::add);
        to.put("entries", row.entries());
    }

    private static void write(Neighbour neighbour, ObjectNode to) {
        if (neighbour instanceof ToHost far) {
            write(far.host(), to.putObject("host"));
        } else if (neighbour instanceof ToSwitch far) {
            to.putObject("far").put("switch", Guid.format(far.guid())).put("port", far.port());
        }
    }

    private static void write(Host host, ObjectNode to) {
        to.put("port", Guid.format(host.portGuid())).put("guid", Guid.format(host.hostGuid()));
        to.put("number", host.hostPort()).put("name", host.name());
        HostAddresses addresses = host.addresses();
        if (addresses.lid() != 0) {
            to.put("lid", addresses.lid());
        }
        putKnown("ipv4", addresses.ipv4Text(), to);
        putKnown("ipv6", addresses.ipv6Text(), to);
        putKnown("mac", addresses.macText(), to);
    }

    private static void putKnown(String field, String address, ObjectNode to) {
        if (!address.isEmpty()) {
            to.put(field, address);
        }
    }

    /** @throws IllegalArgumentException in a few words: field, value, what was expected */
    static StateRecord read(JsonNode node) {
        JsonFields in = new JsonFields(node);
        StateRecord record = read(in);
        in.end();
        return record;
    }

    private static StateRecord read(JsonFields in) {
        return switch (kind(in.text("kind"))) {
            case LEADER_EPOCH -> new LeaderEpoch(in.number("epoch", 0, RecordBounds.LEADER_EPOCH_MAX));
            case FABRIC_EPOCH -> fabricEpoch(in);
            case NODE_INDEX -> nodeIndex(in);
            case LEVEL -> new SwitchLevel(in.guid("switch"), in.number("level", 0, GuidNumbers.LEVEL_MAX));
            case PLANE -> new SwitchPlane(in.guid("switch"), in.number("number", 0, PlaneNumbers.NUMBER_MAX));
            case SWITCH -> knownSwitch(in);
            case EXPECTED -> expectedSwitch(in);
            case HELD_TABLE ->
                new HeldTable(
                        in.guid("switch"),
                        in.number("leaderEpoch", 0, Long.MAX_VALUE),
                        in.number("fabricEpoch", 0, Long.MAX_VALUE),
                        in.number("entryCount", 0, NodeIndexMap.TABLE_INDEX_MAX + 1),
                        in.guid("digest"),
                        in.has("transitHellos") && in.flag("transitHellos"),
                        in.has("rows") ? rows(in) : List.of());
            case KEPT_EPOCH -> keptEpoch(in);
            case ALARM ->
                new OpenAlarm(
                        in.text("subject"),
                        in.guid("guid"),
                        in.number("port", 0, FabricView.PORT_MAX),
                        in.number("id", 0, RecordBounds.ALARM_MAX),
                        in.number("sinceMillis", 0, Long.MAX_VALUE),
                        in.number("causeEpoch", 0, Long.MAX_VALUE));
            case ACKNOWLEDGEMENT ->
                new Acknowledgement(
                        in.text("subject"),
                        in.guid("guid"),
                        in.number("port", 0, FabricView.PORT_MAX),
                        in.number("id", 0, RecordBounds.ALARM_MAX),
                        in.text("alarmKind"),
                        in.text("by"),
                        in.number("atMillis", 0, Long.MAX_VALUE),
                        in.text("why"));
            case INTENT ->
                new Intent(
                        in.text("act"),
                        in.guid("guid"),
                        in.number("port", 0, FabricView.PORT_MAX),
                        in.text("value"),
                        in.text("by"),
                        in.number("atMillis", 0, Long.MAX_VALUE),
                        in.text("why"));
            case LAST_ALARM -> new LastAlarm(in.number("id", 0, RecordBounds.ALARM_MAX));
        };
    }

    /** @throws IllegalArgumentException naming the word and all kinds */
    public static Kind kind(String word) {
        for (Kind kind : Kind.values()) {
            if (word(kind).equals(word)) {
                return kind;
            }
        }
        throw new IllegalArgumentException("kind '" + word + "'; expected one of "
                + Arrays.stream(Kind.values()).map(RecordJson::word).collect(Collectors.joining(", ")));
    }

    private static FabricEpoch fabricEpoch(JsonFields in) {
        long epoch = in.number("epoch", 0, RecordBounds.FABRIC_EPOCH_MAX);
        List<PortPlace> drained = places(in, "drained", 0);
        List<PortPlace> slow = places(in, "slow", 1);
        String engine = in.has("engine") ? in.text("engine") : "";
        long basis = in.has("basis") ? in.guid("basis") : 0;
        int nodeCount = in.has("nodeCount") ? in.number("nodeCount", 0, NodeIndexMap.TABLE_INDEX_MAX + 1) : 0;
        boolean heldBack = in.has("heldBack") && in.flag("heldBack");
        return new FabricEpoch(epoch, drained, slow, engine, basis, nodeCount, heldBack);
    }

    private static List<PortPlace> places(JsonFields in, String field, int first) {
        List<PortPlace> places = new ArrayList<>();
        for (JsonFields place : in.has(field) ? in.list(field) : List.<JsonFields>of()) {
            places.add(new PortPlace(place.guid("switch"), place.number("port", first, FabricView.PORT_MAX)));
            place.end();
        }
        return places;
    }

    private static NodeIndex nodeIndex(JsonFields in) {
        return new NodeIndex(in.guid("port"), in.number("index", 0, NodeIndexMap.TABLE_INDEX_MAX));
    }

    private static KeptEpoch keptEpoch(JsonFields in) {
        return new KeptEpoch(
                in.number("epoch", 0, RecordBounds.FABRIC_EPOCH_MAX),
                in.text("cause"),
                in.text("engine"),
                in.number("acceptedMillis", 0, Long.MAX_VALUE),
                in.number("entryCount", 0, NodeIndexMap.TABLE_INDEX_MAX + 1),
                in.guid("digest"),
                in.guid("base"),
                each(in, "rows", RecordJson::changedRows),
                each(in, "switches", RecordJson::knownSwitch),
                Arrays.stream(in.guids("absent")).boxed().toList(),
                each(in, "nodes", RecordJson::nodeIndex));
    }

    private static ChangedRows changedRows(JsonFields in) {
        return new ChangedRows(
                in.guids("switches"),
                in.numbers("blocks", 0, NodeIndexMap.TABLE_INDEX_MAX / KeptRow.BLOCK),
                in.bytes("entries"));
    }

    private static <T> List<T> each(JsonFields in, String field, Function<JsonFields, T> read) {
        List<T> all = new ArrayList<>();
        for (JsonFields item : in.list(field)) {
            all.add(read.apply(item));
            item.end();
        }
        return all;
    }

    private static KnownSwitch knownSwitch(JsonFields in) {
        long guid = in.guid("switch");
        String name = in.text("name");
        int portCount = in.number("portCount", 1, FabricView.PORT_MAX);
        boolean forwards = in.flag("forwards");
        List<SwitchClaims.PortClaim> ports = new ArrayList<>();
        for (JsonFields port : in.list("ports")) {
            int number = port.number("port", ports.isEmpty() ? 1 : last(ports).port() + 1, portCount);
            boolean up = port.flag("up");
            boolean lastUpOwner = port.has("lastUpOwner") && port.flag("lastUpOwner");
            Neighbour neighbour = port.has("host") || port.has("far") ? neighbour(port) : null;
            ports.add(new SwitchClaims.PortClaim(number, up, neighbour, lastUpOwner, rate(port)));
            port.end();
        }
        return new KnownSwitch(new SwitchClaims(guid, name, portCount, ports), forwards);
    }

    private static @Nullable LinkRate rate(JsonFields port) {
        int lanes = port.has("lanes") ? port.number("lanes", 0, LinkRate.LANES_MAX) : 0;
        return port.has("megabits") ? new LinkRate(port.number("megabits", 1, LinkRate.MEGABITS_MAX), lanes) : null;
    }

    private static ExpectedSwitch expectedSwitch(JsonFields in) {
        long guid = in.guid("switch");
        String name = in.text("name");
        int portCount = in.number("portCount", 1, FabricView.PORT_MAX);
        List<ExpectedPort> ports = new ArrayList<>();
        for (JsonFields port : in.list("ports")) {
            int number = port.number("port", ports.isEmpty() ? 1 : last(ports).port() + 1, portCount);
            Neighbour far = neighbour(port);
            if (far instanceof ToSwitch to && to.guid() == guid) {
                throw new IllegalArgumentException(
                        "port " + number + " leads to switch " + Guid.format(guid) + " itself; expected another one");
            }
            ports.add(new ExpectedPort(number, far));
            port.end();
        }
        return new ExpectedSwitch(guid, name, portCount, ports);
    }

    private static List<KeptRow> rows(JsonFields in) {
        List<KeptRow> rows = new ArrayList<>();
        for (JsonFields row : in.list("rows")) {
            int entryCount = row.number("entryCount", 0, NodeIndexMap.TABLE_INDEX_MAX + 1);
            long digest = row.guid("digest");
            long base = row.has("base") ? row.guid("base") : 0;
            int[] blocks = row.numbers("blocks", 0, NodeIndexMap.TABLE_INDEX_MAX / KeptRow.BLOCK);
            rows.add(new KeptRow(entryCount, digest, base, blocks, row.bytes("entries")));
            row.end();
        }
        return rows;
    }

    /** Ports are listed in ascending order. */
    private static <T> T last(List<T> list) {
        return list.get(list.size() - 1);
    }

    private static Neighbour neighbour(JsonFields port) {
        if (port.has("host")) {
            JsonFields host = port.object("host");
            Host read = new Host(
                    host.guid("port"),
                    host.guid("guid"),
                    host.number("number", 0, Integer.MAX_VALUE),
                    host.text("name"),
                    addresses(host));
            host.end();
            return new ToHost(read);
        }
        JsonFields far = port.object("far");
        ToSwitch read = new ToSwitch(far.guid("switch"), far.number("port", 1, FabricView.PORT_MAX));
        far.end();
        return read;
    }

    private static HostAddresses addresses(JsonFields host) {
        return HostAddresses.parse(
                host.has("lid") ? host.number("lid", 1, HostAddresses.LID_MAX) : 0,
                host.has("ipv4") ? host.text("ipv4") : null,
                host.has("ipv6") ? host.text("ipv6") : null,
                host.has("mac") ? host.text("mac") : null);
    }
}
