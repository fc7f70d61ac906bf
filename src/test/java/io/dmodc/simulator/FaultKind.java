package io.dmodc.simulator;

import java.util.EnumSet;
import java.util.Set;

/** What can go wrong, or be done by people. */
enum FaultKind {
    CABLE_CUT,
    CABLE_FLAPPING,
    CABLE_ONE_END,
    CABLES_SWAPPED,
    CABLE_MOVED,
    DOWN_LINKS_CUT,
    HOST_UNPLUGGED,
    HOST_FLAPPING,
    HOST_MOVED,
    SWITCH_POWER_LOST,
    SWITCH_REBOOT,
    SWITCH_HANGS,
    SWITCH_REPLACED,
    UNPACKED,
    AGENT_CRASH,
    AGENT_CRASH_BEFORE_INSTALL,
    AGENT_CRASH_AFTER_INSTALL,
    AGENT_CRASH_LOOP,
    AGENT_PAUSED,
    AGENT_DEAF,
    AGENT_MUTE,
    AGENT_CUT_OFF,
    PLANE_SLOW,
    PLANE_FAILS,
    PLANE_FORGETS,
    SESSION_BROKEN,
    SESSION_HALF_OPEN,
    SLOW_READER,
    FALSE_SILENCE,
    STRANGERS,
    DUPLICATE_GUID,
    POISONED_HELLO,
    MANAGER_CRASH,
    MANAGER_CRASH_AT_EFFECT,
    MANAGER_STALL,
    CLOCK_JUMP,
    RESTART_WITH_AGENTS_AWAY,
    SECOND_MANAGER,
    DISK_FULL,
    DISK_SLOW,
    TORN_WRITE,
    ENGINE_DEFECT,
    ALARM_ACKNOWLEDGED,
    FORGET_ASKED,
    REPLACE_ASKED,
    REVOKE_ASKED,
    SETTINGS_READ;

    private static final Set<FaultKind> PLAIN = EnumSet.of(
            CABLE_CUT,
            CABLE_FLAPPING,
            CABLE_ONE_END,
            HOST_UNPLUGGED,
            SWITCH_POWER_LOST,
            SWITCH_REBOOT,
            AGENT_CRASH,
            AGENT_CRASH_BEFORE_INSTALL,
            AGENT_CRASH_LOOP,
            AGENT_PAUSED,
            AGENT_MUTE,
            AGENT_CUT_OFF,
            SESSION_BROKEN,
            SESSION_HALF_OPEN,
            SLOW_READER,
            FALSE_SILENCE,
            MANAGER_CRASH,
            MANAGER_STALL,
            CLOCK_JUMP,
            DISK_SLOW,
            ALARM_ACKNOWLEDGED,
            SETTINGS_READ,
            REVOKE_ASKED);

    /** Those after which everything comes right again today. */
    static Set<FaultKind> plain() {
        return EnumSet.copyOf(PLAIN);
    }
}
