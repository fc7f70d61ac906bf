package io.dmodc.manager.core;

import io.dmodc.manager.state.StateRecord;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.Tables;
import io.dmodc.routing.change.ChangeTerms;
import io.dmodc.routing.rebalance.EntryMoves;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Host;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Everything the core can ask the shell to do. Effects of one step are performed in order. */
public sealed interface Effect {

    /** Welcome the agent behind this session. */
    record Accept(long session, long leaderEpoch) implements Effect {}

    /** Tell the agent why, then close. */
    record Dismiss(long session, DismissReason reason, String text) implements Effect {}

    /** Ask how these ports are now. */
    record QueryPorts(long session, List<Integer> ports) implements Effect {
        public QueryPorts {
            ports = List.copyOf(ports);
        }
    }

    /**
     * Ask an agent to say hello through the switch at the far end of a port; comes back with
     * {@link FabricEvent.TransitReported}.
     *
     * @param number of the question, 1 or more; told in the report
     * @param port 1..port count
     * @param there destination by whose route the hellos go on, index in the tables
     * @param back destination by whose route the answers come back
     */
    record AskThrough(long session, long number, int port, int there, int back) implements Effect {}

    /** Send the membership of the ring to these sessions. */
    record SendMembership(List<Long> sessions, Membership membership) implements Effect {}

    /** Let the ring tell all agents that tables older than this must not be applied any more. */
    record Revoke(long leaderEpoch, long fabricEpoch) implements Effect {}

    /**
     * Compute tables for a view, check them, come back with {@link FabricEvent.Routed}.
     *
     * @param view what routes may use
     * @param works the links that work: the same view, or with what is drained and what is held down
     * @param frozenRows by switch index: what headless switches hold, or may hold; they cannot be told anything new, so the
     *     tables of the others must get along with each of these rows
     * @param heldCounts by switch index: how many entries headless switches hold or may hold, where nobody knows which; they have no route behind the last, and count as
     *     holding what they should before it
     * @param refused by switch index: entries that it does not take, while it takes all others. Those of its row are as it has them
     *     then, and the tables of the others must get along with both
     * @param inForce what switches may forward by, to plan the change from it; {@code null}: nothing will be sent
     * @param engine by its name; empty: that of the settings
     * @param terms what the plan of the change may cost
     * @param moves entries that are moved, as far as they are choices still
     */
    record Compute(
            FabricView view,
            FabricView works,
            Map<Integer, List<LftRow>> frozenRows,
            Map<Integer, Integer> heldCounts,
            Map<Integer, RefusedEntries> refused,
            @Nullable TablesInForce inForce,
            Method method,
            String engine,
            ChangeTerms terms,
            EntryMoves moves)
            implements Effect {
        /** True if each switch can be told what to hold, and takes it. */
        public boolean allTold() {
            return frozenRows.isEmpty() && heldCounts.isEmpty() && refused.isEmpty();
        }

        /** The usual way, for tables that are not sent. */
        public Compute(FabricView view, Map<Integer, List<LftRow>> frozenRows) {
            this(view, frozenRows, null, Method.INCREMENTAL);
        }

        /** By the engine of the settings, of a fabric in which nothing is drained or moved. */
        public Compute(
                FabricView view,
                Map<Integer, List<LftRow>> frozenRows,
                @Nullable TablesInForce inForce,
                Method method) {
            this(
                    view,
                    view,
                    frozenRows,
                    Map.of(),
                    Map.of(),
                    inForce,
                    method,
                    "",
                    ChangeBounds.ofFault(true),
                    EntryMoves.NONE);
        }
    }

    /**
     * What switches may forward by.
     *
     * @param rows by switch index of a view, the rows that it may have; none if it may have any
     * @param untold switches that cannot be told anything new
     * @param batched switches whose tables are loaded in batches: {@link SwitchRecord#BATCHED_SESSIONS}
     */
    record TablesInForce(List<List<LftRow>> rows, BitSet untold, BitSet batched) {
        public TablesInForce {
            rows = List.copyOf(rows);
        }
    }

