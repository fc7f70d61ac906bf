package io.dmodc.manager.state;

import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.Guid;
import io.dmodc.topology.PortPlace;
import io.dmodc.topology.SwitchClaims;
import java.util.List;

/**
 * One value that survives a restart. A record replaces the earlier one with the same {@link #key}, so records applied in
 * order give the same state wherever they are applied ({@link StoredState#apply}).
 */
public sealed interface StateRecord {
    /** What a record is about. The order of the constants is the order in which records are listed. */
    enum Kind {
        LEADER_EPOCH,
        FABRIC_EPOCH,
        NODE_INDEX,
        LEVEL,
        PLANE,
        SWITCH,
        EXPECTED,
        HELD_TABLE,
        KEPT_EPOCH,
        ALARM,
        ACKNOWLEDGEMENT,
        INTENT,
        LAST_ALARM
    }

    /**
     * Names a record.
     *
     * @param guid 0 for kinds of which there is one record; for a kept epoch, its number
     * @param port of the switch; for alarms, acknowledgements and intent, the rest of their key; otherwise 0
     * @param subject of an alarm or its acknowledgement, act of an intent; otherwise empty
     */
    record Key(Kind kind, long guid, int port, String subject) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int order = kind.compareTo(other.kind);
            order = order == 0 ? Long.compareUnsigned(guid, other.guid) : order;
            order = order == 0 ? Integer.compare(port, other.port) : order;
            return order == 0 ? subject.compareTo(other.subject) : order;
        }

        @Override
        public String toString() {
            return kind + " " + Guid.format(guid) + " " + port + (subject.isEmpty() ? "" : " " + subject);
        }
    }

    Key key();

    private static Key single(Kind kind) {
        return new Key(kind, 0, 0, "");
    }

    private static Key of(Kind kind, long guid) {
        return new Key(kind, guid, 0, "");
    }

    /** Identity: the leader epoch of the manager that runs, higher than that of every one before. */
    record LeaderEpoch(long epoch) implements StateRecord {
        @Override
        public Key key() {
            return single(Kind.LEADER_EPOCH);
        }
    }

    /**
     * Observed: the last view of which tables were accepted; all {@link KnownSwitch} records are as that view saw them.
     *
     * @param epoch its number
     * @param drained what it left out, as {@link Intent} names it: drained since then or before
     * @param slow links that routes led around, by one end: slower than most between the same ranks
     * @param engine by whose name its tables were asked for; empty for that of the settings, where nobody named it
     * @param basis digest of what else in the settings decided its tables: other settings may give others; 0 where nobody wrote it down
     * @param nodeCount entries of its tables if the highest ones are of node indices that nobody has any more; 0: up to the highest {@link NodeIndex}
     * @param heldBack none of its tables has left, as pushes were paused, or too few agents here
     */
    record FabricEpoch(
            long epoch,
            List<PortPlace> drained,
            List<PortPlace> slow,
            String engine,
            long basis,
            int nodeCount,
            boolean heldBack)
            implements StateRecord {
        public FabricEpoch {
            drained = List.copyOf(drained);
            slow = List.copyOf(slow);
        }

        /** One that left nothing out, by the engine of the settings. */
        public FabricEpoch(long epoch) {
            this(epoch, List.of(), List.of(), "", 0, 0, false);
        }

        /** The same, with its tables held back or not. */
        public FabricEpoch heldBack(boolean now) {
            return new FabricEpoch(epoch, drained, slow, engine, basis, nodeCount, now);
        }

        @Override
        public Key key() {
            return single(Kind.FABRIC_EPOCH);
        }
    }

    /** Identity: the destination index of a host port. */
    record NodeIndex(long portGuid, int index) implements StateRecord {
        @Override
        public Key key() {
            return of(Kind.NODE_INDEX, portGuid);
        }
    }

    /** Identity: the level of a switch, 0 for a leaf. */
    record SwitchLevel(long guid, int level) implements StateRecord {
        @Override
        public Key key() {
            return of(Kind.LEVEL, guid);
        }
    }

    /** Identity: the number of the plane that a switch above the leaves is in, by which port groups are ordered. */
    record SwitchPlane(long guid, int number) implements StateRecord {
        @Override
        public Key key() {
            return of(Kind.PLANE, guid);
        }
    }

    /**
     * Observed: a switch as the view of the last {@link FabricEpoch} saw it.
     *
     * @param claims what it said of its ports
     * @param forwards false while routes lead around it
     */
    record KnownSwitch(SwitchClaims claims, boolean forwards) implements StateRecord {
        @Override
        public Key key() {
            return of(Kind.SWITCH, claims.guid());
        }
    }

    /**
     * Observed: what has worked at a switch and was not forgotten.
     *
     * @param ports where something is expected, ascending
     */
    record ExpectedSwitch(long guid, String name, int portCount, List<ExpectedPort> ports) implements StateRecord {
        public ExpectedSwitch {
            ports = List.copyOf(ports);
        }

        @Override
        public Key key() {
            return of(Kind.EXPECTED, guid);
        }
    }

    /** What last worked at a port. */
    record ExpectedPort(int port, Neighbour neighbour) {}

    /**
     * Observed: the table that a switch acknowledged last, and what else it may hold.
     *
     * @param leaderEpoch of the manager that wrote it; {@link LeaderEpochs#NOBODY}: the switch may have been given another table since
     * @param entryCount 0: none
     * @param transitHellos as its agent last said: hellos go through it by its routes
     * @param rows what it may hold besides the table wanted by the last {@link FabricEpoch}, or with it while that is held back, as far as it is known: the acknowledged
     *     one, those under way or gone astray. Whole for a switch that cannot be told anything, as the wanted tables depend on
     *     them; for others as a difference from the wanted one
     */
    record HeldTable(
            long guid,
            long leaderEpoch,
            long fabricEpoch,
            int entryCount,
            long digest,
            boolean transitHellos,
            List<KeptRow> rows)
            implements StateRecord {
        public HeldTable {
            rows = List.copyOf(rows);
        }

        @Override
        public Key key() {
            return of(Kind.HELD_TABLE, guid);
        }
    }

    /**
     * Observed: an epoch whose tables were accepted. Of the last one only what tells whether its tables are computed again as they
     * were; of each before, how it differs from the next one that was accepted.
     *
     * @param engine that made the tables; empty for that of the settings
     * @param acceptedMillis milliseconds since 1970
     * @param entryCount of each table
     * @param digest over the digests of all tables of switches that forwarded
     * @param base the same of the next accepted epoch; 0 for the last one
     * @param rows tables that differ from those of the next one; where a switch had none in that, from one without routes
     * @param switches whose live links, hosts or state are others than in the next one, as they were
     * @param absent GUIDs of switches that only the next one knows
     * @param nodes of hosts that have another index in the next one, or none
     */
    record KeptEpoch(
            long epoch,
            String cause,
            String engine,
            long acceptedMillis,
            int entryCount,
            long digest,
            long base,
            List<ChangedRows> rows,
            List<KnownSwitch> switches,
            List<Long> absent,
            List<NodeIndex> nodes)
            implements StateRecord {
        /** @throws IllegalArgumentException in a few words when blocks and entries do not fit together */
        public KeptEpoch {
            rows = List.copyOf(rows);
            switches = List.copyOf(switches);
            absent = List.copyOf(absent);
            nodes = List.copyOf(nodes);
            for (ChangedRows changed : rows) {
                KeptRow.requireFitting(entryCount, changed.blocks(), changed.entries());
            }
        }

        @Override
        public Key key() {
            return key(epoch);
        }

        /** Names the record of an epoch. */
        public static Key key(long epoch) {
            return of(Kind.KEPT_EPOCH, epoch);
        }
    }

    /**
     * Observed: an alarm that is open.
     *
     * @param subject kind of object, in the core's words
     * @param guid of the object; 0 for the whole fabric
     * @param port of the object; 0 for a whole switch
     * @param sinceMillis milliseconds since 1970
     */
    record OpenAlarm(String subject, long guid, int port, long id, long sinceMillis, long causeEpoch)
            implements StateRecord {
        @Override
        public Key key() {
            return new Key(Kind.ALARM, guid, port, subject);
        }
    }

    /**
     * Intent: somebody knows of an open alarm and takes care of it.
     *
     * @param subject of the alarm, like its GUID and port
     * @param id of the alarm: a later one about the same object is not meant
     * @param kind what was wrong then, in the core's words: something worse is not meant
     * @param by who
     * @param atMillis when, milliseconds since 1970
     */
    record Acknowledgement(
            String subject, long guid, int port, long id, String kind, String by, long atMillis, String why)
            implements StateRecord {
        @Override
        public Key key() {
            return new Key(Kind.ACKNOWLEDGEMENT, guid, port, subject);
        }
    }

    /**
     * Intent: what an operator wants to hold until it is taken back.
     *
     * @param act what it is, in the core's words
     * @param guid of the switch it is about; 0 for the whole fabric
     * @param port of that switch, for the cable there; 0 for the whole switch
     * @param value what the act needs besides; else empty
     * @param by who
     * @param atMillis when, milliseconds since 1970
     */
    record Intent(String act, long guid, int port, String value, String by, long atMillis, String why)
            implements StateRecord {
        @Override
        public Key key() {
            return new Key(Kind.INTENT, guid, port, act);
        }
    }

    /** Identity: the highest number an alarm ever had. */
    record LastAlarm(long id) implements StateRecord {
        @Override
        public Key key() {
            return single(Kind.LAST_ALARM);
        }
    }

    /** Takes away what is kept under this key. */
    record Removed(Key key) implements StateRecord {}
}
