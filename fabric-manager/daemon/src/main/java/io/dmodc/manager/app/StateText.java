package io.dmodc.manager.app;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import io.dmodc.manager.state.StoredState;
import io.dmodc.manager.store.RecordJson;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.Guid;
import io.dmodc.topology.SwitchClaims.PortClaim;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A state as people read it. Names of switches and hosts stand beside their GUIDs where the state knows them. */
final class StateText {
    private final StoredState state;
    private final Map<Long, String> names = new HashMap<>();

    StateText(StoredState state) {
        this.state = state;
        for (KnownSwitch known : state.all(KnownSwitch.class)) {
            names.put(known.claims().guid(), printable(known.claims().name()));
            known.claims().ports().forEach(port -> nameHost(port.neighbour()));
        }
        for (ExpectedSwitch expected : state.all(ExpectedSwitch.class)) {
            names.putIfAbsent(expected.guid(), printable(expected.name()));
            expected.ports().forEach(port -> nameHost(port.neighbour()));
        }
    }

    private void nameHost(@Nullable Neighbour neighbour) {
        if (neighbour instanceof ToHost host) {
            names.putIfAbsent(host.host().portGuid(), printable(host.host().name()));
        }
    }

    /** One line a name, whatever an agent calls itself. */
    private static String printable(String name) {
        return name.replaceAll("\\p{Cntrl}", "?");
    }

    /** How much there is of what. */
    List<String> summary() {
        List<KnownSwitch> switches = state.all(KnownSwitch.class);
        List<ExpectedSwitch> expected = state.all(ExpectedSwitch.class);
        long hosts = expected.stream().mapToLong(it -> count(it, ToHost.class)).sum();
        long ends = expected.stream().mapToLong(it -> count(it, ToSwitch.class)).sum();
        int indexMax = state.all(NodeIndex.class).stream()
                .mapToInt(NodeIndex::index)
                .max()
                .orElse(-1);
        return aligned(List.of(
                row("leader epoch", state.leaderEpoch()),
                row("fabric epoch", state.fabricEpoch()),
                row("node indices", count(Kind.NODE_INDEX) + (indexMax < 0 ? "" : ", highest " + indexMax)),
                row("levels", count(Kind.LEVEL)),
                row("plane numbers", count(Kind.PLANE)),
                row(
                        "switches",
                        switches.size() + ", "
                                + switches.stream()
                                        .filter(KnownSwitch::forwards)
                                        .count() + " forward"),
                row("expected", expected.size() + " switches, " + ends / 2 + " links, " + hosts + " hosts"),
                row("held tables", count(Kind.HELD_TABLE)),
                row("kept epochs", count(Kind.KEPT_EPOCH)),
                row("open alarms", count(Kind.ALARM) + ", last number " + state.lastAlarm())));
    }

    private static List<String> row(String name, Object value) {
        return List.of(name, value.toString());
    }

    private static long count(ExpectedSwitch expected, Class<? extends Neighbour> kind) {
        return expected.ports().stream()
                .map(ExpectedPort::neighbour)
                .filter(kind::isInstance)
                .count();
    }

    private long count(Kind kind) {
        return counts().getOrDefault(kind, 0L);
    }

    private Map<Kind, Long> counts() {
        Map<Kind, Long> counts = new EnumMap<>(Kind.class);
        state.records().forEach(record -> counts.merge(record.key().kind(), 1L, Long::sum));
        return counts;
    }

    /** The summary for programs: numbers, and how many records there are of each kind. */
    ObjectNode json() {
        ObjectNode out = JsonNodeFactory.instance.objectNode();
        out.put("leaderEpoch", state.leaderEpoch())
                .put("fabricEpoch", state.fabricEpoch())
                .put("lastAlarm", state.lastAlarm());
        ObjectNode records = out.putObject("records");
        Map<Kind, Long> counts = counts();
        for (Kind kind : Kind.values()) {
            records.put(RecordJson.word(kind), counts.getOrDefault(kind, 0L));
        }
        return out;
    }

    /** A line a record, in columns. */
    List<String> table(List<StateRecord> records) {
        return aligned(records.stream().map(this::cells).toList());
    }

