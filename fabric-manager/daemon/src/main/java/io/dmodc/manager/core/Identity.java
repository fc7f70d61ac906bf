package io.dmodc.manager.core;

import io.dmodc.manager.core.Act.HostPair;
import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.NodeIndex;
import io.dmodc.manager.state.StateRecord.Removed;
import io.dmodc.manager.state.StateRecord.SwitchLevel;
import io.dmodc.manager.state.StateRecord.SwitchPlane;
import io.dmodc.manager.state.StoredState;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.PlaneNumbers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Numbers that are dealt once and outlive faults and restarts: node indices of host ports, levels and plane numbers of switches. What is dealt here is written down before any
 * table that follows from it leaves (ADR 12). The manager's thread owns it.
 */
final class Identity {
    final NodeIndexMap nodes;
    final ExchangedHosts exchanged = new ExchangedHosts();
    PlaneNumbers planes;

    /** By which the last view was drawn, where they were found anew: those of before stay until its tables are accepted. */
    @Nullable
    PlaneNumbers planesAnew;

    private final RecordWriter records;

    /** Node indices for readers, by host port: what was dealt and not forgotten, seen or not. */
    private LongTrie<Integer> nodeIndices = LongTrie.empty();

    private LearntLevels levels = LearntLevels.none();

    /**
     * As the last run left it, but for the {@linkplain #restore levels}.
     *
     * @throws IllegalArgumentException in one line when records contradict each other
     */
    Identity(FabricRules rules, StoredState stored, RecordWriter records) {
        this.records = records;
        nodes = Restoring.nodes(stored);
        nodes.numberBy(rules.nodeTypes());
        for (NodeIndex node : stored.all(NodeIndex.class)) {
            nodeIndices = nodeIndices.with(node.portGuid(), node.index());
        }
        planes = Restoring.planes(stored, rules.groupOrder());
    }

    /** The levels of the last run. */
    void restore(LearntLevels kept) {
        levels = kept;
    }

    LearntLevels levels() {
        return levels;
    }

    /** Does not change any more. */
    LongTrie<Integer> nodeIndices() {
        return nodeIndices;
    }

    /** The levels that would survive a crash now: a switch that was dealt another one has its former one here, or none. */
    GuidNumbers keptLevels() {
        if (records.levelsPersisted()) {
            return levels.levels();
        }
        GuidNumbers kept = new GuidNumbers();
        levels.levels().forEach((guid, level) -> {
            int survives = records.keptLevel(guid, level);
            if (survives >= 0) {
                kept.put(guid, survives);
            }
        });
        return kept;
    }

    /** Levels are dealt: tables wait until the new ones survive a crash. */
    void deal(LearntLevels fresh) {
        fresh.levels().forEach((guid, level) -> {
            int before = levels.levels().getOrDefault(guid, FabricView.UNRANKED);
            if (before != level) {
                records.dealt(new SwitchLevel(guid, level), before);
            }
        });
        levels.levels().forEach((guid, level) -> {
            if (fresh.levels().get(guid).isEmpty()) {
                records.observed(new Removed(new StateRecord.Key(StateRecord.Kind.LEVEL, guid, 0, "")));
            }
        });
        levels = fresh;
    }

    /** Node indices were dealt; true if any were. */
    boolean keepNodes() {
        List<Long> dealt = nodes.takeDealt();
        for (long guid : dealt) {
            int index = nodes.indexOf(guid);
            records.dealt(new NodeIndex(guid, index));
            nodeIndices = nodeIndices.with(guid, index);
        }
        return !dealt.isEmpty();
    }

    /** The records say so later. */
    void nodeHandedOver(HostPair pair, int index) {
        nodeIndices = nodeIndices.without(pair.oldGuid()).with(pair.newGuid(), index);
        exchanged.settled(pair.oldGuid());
    }

    /** The host port has no node index any more. */
    void nodeRemoved(long portGuid) {
        records.observed(new Removed(new StateRecord.Key(StateRecord.Kind.NODE_INDEX, portGuid, 0, "")));
        nodeIndices = nodeIndices.without(portGuid);
        exchanged.settled(portGuid);
    }

    /** Plane numbers were dealt, or handed over. At once: a switch that has none any more by then would be kept without one. */
    void keepPlanes() {
        planes.takeDealt().forEach(guid -> records.dealt(new SwitchPlane(guid, planes.of(guid))));
    }

    /** Plane numbers that were found anew take the place of those of before; tables wait for them. */
    void takePlanes(PlaneNumbers anew) {
        PlaneNumbers before = planes;
        planes = anew;
        planesAnew = null;
        before.forEach((guid, number) -> {
            if (planes.of(guid) < 0) {
                records.observed(new Removed(new StateRecord.Key(StateRecord.Kind.PLANE, guid, 0, "")));
            }
        });
        keepPlanes();
    }

    /** Another switch has the place and the plane number of this one from now on. */
    void handOverPlane(long oldGuid, long newGuid) {
        planes.handOver(oldGuid, newGuid);
        if (planesAnew != null) {
            planesAnew.handOver(oldGuid, newGuid);
        }
        keepPlanes();
    }

    /** The switch has no plane number any more. */
    void forgetPlane(long guid) {
        if (planesAnew != null) {
            planesAnew.forget(guid);
        }
        if (planes.forget(guid)) {
            records.observed(new Removed(new StateRecord.Key(StateRecord.Kind.PLANE, guid, 0, "")));
        }
    }
}
