package io.dmodc.manager.core;

/**
 * One line of the fabric's event log, for operators.
 *
 * @param epoch the fabric epoch it happened in
 * @param guid the switch it is about, 0 for the fabric
 */
public record FabricNote(long nowNanos, long epoch, Severity severity, Kind kind, long guid, String text) {

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
        LINK_DOWN,
        LINK_HELD_DOWN,
        LINK_UP,
        HOST_DOWN,
        HOST_UP,
        SWITCH_HEADLESS,
        SWITCH_DEAD,
        SWITCH_BACK,
        SWITCH_BYPASSED,
        FORGOTTEN,
        RING_CHANGED,
        RING_SHARES_DOMAIN,
        MANAGER_UNHEARD,
        TABLES_REVOKED,
        EPOCH_COMPUTED,
        EPOCH_SUPERSEDED,
        EPOCH_REFUSED,
        EPOCH_COMPLETE,
        LEAVES_CUT_OFF,
        LEVELS_LEARNT,
        LEADER_CONFLICT,
        STATE_STORE,
        SETTINGS_READ
    }
}
