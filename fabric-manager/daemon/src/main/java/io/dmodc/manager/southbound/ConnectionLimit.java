package io.dmodc.manager.southbound;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How many connections there are, of whom, and which make room. Those that have yet to show a certificate are a quarter of all
 * at most, and {@value #NETWORK_MAX} of one IPv6 network: the rest is for those that have. At a bound the one that has had the
 * longest while to show one makes room, if that was {@link #GRACE_NANOS}; else the newcomer is turned away. So who holds
 * connections open without a key takes nobody's place for longer than that. Thread-safe; time is an argument.
 *
 * @param <C> a connection
 */
final class ConnectionLimit<C> {
    /** To show a certificate is a matter of milliseconds, and of the line before (see {@link HandshakeLimit}). */
    static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** Of one network, without a certificate. */
    static final int NETWORK_MAX = 1024;

    private static final int UNPROVED_PART = 4;

    private final int max;
    private final int unprovedMax;
    private final int perAddressMax;
    private final Map<C, InetAddress> all = new HashMap<>();
    /** Those that have yet to show a certificate, the oldest first. */
    private final Map<C, Unproved> unproved = new LinkedHashMap<>();

    private final Map<InetAddress, Integer> perAddress = new HashMap<>();
    private final Map<Ipv6Network, Integer> unprovedPerNetwork = new HashMap<>();

    private record Unproved(InetAddress from, @Nullable Ipv6Network network, long sinceNanos) {}

    /**
     * What comes of a newcomer.
     *
     * @param refusal why it may not come in; null: it may
     * @param leaver who is to be closed, and counts no more; null: nobody
     */
    record Entry<C>(@Nullable String refusal, @Nullable C leaver) {}

    /**
     * @param max connections of all addresses
     * @param perAddressMax of one
     */
    ConnectionLimit(int max, int perAddressMax) {
        this.max = max;
        this.perAddressMax = perAddressMax;
        unprovedMax = Math.max(1, max / UNPROVED_PART);
    }

    /**
     * Asks for a place; {@link #left} gives it back.
     *
     * @param proves true: it still has to show a certificate, and {@link #proved} is told when it did
     */
    synchronized Entry<C> enter(C connection, InetAddress from, boolean proves, long nowNanos) {
        Unproved newcomer = new Unproved(from, Ipv6Network.of(from), nowNanos);
        C leaver = null;
        Bound bound = reached(newcomer, proves);
        if (bound != null) {
            leaver = oldest(bound.crowd, nowNanos);
            if (leaver == null) {
                return new Entry<>(bound.text, null);
            }
            left(leaver);
        }
        all.put(connection, from);
        perAddress.merge(from, 1, Integer::sum);
        if (proves) {
            unproved.put(connection, newcomer);
            if (newcomer.network != null) {
                unprovedPerNetwork.merge(newcomer.network, 1, Integer::sum);
            }
        }
        return new Entry<>(null, leaver);
    }

    /** A bound that is reached, and who of those without a certificate is within it. */
    private record Bound(String text, Predicate<Unproved> crowd) {}

    /** The narrowest: room within it is room within the others, too, as none of them is ever exceeded. */
    private @Nullable Bound reached(Unproved newcomer, boolean proves) {
        if (perAddress.getOrDefault(newcomer.from, 0) >= perAddressMax) {
            return new Bound(
                    "all " + perAddressMax + " sessions of one address are taken",
                    other -> other.from.equals(newcomer.from));
        }
        Ipv6Network network = newcomer.network;
        if (proves && network != null && unprovedPerNetwork.getOrDefault(network, 0) >= NETWORK_MAX) {
            return new Bound(
                    NETWORK_MAX + " connections of one IPv6 network show no certificate",
                    other -> network.equals(other.network));
        }
        if (proves && unproved.size() >= unprovedMax) {
            return new Bound(unprovedMax + " connections show no certificate", other -> true);
        }
        return all.size() >= max ? new Bound("all " + max + " sessions are taken", other -> true) : null;
    }

    private @Nullable C oldest(Predicate<Unproved> crowd, long nowNanos) {
        for (Map.Entry<C, Unproved> one : unproved.entrySet()) {
            if (nowNanos - one.getValue().sinceNanos < GRACE_NANOS) {
                return null;
            }
            if (crowd.test(one.getValue())) {
                return one.getKey();
            }
        }
        return null;
    }

    /** It has shown its certificate. */
    synchronized void proved(C connection) {
        Unproved one = unproved.remove(connection);
        if (one != null && one.network != null) {
            unprovedPerNetwork.computeIfPresent(one.network, (network, count) -> count == 1 ? null : count - 1);
        }
    }

    /** It is closed; does nothing for one that made room before. */
    synchronized void left(C connection) {
        proved(connection);
        InetAddress from = all.remove(connection);
        if (from != null) {
            perAddress.computeIfPresent(from, (address, count) -> count == 1 ? null : count - 1);
        }
    }
}
