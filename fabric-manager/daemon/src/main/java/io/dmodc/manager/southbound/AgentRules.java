package io.dmodc.manager.southbound;

import java.net.InetAddress;
import java.time.Duration;
import java.util.function.Predicate;

/**
 * What the manager asks of agents.
 *
 * @param keepAlive how often either side must be heard
 * @param sessionsPerAddress most connections of one address at a time
 * @param detectorElsewhere addresses at which an agent may send and take heartbeats although its session comes from another
 */
public record AgentRules(Duration keepAlive, int sessionsPerAddress, Predicate<InetAddress> detectorElsewhere) {
    int keepAliveMillis() {
        return Math.toIntExact(keepAlive.toMillis());
    }
}
