package io.dmodc.manager.southbound;

import io.dmodc.southbound.SouthboundProtocol;
import java.time.Duration;

/**
 * What sessions may cost.
 *
 * @param sessionsMax most connections at a time
 * @param unsentMaxBytes of one session; the frame that goes over it closes the session instead of being queued, so at most
 *     this and one frame wait
 * @param unsentTimeout how long a session may stay above Netty's high water mark, or rather not fall below the low one
 * @param kernelSendBytes of each socket's send buffer; 0: as the kernel thinks fit
 */
record SessionBounds(int sessionsMax, int unsentMaxBytes, Duration unsentTimeout, int kernelSendBytes) {
    static final SessionBounds DEFAULT = new SessionBounds(
            AgentServer.SESSIONS_MAX, SouthboundProtocol.UNSENT_MAX_BYTES, SouthboundProtocol.UNSENT_TIMEOUT, 0);
}
