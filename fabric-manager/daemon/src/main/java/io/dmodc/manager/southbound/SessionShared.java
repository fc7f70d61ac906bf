package io.dmodc.manager.southbound;

import io.dmodc.manager.core.Effect;
import io.dmodc.manager.loop.FabricLoop;
import io.dmodc.settings.process.LogLimit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What all sessions of a server have in common.
 *
 * @param memberships the newest ring, encoded once for all
 * @param destinations what indices of tables stand for, encoded once for all
 * @param alternatives the newest tables that alternatives go with; null before the first
 * @param handshakes those that fail too often
 * @param unreadLog of peers that do not read
 * @param refusalLog of peers that were refused
 */
record SessionShared(
        FabricLoop loop,
        AgentRules rules,
        SessionBounds bounds,
        SouthboundCounters counters,
        MembershipFrames memberships,
        DestinationFrames destinations,
        AtomicReference<Effect.@Nullable TellAlternatives> alternatives,
        HandshakeLimit handshakes,
        LogLimit unreadLog,
        LogLimit refusalLog) {
    private static final Logger LOG = LoggerFactory.getLogger(AgentSession.class);

    /** Tells people, unless it was told of many a moment ago. */
    void tellRefused(String whom, String why) {
        int leftOut = refusalLog.admit(loop.nowNanos());
        if (leftOut != LogLimit.LEAVE_OUT) {
            LOG.warn(
                    "refused {}: {}{}",
                    whom,
                    why,
                    leftOut == 0 ? "" : "; " + leftOut + " more were refused since the last such line");
        }
    }
}
