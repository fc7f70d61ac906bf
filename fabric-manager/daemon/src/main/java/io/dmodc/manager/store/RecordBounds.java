package io.dmodc.manager.store;

import io.dmodc.manager.state.LeaderEpochs;
import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.ExpectedPort;
import io.dmodc.manager.state.StateRecord.ExpectedSwitch;
import io.dmodc.manager.state.StateRecord.FabricEpoch;
import io.dmodc.manager.state.StateRecord.Intent;
import io.dmodc.manager.state.StateRecord.KeptEpoch;
import io.dmodc.manager.state.StateRecord.LastAlarm;
import io.dmodc.manager.state.StateRecord.LeaderEpoch;
import io.dmodc.manager.state.StateRecord.NodeIndex;
import io.dmodc.manager.state.StateRecord.OpenAlarm;
import io.dmodc.manager.state.StateRecord.SwitchLevel;
import io.dmodc.manager.state.StateRecord.SwitchPlane;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.PlaneNumbers;

/** What a manager can start from: values beyond these were never written by one. */
final class RecordBounds {
    /** Each start takes one of a later term, and agents obey none above 2^31 − 1. */
    static final long LEADER_EPOCH_MAX = LeaderEpochs.LAST_OUTBID;

    /** Views are numbered on from here; agents obey up to 2^62, which at any rate of views is out of sight. */
    static final long FABRIC_EPOCH_MAX = 1L << 48;

    /** Alarms are numbered on from here, and programs that read JSON tell no higher numbers apart. */
    static final long ALARM_MAX = 1L << 52;

    private RecordBounds() {}

    /** @throws IllegalArgumentException in a few words: what, value, what was expected */
    static void check(StateRecord record) {
        if (record instanceof LeaderEpoch it) {
            check("leader epoch", it.epoch(), 0, LEADER_EPOCH_MAX);
        } else if (record instanceof FabricEpoch it) {
            check("fabric epoch", it.epoch(), 0, FABRIC_EPOCH_MAX);
            check("node count", it.nodeCount(), 0, NodeIndexMap.TABLE_INDEX_MAX + 1);
        } else if (record instanceof NodeIndex it) {
            check("node index", it.index(), 0, NodeIndexMap.TABLE_INDEX_MAX);
        } else if (record instanceof SwitchLevel it) {
            check("level", it.level(), 0, GuidNumbers.LEVEL_MAX);
        } else if (record instanceof SwitchPlane it) {
            check("plane number", it.number(), 0, PlaneNumbers.NUMBER_MAX);
        } else if (record instanceof OpenAlarm it) {
            check("alarm", it.id(), 0, ALARM_MAX);
        } else if (record instanceof LastAlarm it) {
            check("alarm", it.id(), 0, ALARM_MAX);
        } else if (record instanceof Intent it) {
            check("port", it.port(), 0, FabricView.PORT_MAX);
        } else if (record instanceof ExpectedSwitch it) {
            it.ports().forEach(RecordBounds::check);
        } else if (record instanceof KeptEpoch it) {
            check("kept epoch", it.epoch(), 0, FABRIC_EPOCH_MAX);
            check("entries", it.entryCount(), 0, NodeIndexMap.TABLE_INDEX_MAX + 1);
            it.nodes().forEach(RecordBounds::check);
        }
    }

    private static void check(ExpectedPort expected) {
        if (expected.neighbour() instanceof ToSwitch far) {
            check("far port of an expected cable", far.port(), 1, FabricView.PORT_MAX);
        }
    }

    private static void check(String what, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(what + " " + value + "; expected " + min + ".." + max);
        }
    }
}