    /** How tables are computed. */
    enum Method {
        /** By the engine of choice, which keeps what it found for the epoch before. */
        INCREMENTAL,
        /** By the engine of choice, and nothing is kept from before: neither by it nor by the check. */
        FRESH,
        /** By the fall-back engine of the settings, from scratch. */
        FALLBACK
    }

    /**
     * Tell the agents that want to know what these indices of tables stand for, each of them before the first table that comes
     * after this.
     *
     * @param epoch of the first view in which it is so
     * @param changed ascending
     */
    record NameDestinations(long epoch, List<NamedDestination> changed) implements Effect {
        public NameDestinations {
            changed = List.copyOf(changed);
        }
    }

    /** What an index of the tables stands for. */
    record NamedDestination(int index, Host host) {}

    /**
     * Tell the agents that want to know by which other ports their switches reach destinations (P_{s,d}, equation (2)).
     *
     * @param view whose tables they are
     * @param tables what the switches are to forward by; where patterns are interchangeable, they say the ports
     * @param digests of the rows, by switch index
     * @param unsure switches that may forward by other rows: what leads to them is no alternative
     * @param apart destinations of which some switch does not take the entry: they have none
     */
    record TellAlternatives(FabricView view, Tables tables, long[] digests, BitSet unsure, BitSet apart)
            implements Effect {}

    /** Send a table to an agent. */
    record Push(long session, TableUpdate update) implements Effect {}

    /**
     * Make these records survive a crash, in order and together; {@link FabricEvent.Persisted} tells when they do.
     *
     * @param number of this batch, growing by 1 from 1 in each run
     */
    record Persist(long number, List<StateRecord> records) implements Effect {
        public Persist {
            records = List.copyOf(records);
        }
    }

    /**
     * Tell who asked for it that a person's command changed nothing.
     *
     * @param command the very event that was taken in
     * @param reason why not, for people
     */
    record Declined(FabricEvent command, String reason) implements Effect {}

    /**
     * Tell who asked for it that an act is in force, and survives a crash.
     *
     * @param command the very event that was taken in, now or before
     */
    record Done(FabricEvent command) implements Effect {}

    /** Tell people. */
    record Tell(LoggedEvent note) implements Effect {}

    /**
     * Tell people of a mistake in this program, and log where it is.
     *
     * @param cause logged with its stack
     */
    record Defect(LoggedEvent note, RuntimeException cause) implements Effect {}

    /** Why the manager ends a session. */
    enum DismissReason {
        DUPLICATE_GUID,
        NOT_ACKNOWLEDGING,
        SILENT,
        /** Something in its Hello is out of reach. */
        INVALID_HELLO,
        /** There are too many switches that nothing ties to the fabric. */
        UNATTACHED
    }

    /**
     * The ring as the agents are told it.
     *
     * @param members in ring order
     */
    record Membership(long epoch, List<Member> members) {
        public Membership {
            members = List.copyOf(members);
        }
    }

    /**
     * One slot of the ring.
     *
     * @param address without a host for a manager that each agent is to find where it finds its session's
     */
    record Member(long guid, int incarnation, FabricEvent.RingAddress address) {}

    /**
     * A table for one switch.
     *
     * @param complete the blocks build the whole table, other entries are "no route"; otherwise they change the one
     *     with {@code baseDigest}
     * @param blocks indices of 64-entry blocks, ascending
     * @param row the whole resulting table, shared: read only
     * @param turns its entries are by input class ({@link io.dmodc.routing.TurnTableSet}); else by destination alone
     */
    record TableUpdate(
            long guid,
            long leaderEpoch,
            long fabricEpoch,
            boolean complete,
            long baseDigest,
            long resultDigest,
            int[] blocks,
            LftRow row,
            boolean turns) {}
}
