package io.dmodc.manager.southbound;

import io.dmodc.southbound.tls.TlsEndpoint;
import java.net.InetAddress;
import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What the manager asks of agents.
 *
 * @param keepAlive how often either side must be heard
 * @param sessionsPerAddress most connections of one address at a time
 * @param detectorElsewhere addresses at which an agent may send and take heartbeats although its session comes from another
 * @param tls how agents are known, and know the manager; null: in clear text, and every GUID is believed
 */
public record AgentRules(
        Duration keepAlive,
        int sessionsPerAddress,
        Predicate<InetAddress> detectorElsewhere,
        @Nullable TlsEndpoint tls) {
    int keepAliveMillis() {
        return Math.toIntExact(keepAlive.toMillis());
    }
}
