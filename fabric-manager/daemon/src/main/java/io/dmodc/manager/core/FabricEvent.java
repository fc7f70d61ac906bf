package io.dmodc.manager.core;

import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.check.CheckReport;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.LinkRate;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything the core can be told. Each event carries the arrival time on the manager's monotonic clock; events of an
 * agent carry the session they came through, so that a late word of a replaced session is not taken for news.
 */
public sealed interface FabricEvent {

    /** Arrival time, monotonic nanoseconds. */
    long nowNanos();

    /**
     * An agent said a valid Hello.
     *
     * @param transitHellos its switch forwards hellos of others by its routes, and it sends and answers them
     */
    record AgentJoined(
            long nowNanos,
            long session,
            long guid,
            String name,
            int portCount,
            int incarnation,
            HeldTable table,
            RingAddress ringAddress,
            boolean transitHellos)
            implements FabricEvent {
        /** One that carries no hellos through. */
        public AgentJoined(
                long nowNanos,
                long session,
                long guid,
                String name,
                int portCount,
                int incarnation,
                HeldTable table,
                RingAddress ringAddress) {
            this(nowNanos, session, guid, name, portCount, incarnation, table, ringAddress, false);
        }

        /** The same Hello, looked at again later. */
        AgentJoined at(long laterNanos) {
            return new AgentJoined(
                    laterNanos, session, guid, name, portCount, incarnation, table, ringAddress, transitHellos);
        }
    }

    /**
     * What came of {@link Effect.AskThrough}.
     *
     * @param number of the question
     * @param sent hellos; 0: the port leads to no switch, or too much was asked at a time
     * @param answered of these
     */
    record TransitReported(long nowNanos, long session, long guid, long number, int sent, int answered)
            implements FabricEvent {}

    /**
     * A switch led entries of a port that carries nothing over others by itself, or does so no longer.
     *
     * @param moved entries that lead over another port now
     * @param stranded entries that cannot; both 0: nothing of this holds any more
     */
    record RepairReported(long nowNanos, long session, long guid, int port, int moved, int stranded)
            implements FabricEvent {}

    /** A session ended; {@code why} is for people. */
    record AgentLeft(long nowNanos, long session, long guid, String why) implements FabricEvent {}

    /**
     * An agent told state and neighbours of its ports.
     *
     * @param complete all ports: those not listed are down and have no neighbour
     * @param doubts about ports that are up, by number
     * @param rates of the links of ports that are up, by number, as far as they are known
     */
    record PortsReported(
            long nowNanos,
            long session,
            long guid,
            boolean complete,
            List<PortSeen> ports,
            Map<Integer, Doubt> doubts,
            Map<Integer, LinkRate> rates)
            implements FabricEvent {
        public PortsReported {
            ports = List.copyOf(ports);
            doubts = Map.copyOf(doubts);
            rates = Map.copyOf(rates);
        }

        /** A report of ports of whose links no rate is known. */
        public PortsReported(
                long nowNanos,
                long session,
                long guid,
                boolean complete,
                List<PortSeen> ports,
                Map<Integer, Doubt> doubts) {
            this(nowNanos, session, guid, complete, ports, doubts, Map.of());
        }

        /** A report of ports that are what they seem. */
        public PortsReported(long nowNanos, long session, long guid, boolean complete, List<PortSeen> ports) {
            this(nowNanos, session, guid, complete, ports, Map.of());
        }
    }

    /**
     * The ring found an agent silent, or alive again.
     *
     * @param session of the agent that reports it; 0 for the manager's own place in the ring
     * @param hops 0 when the reporter is the observer itself
     */
    record RingReported(
            long nowNanos,
            long session,
            boolean silent,
            long subjectGuid,
            int incarnation,
            long observerGuid,
            long silenceNanos,
            int hops)
            implements FabricEvent {}

    /**
     * A member of the ring hears nobody although it sends, and has stopped its heartbeats; or it hears again.
     *
     * @param session of the agent that says it of itself; 0 for the manager's own place in the ring
     * @param guid whose place it is
     */
    record HearingReported(long nowNanos, long session, long guid, boolean deaf) implements FabricEvent {}

    /**
     * A member of the ring drops the datagrams of another one, because they come from another address than the membership says.
     *
     * @param session of the agent that drops them; 0 for the manager's own place in the ring
     * @param observerGuid whose place it is
     * @param subjectGuid who sends them
     * @param expected where the membership has it
     * @param actual where they come from
     */
    record ForeignSource(
            long nowNanos, long session, long observerGuid, long subjectGuid, RingAddress expected, RingAddress actual)
            implements FabricEvent {}

    /** The manager had to raise the incarnation of its own place in the ring to be believed alive. */
    record OwnIncarnationRaised(long nowNanos, int incarnation) implements FabricEvent {}

    /** Somebody told the ring that tables older than this must not be applied any more. */
    record RevokeHeard(long nowNanos, long leaderEpoch, long fabricEpoch) implements FabricEvent {}

    /** An operator, or who takes over, wants all tables older than this epoch refused from now on. */
    record RevokeAsked(long nowNanos, long fabricEpoch) implements FabricEvent {}

    /** Somebody knows of an open alarm and takes care of it. Nothing happens when there is none of this number. */
    record AcknowledgeAsked(long nowNanos, long alarm, String by, String why) implements FabricEvent {}

