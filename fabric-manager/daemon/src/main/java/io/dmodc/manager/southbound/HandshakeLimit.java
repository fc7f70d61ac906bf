package io.dmodc.manager.southbound;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Bounds what peers cost that cannot show who they are: after some handshakes of an address that came to nothing, its
 * connections are closed at once until a while is over. IPv6 addresses count by their network of 64 bits, as one host has
 * all of it. Remembers {@value #ADDRESSES} addresses; the one that began first makes room. Thread-safe; time is an argument.
 */
final class HandshakeLimit {
    /** Of one address, in {@link #PERIOD_NANOS}. */
    static final int FAILURES = 10;

    static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int ADDRESSES = 4096;
    private static final int NETWORK_BYTES = 8;

    private final Map<InetAddress, Failures> byAddress = new LinkedHashMap<>();

    private record Failures(long begunNanos, int count) {
        boolean isOver(long nowNanos) {
            return nowNanos - begunNanos >= PERIOD_NANOS;
        }
    }

    /** True unless too many of this address have failed. */
    synchronized boolean admits(InetAddress from, long nowNanos) {
        Failures failures = byAddress.get(network(from));
        return failures == null || failures.isOver(nowNanos) || failures.count < FAILURES;
    }

    /** A handshake of this address failed, or what it proved was something else than it said. */
    synchronized void failed(InetAddress from, long nowNanos) {
        InetAddress network = network(from);
        Failures before = byAddress.get(network);
        if (before != null && !before.isOver(nowNanos)) {
            byAddress.put(network, new Failures(before.begunNanos, before.count + 1));
            return;
        }
        byAddress.remove(network);
        if (byAddress.size() == ADDRESSES) {
            byAddress.remove(byAddress.keySet().iterator().next());
        }
        byAddress.put(network, new Failures(nowNanos, 1));
    }

    private static InetAddress network(InetAddress address) {
        if (!(address instanceof Inet6Address)) {
            return address;
        }
        byte[] bytes = address.getAddress();
        Arrays.fill(bytes, NETWORK_BYTES, bytes.length, (byte) 0);
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new AssertionError("an IPv6 address has 16 bytes", e);
        }
    }
}
