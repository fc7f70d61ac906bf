package io.dmodc.agent.linux;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The permanent neighbours that all routes over a port lead to: one address of each family, the same on every port, with the MAC
 * address of the interface at the far end. So an entry needs nothing but the number of its port. Used by one thread.
 */
final class NextHops {
    /** Nobody has this address: it stands for whoever is at the far end. */
    static final String IPV4 = "169.254.0.1";

    static final String IPV6 = "fe80::1";

    /**
     * A neighbour in the kernel.
     *
     * @param port whose interface it is at
     */
    record Key(int port, String address) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int byPort = Integer.compare(port, other.port);
            return byPort != 0 ? byPort : address.compareTo(other.address);
        }
    }

    private final Map<Key, String> held = new TreeMap<>();

    /** Those that changed since the kernel began to be read: what was read of them may be older. */
    private final Set<Key> changedMeanwhile = new TreeSet<>();

    /** The kernel is read from now on, until {@link #kernelHolds}. */
    void beginReading() {
        changedMeanwhile.clear();
    }

    /** Takes in what the kernel had at some time since {@link #beginReading}: MAC addresses. */
    void kernelHolds(Map<Key, String> now) {
        held.keySet().retainAll(changedMeanwhile);
        now.forEach((key, mac) -> {
            if (!changedMeanwhile.contains(key)) {
                held.put(key, mac);
            }
        });
    }

    /** The kernel took those of a port away, as it does when the interface goes down or is deleted. */
    void flushed(int port) {
        for (String address : List.of(IPV4, IPV6)) {
            Key key = new Key(port, address);
            held.remove(key);
            changedMeanwhile.add(key);
        }
    }

    /** Returns the neighbours that a port needs and the kernel does not have so. */
    List<Key> missing(int port, @Nullable String mac, boolean withIpv6) {
        List<Key> missing = new ArrayList<>(2);
        for (String address : withIpv6 ? List.of(IPV4, IPV6) : List.of(IPV4)) {
            Key key = new Key(port, address);
            if (mac != null && !Objects.equals(held.get(key), mac)) {
                missing.add(key);
            }
        }
        return missing;
    }

    /** Returns the line that has {@code ip -batch} write a neighbour, with its end. */
    static String line(Key key, String mac, LinuxSettings settings) {
        return "neigh replace " + key.address() + " lladdr " + mac + " dev " + settings.interfaceOf(key.port())
                + " nud permanent\n";
    }

    /** The kernel did it. */
    void done(Key key, String mac) {
        held.put(key, mac);
        changedMeanwhile.add(key);
    }
}