    /** The acknowledgement of an open alarm is taken back. Nothing happens when there is none. */
    record WithdrawAsked(long nowNanos, long alarm, String by) implements FabricEvent {}

    /**
     * An operator wants something to hold until it is taken back. Nothing happens when there is an obstacle, or the fabric has
     * moved on.
     *
     * @param epoch the one it was planned for; 0: it needs no plan
     */
    record ActAsked(long nowNanos, Act act, long epoch, String by, String why) implements FabricEvent {
        /** Behind what was done: who asked for it, and why. */
        String asker() {
            return " (" + by + (why.isEmpty() ? "" : ": " + why) + ")";
        }
    }

    /**
     * Settings were read again, and all agents are to be asked how their ports are.
     *
     * @param rules bounds and waiting times that count from now on; {@code null} when the settings cannot be used: those
     *     in force stay
     * @param text what to tell people
     */
    record SettingsRead(long nowNanos, @Nullable FabricRules rules, String text) implements FabricEvent {}

    /** The store failed or works again; {@code failure} is empty then. */
    record StoreReported(long nowNanos, String failure) implements FabricEvent {}

    /**
     * Which certificates at the agents' door end soon.
     *
     * @param ending one line for people; empty when none does
     */
    record CertificatesLooked(long nowNanos, String ending) implements FabricEvent {}

    /**
     * Whether the subnet manager that is to load our tables can be worked with. Comes when there is one, before any of its switches is in.
     *
     * @param troubles a line for people of each; empty when there is none
     * @param stopped no table gets into any of its switches, whatever they do
     */
    record SubnetManagerReported(long nowNanos, List<String> troubles, boolean stopped) implements FabricEvent {
        public SubnetManagerReported {
            troubles = List.copyOf(troubles);
        }
    }

    /** All records up to and including this batch of {@link Effect.Persist} survive a crash from now on. */
    record Persisted(long nowNanos, long number) implements FabricEvent {}

    /** An agent installed a table. */
    record TableAcked(long nowNanos, long session, long guid, long fabricEpoch, long digest) implements FabricEvent {}

    /** An agent would not install a table; {@code held} is what stays in force. */
    record TableRefused(
            long nowNanos,
            long session,
            long guid,
            long fabricEpoch,
            RefusalReason reason,
            String text,
            HeldTable held,
            RefusedEntries entries)
            implements FabricEvent {
        /** Nobody says that the switch took most of it. */
        public TableRefused(
                long nowNanos,
                long session,
                long guid,
                long fabricEpoch,
                RefusalReason reason,
                String text,
                HeldTable held) {
            this(nowNanos, session, guid, fabricEpoch, reason, text, held, RefusedEntries.NONE);
        }
    }

    /** The table under way to a switch is being written: so many entries of all that are to be. */
    record TableProgressed(long nowNanos, long session, long guid, long fabricEpoch, int done, int total)
            implements FabricEvent {}

    /** A switch forwards with another table than it said, and nobody had asked for it. */
    record TableLost(long nowNanos, long session, long guid, HeldTable held) implements FabricEvent {}

    /**
     * A computation ended.
     *
     * @param digests one per switch of the tables, by switch index; empty when there are no tables
     * @param report verdict on the tables where every switch holds its own; {@code null} without tables
     * @param detours what was changed in them afterwards for switches that cannot be told anything
     * @param change in what order they replace what switches hold
     * @param moves that were laid over what the engine made
     */
    record Routed(
            long nowNanos,
            long epoch,
            RoutingResult result,
            long[] digests,
            @Nullable CheckReport report,
            Detours detours,
            PlannedChange change,
            LaidMoves moves,
            long routeNanos,
            long checkNanos)
            implements FabricEvent {
        /** Of a fabric in which every switch can be told what to hold, whenever it is, and nothing is moved. */
        public Routed(
                long nowNanos,
                long epoch,
                RoutingResult result,
                long[] digests,
                @Nullable CheckReport report,
                long routeNanos,
                long checkNanos) {
            this(
                    nowNanos,
                    epoch,
                    result,
                    digests,
                    report,
                    Detours.NONE,
                    PlannedChange.NONE,
                    LaidMoves.NONE,
                    routeNanos,
                    checkNanos);
        }
    }

    /**
     * The clock that people read was set, or stood still with its machine.
     *
     * @param millis since 1970, at this moment
     */
    record ClockSet(long nowNanos, long millis) implements FabricEvent {}

    /** Nothing but time has passed: wakes the core, which settles after every batch. */
    record TimePassed(long nowNanos) implements FabricEvent {}

    /** Why a port that is up may carry nothing; from the hellos that agents exchange over cables. */
    enum Doubt {
        /** The handshake is under way. */
        UNDECIDED,
        /** The far end is not heard, or does not hear. */
        UNHEARD
    }

    /** Why an agent refused a table. */
    enum RefusalReason {
        OLD_LEADER,
        OTHER
    }

    /**
     * A table as an agent describes it: {@code entryCount} 0 when it never got one.
     *
     * @param leaderEpoch in a Hello, the highest the agent obeys, which may be above its table's
     */
    record HeldTable(long leaderEpoch, long fabricEpoch, int entryCount, long digest) {}

    /** Where an agent receives heartbeats; port 0 when it takes no part in the ring. */
    record RingAddress(String host, int port) {}
}
