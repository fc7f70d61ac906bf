package io.dmodc.manager.core;

import io.dmodc.manager.core.SwitchRecord.Condition;
import io.dmodc.manager.state.KeptRow;
import io.dmodc.manager.state.StateRecord.HeldTable;
import io.dmodc.manager.state.StateRecord.KnownSwitch;
import io.dmodc.manager.state.StateRecord.NodeIndex;
import io.dmodc.manager.state.StateRecord.OpenAlarm;
import io.dmodc.manager.state.StateRecord.SwitchLevel;
import io.dmodc.manager.state.StateRecord.SwitchPlane;
import io.dmodc.manager.state.StoredState;
import io.dmodc.routing.LftRow;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GroupOrder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.PlaneNumbers;
import io.dmodc.topology.SwitchClaims;
import java.util.List;

/** Makes of records what they were made of. */
final class Restoring {
    private static final String SOURCE = "state";

    private Restoring() {}

    /** @throws IllegalArgumentException in one line when two host ports have one index */
    static NodeIndexMap nodes(StoredState stored) {
        GuidNumbers indices = new GuidNumbers();
        stored.all(NodeIndex.class).forEach(node -> indices.put(node.portGuid(), node.index()));
        NodeIndexMap nodes = NodeIndexMap.of(SOURCE, indices);
        nodes.reserve(stored.lastEpoch().nodeCount());
        nodes.freeGaps();
        nodes.limit(NodeIndexMap.TABLE_INDEX_MAX);
        return nodes;
    }

    /** @param order in which port groups are counted: by GUID, numbers follow the switches until they are used again */
    static PlaneNumbers planes(StoredState stored, GroupOrder order) {
        GuidNumbers numbers = new GuidNumbers();
        stored.all(SwitchPlane.class).forEach(plane -> numbers.put(plane.guid(), plane.number()));
        return order == GroupOrder.PLANE ? PlaneNumbers.of(numbers) : PlaneNumbers.unused(numbers);
    }

    /** @param linkCount of the fullest fabric seen, as far as it is still expected */
    static LearntLevels levels(StoredState stored, int linkCount) {
        GuidNumbers levels = new GuidNumbers();
        stored.all(SwitchLevel.class).forEach(level -> levels.put(level.guid(), level.level()));
        return new LearntLevels(linkCount, levels);
    }

    /** Every switch starts with the cabling it had and without an agent: it is awaited. */
    static void switches(StoredState stored, FabricState state) {
        List<KnownSwitch> known = stored.all(KnownSwitch.class);
        for (KnownSwitch it : known) {
            SwitchClaims claims = it.claims();
            state.cabling.restore(claims);
            state.cabling.apply(new SwitchState(claims.guid(), it.forwards()));
            SwitchRecord record = new SwitchRecord(claims.guid(), claims.name(), claims.portCount());
            record.awaited = true;
            record.condition = Condition.HEADLESS;
            record.goneSinceNanos = state.startedNanos;
            state.switches.put(claims.guid(), record);
            state.agentChanged(record);
        }
        state.cabling.takeChanged();
        for (KnownSwitch it : known) {
            SwitchRecord record = state.switches.get(it.claims().guid());
            if (record != null) {
                record.deadOnRecord = !it.forwards() && !anySaysUp(state.cabling, it.claims());
            }
        }
        for (HeldTable held : stored.all(HeldTable.class)) {
            SwitchRecord record = state.switches.get(held.guid());
            if (record != null) {
                restore(record, held);
            }
        }
        for (OpenAlarm alarm : stored.all(OpenAlarm.class)) {
            SwitchRecord record = state.switches.get(alarm.guid());
            if (record != null && AlarmKey.Subject.of(alarm.subject()) == AlarmKey.Subject.AGENT) {
                record.flagged = true;
            }
        }
    }

    /** True if the far end of some cable of this switch was up: then it did not forward for another reason. */
    private static boolean anySaysUp(FabricViewBuilder cabling, SwitchClaims claims) {
        for (int port = 1; port <= claims.portCount(); port++) {
            if (cabling.neighbour(claims.guid(), port) instanceof ToSwitch to
                    && cabling.knows(to.guid())
                    && to.port() <= cabling.portCount(to.guid())
                    && cabling.saysUp(to.guid(), to.port())) {
                return true;
            }
        }
        return false;
    }

    private static void restore(SwitchRecord record, HeldTable held) {
        record.recordedBy = held.leaderEpoch();
        record.ackedEpoch = held.fabricEpoch();
        record.ackedEntries = held.entryCount();
        record.ackedDigest = held.digest();
        record.transitHellos = held.transitHellos();
        record.ackedRow = held.entryCount() == 0 ? LftRow.noRoutes(0) : null;
        held.rows().stream().filter(KeptRow::whole).forEach(row -> restore(record, KeptRows.row(row), row.digest()));
    }

    /** One row that it may hold: the acknowledged one if its digest says so. */
    static void restore(SwitchRecord record, LftRow row, long digest) {
        if (row.entryCount() == record.ackedEntries && digest == record.ackedDigest) {
            record.ackedRow = row;
        } else {
            record.mayHold(row, digest);
        }
    }
}
