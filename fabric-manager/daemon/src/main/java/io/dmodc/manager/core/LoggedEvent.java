package io.dmodc.manager.core;

import org.jspecify.annotations.Nullable;

/**
 * One line of the fabric's event log, for operators and their programs.
 *
 * @param epoch the fabric epoch it happened in
 * @param guid the switch it is about, 0 for the fabric
 * @param name what people called that switch then, empty where it is not known
 * @param cable the cable of that switch it is about, {@code null} where it is about none
 */
public record LoggedEvent(
        long nowNanos,
        long epoch,
        Severity severity,
        Kind kind,
        long guid,
        String name,
        @Nullable Cable cable,
        String text) {

    /** About the fabric, or about a switch whose name is not known here. */
    public LoggedEvent(long nowNanos, long epoch, Severity severity, Kind kind, long guid, String text) {
        this(nowNanos, epoch, severity, kind, guid, "", null, text);
    }

    /** The same with this behind its text. */
    LoggedEvent withMore(String more) {
        return new LoggedEvent(nowNanos, epoch, severity, kind, guid, name, cable, text + more);
    }

    /**
     * A cable, seen from the switch the note is about.
     *
     * @param port of that switch
     * @param peerGuid the switch at the other end, or the port of the host there; 0 where nothing is known of it
     * @param peerName what people called it then, empty where nothing is known of it
     * @param peerPort of the switch at the other end, 0 where that is a host or nothing
     */
    public record Cable(int port, long peerGuid, String peerName, int peerPort) {}

    /** How much it matters at 3 a.m. */
    public enum Severity {
        INFO,
        WARNING,
        ALARM
    }

    /** What happened. */
    public enum Kind {
        AGENT_JOINED,
        AGENT_LEFT,
        AGENT_SILENT,
        AGENT_ALIVE,
        AGENT_REFUSED,
        AGENT_FLAGGED,
        /** A switch does not take single entries of its table, or takes all again. */
        ENTRIES_REFUSED,
        TABLE_LOST,
        AGENT_UNATTACHED,
        LINK_DOWN,
        LINK_HELD_DOWN,
        LINK_UP,
        /** A switch led entries of a dead port over others before the manager told it to, or does so no longer. */
        LOCAL_REPAIR,
        /** The ends of a cable, or two ports with one host, contradict each other. */
        CABLE_DISAGREES,
        HOST_DOWN,
        HOST_UP,
        /** Another adapter is at the port of a host. */
        HOST_EXCHANGED,
        TOO_MANY_NEW_HOSTS,
        HOST_CHANGES_OFTEN,
        SWITCH_HEADLESS,
        SWITCH_DEAD,
        SWITCH_BACK,
        SWITCH_BYPASSED,
        FORGOTTEN,
        DRAINED,
        UNDRAINED,
        /** Nothing is sent any more to what is drained. */
        SAFE_TO_UNPLUG,
        /** Something is sent again to what is drained. */
        NOT_SAFE_TO_UNPLUG,
        PUSHES_PAUSED,
        PUSHES_RESUMED,
        ENGINE_CHOSEN,
        ROLLED_BACK,
        /** Entries were moved to where shifts press less, or taken back. */
        REBALANCED,
        /** Moved entries are no choice any more, and are what the engine makes of them. */
        MOVES_DROPPED,
        SWITCH_REPLACED,
        /** A host port has the node index of another one. */
        HOST_REPLACED,
        ALARM_ACKNOWLEDGED,
        ACKNOWLEDGEMENT_WITHDRAWN,
        RING_CHANGED,
        RING_SHARES_DOMAIN,
        MANAGER_UNHEARD,
        /** The manager's place in the ring hears nobody, or hears again. */
        MANAGER_HEARS_NOBODY,
        /** The same of an agent's. */
        AGENT_HEARS_NOBODY,
        /** Datagrams of a member come from another address than the ring has it at. */
        FOREIGN_SOURCE,
        TABLES_REVOKED,
        EPOCH_COMPUTED,
        EPOCH_SUPERSEDED,
        EPOCH_REFUSED,
        EPOCH_COMPLETE,
        /** Tables of older epochs are not kept any more. */
        EPOCHS_DROPPED,
        LEAVES_CUT_OFF,
        /** Hosts on switches above the leaves have no path to others. */
        NO_LEGAL_PATH,
        /** Hosts have no path to others by what switches hold that cannot be told otherwise, or all have one again. */
        PAIRS_LOST,
        LEVELS_LEARNT,
        LEADER_CONFLICT,
        STATE_STORE,
        /** OpenSM does not take our tables, or cannot be seen to, or does so again. */
        SUBNET_MANAGER,

        /** Pushing stopped because too few agents are connected, or goes on. */
        PUSHES_HELD,
        SETTINGS_READ,
        EVENT_JOURNAL,
        DEFECT;

        /** True for what operators did: what people look for long after, and no agent says. */
        public boolean isOfOperators() {
            return switch (this) {
                case FORGOTTEN,
                        DRAINED,
                        UNDRAINED,
                        PUSHES_PAUSED,
                        PUSHES_RESUMED,
                        ENGINE_CHOSEN,
                        ROLLED_BACK,
                        REBALANCED,
                        SWITCH_REPLACED,
                        HOST_REPLACED,
                        ALARM_ACKNOWLEDGED,
                        ACKNOWLEDGEMENT_WITHDRAWN,
                        SETTINGS_READ -> true;
                default -> false;
            };
        }
    }
}