    private List<String> cells(StateRecord record) {
        if (record instanceof LeaderEpoch it) {
            return List.of(Long.toString(it.epoch()));
        } else if (record instanceof FabricEpoch it) {
            return List.of(
                    Long.toString(it.epoch()),
                    (it.drained().isEmpty() ? "" : it.drained().size() + " drained")
                            + (it.drained().isEmpty() || it.slow().isEmpty() ? "" : ", ")
                            + (it.slow().isEmpty() ? "" : it.slow().size() + " slow links led around"),
                    printable(it.engine()));
        } else if (record instanceof NodeIndex it) {
            return List.of(Guid.format(it.portGuid()), Integer.toString(it.index()), name(it.portGuid()));
        } else if (record instanceof SwitchLevel it) {
            return List.of(Guid.format(it.guid()), Integer.toString(it.level()), name(it.guid()));
        } else if (record instanceof SwitchPlane it) {
            return List.of(Guid.format(it.guid()), Integer.toString(it.number()), name(it.guid()));
        } else if (record instanceof KnownSwitch it) {
            long up = it.claims().ports().stream().filter(PortClaim::up).count();
            return List.of(
                    Guid.format(it.claims().guid()),
                    it.claims().portCount() + " ports",
                    up + " up",
                    it.forwards() ? "forwards" : "routed around",
                    name(it.claims().guid()));
        } else if (record instanceof ExpectedSwitch it) {
            return List.of(
                    Guid.format(it.guid()),
                    it.portCount() + " ports",
                    count(it, ToSwitch.class) + " links",
                    count(it, ToHost.class) + " hosts",
                    name(it.guid()));
        } else if (record instanceof HeldTable it) {
            return List.of(
                    Guid.format(it.guid()),
                    "leader " + it.leaderEpoch(),
                    "epoch " + it.fabricEpoch(),
                    it.entryCount() + " entries",
                    Guid.format(it.digest()),
                    it.rows().isEmpty() ? "" : it.rows().size() + " rows kept",
                    name(it.guid()));
        } else if (record instanceof KeptEpoch it) {
            return List.of(
                    Long.toString(it.epoch()),
                    Instant.ofEpochMilli(it.acceptedMillis()).toString(),
                    it.rows().stream().mapToInt(rows -> rows.switches().length).sum() + " tables differ",
                    it.switches().size() + " switches differ",
                    it.engine(),
                    printable(it.cause()));
        } else if (record instanceof OpenAlarm it) {
            return List.of(
                    Long.toString(it.id()),
                    Instant.ofEpochMilli(it.sinceMillis()).toString(),
                    "epoch " + it.causeEpoch(),
                    it.subject(),
                    it.guid() == 0 ? "" : Guid.format(it.guid()),
                    it.port() == 0 ? "" : "port " + it.port(),
                    name(it.guid()));
        } else if (record instanceof Acknowledgement it) {
            return List.of(
                    Long.toString(it.id()),
                    Instant.ofEpochMilli(it.atMillis()).toString(),
                    it.kind(),
                    it.guid() == 0 ? "" : Guid.format(it.guid()),
                    it.port() == 0 ? "" : "port " + it.port(),
                    printable(it.by()),
                    printable(it.why()));
        } else if (record instanceof Intent it) {
            return List.of(
                    printable(it.act()),
                    Instant.ofEpochMilli(it.atMillis()).toString(),
                    it.guid() == 0 ? "" : Guid.format(it.guid()),
                    it.port() == 0 ? "" : "port " + it.port(),
                    printable(it.value()),
                    printable(it.by()),
                    printable(it.why()));
        } else if (record instanceof LastAlarm it) {
            return List.of(Long.toString(it.id()));
        }
        throw new IllegalArgumentException("no value is kept for " + record);
    }

    private String name(long guid) {
        return names.getOrDefault(guid, "");
    }

    /** Pads all columns but the last. */
    private static List<String> aligned(List<List<String>> rows) {
        List<Integer> widths = new ArrayList<>();
        for (List<String> row : rows) {
            for (int i = 0; i < row.size(); i++) {
                int width = row.get(i).length();
                if (i == widths.size()) {
                    widths.add(width);
                } else {
                    widths.set(i, Math.max(widths.get(i), width));
                }
            }
        }
        return rows.stream().map(row -> line(row, widths)).toList();
    }

    private static String line(List<String> row, List<Integer> widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < row.size(); i++) {
            if (widths.get(i) > 0) {
                line.append(row.get(i))
                        .append(" ".repeat(widths.get(i) - row.get(i).length() + 2));
            }
        }
        return line.toString().stripTrailing();
    }
}
