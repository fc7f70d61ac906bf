package io.dmodc.manager.southbound;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Bounds what peers cost that cannot show who they are. After some handshakes of an address that came to nothing the next ones
 * of it stand in line: one begins every {@link #PACE_NANOS}, and who would wait longer than {@link #WAIT_NANOS} is turned
 * away. So a flood costs so many handshakes a second and no more, and an honest agent of the same address waits its turn.
 * An IPv6 host has a whole network of 64 bits, so these are counted, too, with wider bounds: all agents may be in one.
 * Remembers {@value #SOURCES} addresses and as many networks; the one that began first makes room. Thread-safe; time is an
 * argument.
 */
final class HandshakeLimit {
    /** Answer of {@link #delayNanos} for a connection that is not to wait. */
    static final long TURN_AWAY = -1;

    /** Of one address, in {@link #PERIOD_NANOS}. */
    static final int FAILURES = 10;

    /** Of one network of IPv6, in {@link #PERIOD_NANOS}. */
    static final int NETWORK_FAILURES = 1000;

    static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Between two handshakes of one address that stand in line. */
    static final long PACE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** Between two handshakes of one network that stand in line. */
    static final long NETWORK_PACE_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

    /** Shorter than {@link ConnectionLimit#GRACE_NANOS}: who waits for its turn does not lose its place. */
    static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1000);

    private static final int SOURCES = 4096;

    private final Lines<InetAddress> addresses = new Lines<>(FAILURES, PACE_NANOS);
    private final Lines<Ipv6Network> networks = new Lines<>(NETWORK_FAILURES, NETWORK_PACE_NANOS);

    /** How long the handshake of this connection has to wait, 0 unless too many failed; its turn is kept for it. */
    synchronized long delayNanos(InetAddress from, long nowNanos) {
        long ofAddress = addresses.delayNanos(from, nowNanos);
        Ipv6Network network = Ipv6Network.of(from);
        if (network == null || ofAddress == TURN_AWAY) {
            return ofAddress;
        }
        long ofNetwork = networks.delayNanos(network, nowNanos);
        return ofNetwork == TURN_AWAY ? TURN_AWAY : Math.max(ofAddress, ofNetwork);
    }

    /** A handshake of this address failed, or what it proved was something else than it said. */
    synchronized void failed(InetAddress from, long nowNanos) {
        addresses.failed(from, nowNanos);
        Ipv6Network network = Ipv6Network.of(from);
        if (network != null) {
            networks.failed(network, nowNanos);
        }
    }

    /** The failures of one source, and when the next of its line may begin. */
    private static final class Line {
        private final long begunNanos;
        private int failures;
        private long nextNanos;

        Line(long nowNanos) {
            begunNanos = nowNanos;
            nextNanos = nowNanos;
        }

        boolean isOver(long nowNanos) {
            return nowNanos - begunNanos >= PERIOD_NANOS;
        }
    }

    private static final class Lines<S> {
        private final Map<S, Line> bySource = new LinkedHashMap<>();
        private final int failures;
        private final long paceNanos;

        Lines(int failures, long paceNanos) {
            this.failures = failures;
            this.paceNanos = paceNanos;
        }

        long delayNanos(S source, long nowNanos) {
            Line line = bySource.get(source);
            if (line == null || line.isOver(nowNanos) || line.failures < failures) {
                return 0;
            }
            long wait = Math.max(0, line.nextNanos - nowNanos);
            if (wait > WAIT_NANOS) {
                return TURN_AWAY;
            }
            line.nextNanos = nowNanos + wait + paceNanos;
            return wait;
        }

        void failed(S source, long nowNanos) {
            Line line = bySource.get(source);
            if (line == null || line.isOver(nowNanos)) {
                bySource.remove(source);
                if (bySource.size() == SOURCES) {
                    bySource.remove(bySource.keySet().iterator().next());
                }
                line = new Line(nowNanos);
                bySource.put(source, line);
            }
            line.failures++;
        }
    }
}
