package io.dmodc.manager.core;

import io.dmodc.manager.state.ChangedRows;
import io.dmodc.manager.state.KeptRow;
import io.dmodc.manager.state.StateRecord.KeptEpoch;
import io.dmodc.manager.state.StateRecord.KnownSwitch;
import io.dmodc.manager.state.StateRecord.NodeIndex;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftRowBuilder;
import io.dmodc.routing.PortPattern;
import io.dmodc.routing.Tables;
import io.dmodc.routing.change.TableDifference.EpochTables;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.Guid;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.SwitchClaims.PortClaim;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Goes back from the tables in force to older ones, a kept difference at a time, and proves each by its digest. */
final class EpochUndoing {
    private final ServedEpoch last;
    private final RowDigest digestOf;
    private final LftRowBuilder builder = new LftRowBuilder();
    private long epoch;
    private int entryCount;
    private long digest;

    /** A table with its digest. */
    private record Row(LftRow row, long digest) {}

    /** Tables of switches that forward, by GUID. */
    private final Map<Long, Row> rows = new HashMap<>();

    /** All switches; those that are as in the last view have no value yet. */
    private final Map<Long, KnownSwitch> changed = new HashMap<>();

    private final Map<Long, Integer> lastIndex = new TreeMap<>(Long::compareUnsigned);
    private final Map<Long, Integer> nodes = new HashMap<>();

    EpochUndoing(ServedEpoch last, RowDigest digestOf) {
        this.last = last;
        this.digestOf = digestOf;
        FabricView view = last.view();
        epoch = view.epoch();
        entryCount = last.tables().entryCount();
        digest = last.digest();
        for (int s = 0; s < view.switchCount(); s++) {
            lastIndex.put(view.switchGuid(s), s);
            if (view.alive(s)) {
                rows.put(view.switchGuid(s), new Row(last.tables().row(s), last.digests()[s]));
            }
        }
        for (int node = 0; node < view.nodeCount(); node++) {
            if (view.nodeSwitch(node) >= 0) {
                nodes.put(view.nodeGuid(node), node);
            }
        }
    }

    /** @throws IllegalArgumentException in one line when the record does not fit */
    void backTo(KeptEpoch kept) {
        if (kept.base() != digest) {
            throw doesNotFit(
                    kept,
                    "it is based on tables with digest " + Guid.format(kept.base()) + "; expected those of epoch "
                            + epoch + " with " + Guid.format(digest));
        }
        for (long guid : kept.absent()) {
            lastIndex.remove(guid);
            changed.remove(guid);
            rows.remove(guid);
        }
        for (KnownSwitch known : kept.switches()) {
            becomes(known, kept.entryCount());
        }
        for (NodeIndex node : kept.nodes()) {
            nodes.put(node.portGuid(), node.index());
        }
        fit(kept.entryCount(), kept);
        epoch = kept.epoch();
        digest = rows.entrySet().stream()
                .mapToLong(row -> ServedEpoch.part(row.getKey(), row.getValue().digest))
                .sum();
        if (digest != kept.digest()) {
            throw doesNotFit(
                    kept, "its tables have digest " + Guid.format(digest) + "; expected " + Guid.format(kept.digest()));
        }
    }

    private void becomes(KnownSwitch known, int entries) {
        long guid = known.claims().guid();
        changed.put(guid, known);
        if (!known.forwards()) {
            rows.remove(guid);
        } else if (!rows.containsKey(guid)) {
            LftRow none = LftRow.noRoutes(entries);
            rows.put(guid, new Row(none, digestOf.of(none)));
        }
    }

    /** Tables that many switches share are made once. */
    private void fit(int entries, KeptEpoch kept) {
        if (entries != entryCount) {
            Map<LftRow, Row> fitted = new HashMap<>();
            rows.replaceAll((guid, row) -> row.row.entryCount() == entries
                    ? row
                    : fitted.computeIfAbsent(row.row, longer -> anew(longer.fittedTo(entries))));
            entryCount = entries;
        }
        for (ChangedRows change : kept.rows()) {
            Map<LftRow, Row> made = new HashMap<>();
            for (long guid : change.switches()) {
                Row base = rows.get(guid);
                if (base == null) {
                    throw doesNotFit(kept, "switch " + Guid.format(guid) + " has a table and does not forward");
                }
                rows.put(guid, made.computeIfAbsent(base.row, any -> onto(base, change)));
            }
        }
    }

    private Row anew(LftRow row) {
        return new Row(row, digestOf.of(row));
    }

    private Row onto(Row base, ChangedRows change) {
        builder.begin(base.row);
        int at = 0;
        for (int block : change.blocks()) {
            int start = block * KeptRow.BLOCK;
            int end = KeptRow.end(block, entryCount);
            builder.put(start, end, PortPattern.literal(change.entries(), at, end - start, start));
            at += end - start;
        }
        LftRow row = builder.build();
        return new Row(row, digestOf.exchanged(base.digest, base.row, row));
    }

    private static IllegalArgumentException doesNotFit(KeptEpoch kept, String why) {
        return new IllegalArgumentException("the record of epoch " + kept.epoch() + " does not fit: " + why);
    }

    /** Where it has come to. */
    EpochTables tables() {
        FabricView view = view();
        LftRow none = LftRow.noRoutes(entryCount);
        LftRow[] all = new LftRow[view.switchCount()];
        for (int s = 0; s < all.length; s++) {
            Row row = rows.get(view.switchGuid(s));
            all[s] = row == null ? none : row.row;
        }
        return new EpochTables(view, Tables.ofRows(epoch, entryCount, all));
    }

    private FabricView view() {
        FabricViewBuilder cabling = new FabricViewBuilder();
        GuidNumbers indices = new GuidNumbers();
        lastIndex.forEach((guid, s) -> {
            if (!changed.containsKey(guid)) {
                add(EpochDifference.known(last.view(), s), cabling, indices);
            }
        });
        changed.values().forEach(known -> add(known, cabling, indices));
        return cabling.build(epoch, NodeIndexMap.of("epoch " + epoch, indices), new GuidNumbers());
    }

    private void add(KnownSwitch known, FabricViewBuilder cabling, GuidNumbers indices) {
        cabling.restore(known.claims());
        cabling.apply(new SwitchState(known.claims().guid(), known.forwards()));
        for (PortClaim port : known.claims().ports()) {
            if (port.neighbour() instanceof ToHost to) {
                long guid = to.host().portGuid();
                indices.put(guid, nodes.getOrDefault(guid, NodeIndexMap.TABLE_INDEX_MAX));
            }
        }
    }
}
