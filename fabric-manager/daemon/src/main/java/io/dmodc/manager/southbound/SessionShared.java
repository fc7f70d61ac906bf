package io.dmodc.manager.southbound;

import io.dmodc.manager.loop.FabricLoop;

/**
 * What all sessions of a server have in common.
 *
 * @param memberships the newest ring, encoded once for all
 * @param unreadLog of peers that do not read
 * @param refusalLog of peers that were refused
 */
record SessionShared(
        FabricLoop loop,
        AgentRules rules,
        SessionBounds bounds,
        SouthboundCounters counters,
        MembershipFrames memberships,
        LogLimit unreadLog,
        LogLimit refusalLog) {}
