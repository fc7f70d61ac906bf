package io.dmodc.agent;

import io.dmodc.detector.net.RingKey;
import io.dmodc.detector.net.RingLoop;
import io.dmodc.southbound.FrameLimits;
import io.dmodc.southbound.tls.TlsEndpoint;
import java.net.InetSocketAddress;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What an agent is told at its start besides its switch.
 *
 * @param manager where to connect; an unresolved name is resolved at each attempt
 * @param ring its place in the heartbeat ring; null: takes no part
 * @param incarnation higher than at any earlier start of this switch's agent, unsigned
 * @param seed of the chance that spreads reconnections; differs between agents
 * @param incarnationRaised told when the ring raised the incarnation, on the event loop; must return at once
 * @param limits of frames and of the greeting
 * @param hello over the cables; null: the state of the ports alone counts
 * @param tls how it shows the manager who it is, and knows the manager; null: in clear text, and believes any manager
 */
public record AgentConfig(
        InetSocketAddress manager,
        @Nullable RingPlace ring,
        int incarnation,
        long seed,
        IntConsumer incarnationRaised,
        FrameLimits limits,
        @Nullable HelloConfig hello,
        @Nullable TlsEndpoint tls) {
    /**
     * A place in the heartbeat ring.
     *
     * @param listen UDP address to receive heartbeats at, port 0 for any
     * @param key the same for all members of the ring; {@link Agent#useRingKey} changes it
     * @param loop stays the caller's
     */
    public record RingPlace(InetSocketAddress listen, RingKey key, RingLoop loop) {}

    /** Returns a configuration with the protocol's limits, in clear text, that remembers no raised incarnation and says no hellos. */
    public static AgentConfig of(InetSocketAddress manager, @Nullable RingPlace ring, int incarnation, long seed) {
        return new AgentConfig(manager, ring, incarnation, seed, raised -> {}, FrameLimits.DEFAULT, null, null);
    }

    /** Returns the same with hellos, or with none. */
    public AgentConfig withHello(@Nullable HelloConfig wanted) {
        return new AgentConfig(manager, ring, incarnation, seed, incarnationRaised, limits, wanted, tls);
    }

    /** Returns the same with TLS, or in clear text. */
    public AgentConfig withTls(@Nullable TlsEndpoint wanted) {
        return new AgentConfig(manager, ring, incarnation, seed, incarnationRaised, limits, hello, wanted);
    }
}
