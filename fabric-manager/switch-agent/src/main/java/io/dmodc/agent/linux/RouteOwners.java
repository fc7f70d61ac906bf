package io.dmodc.agent.linux;

import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/**
 * Which entry of a table each address belongs to. Hosts that say the same address are heard in the order of their indices: the lowest
 * one that has a route gets its packets. Not thread-safe; some 100 bytes for each address.
 */
final class RouteOwners {
    /** Belongs to no entry. */
    static final int NOBODY = -1;

    private static final int[] NO_INDICES = {};

    private RouteAddress[][] byIndex = {};

    /** Indices that say an address, ascending; nearly always one. */
    private final Map<RouteAddress, int[]> claimers = new HashMap<>();

    /** Those that several indices say, in the order in which that began. */
    private final Set<RouteAddress> shared = new LinkedHashSet<>();

    private int ipv6Count;

    /** Returns the addresses of an entry. Read only. */
    RouteAddress[] of(int index) {
        return index < byIndex.length ? byIndex[index] : RouteAddress.NONE;
    }

    /** Returns the highest index with an address plus one, or more. */
    int size() {
        return byIndex.length;
    }

    /** Returns all addresses. Read only. */
    Set<RouteAddress> addresses() {
        return claimers.keySet();
    }

    /** Returns whether any of them is an IPv6 address. */
    boolean hasIpv6() {
        return ipv6Count > 0;
    }

    /** Returns the lowest index with this address that has a route; {@link #NOBODY} when none has. */
    int ownerOf(RouteAddress address, IntPredicate hasRoute) {
        for (int index : claimers(address)) {
            if (hasRoute.test(index)) {
                return index;
            }
        }
        return NOBODY;
    }

    /** Returns the entries that say this address, ascending. Read only. */
    int[] claimers(RouteAddress address) {
        return claimers.getOrDefault(address, NO_INDICES);
    }

    /** Returns the addresses that several entries say. Read only. */
    Set<RouteAddress> shared() {
        return shared;
    }

    /**
     * Says by which addresses an entry is reached from now on.
     *
     * @param left told each address it had; none when nothing changes
     * @return whether that is new
     */
    boolean set(int index, RouteAddress[] addresses, Consumer<RouteAddress> left) {
        RouteAddress[] before = of(index);
        if (Arrays.equals(before, addresses)) {
            return false;
        }
        if (index >= byIndex.length) {
            int old = byIndex.length;
            byIndex = Arrays.copyOf(byIndex, Math.max(index + 1, old + old / 2));
            Arrays.fill(byIndex, old, byIndex.length, RouteAddress.NONE);
        }
        byIndex[index] = addresses;
        for (RouteAddress address : before) {
            remove(address, index);
            left.accept(address);
        }
        for (RouteAddress address : addresses) {
            add(address, index);
        }
        return true;
    }

    private void add(RouteAddress address, int index) {
        ipv6Count += address.isIpv4() ? 0 : 1;
        claimers.merge(address, new int[] {index}, (old, one) -> {
            int[] all = Arrays.copyOf(old, old.length + 1);
            all[old.length] = index;
            Arrays.sort(all);
            shared.add(address);
            return all;
        });
    }

    private void remove(RouteAddress address, int index) {
        ipv6Count -= address.isIpv4() ? 0 : 1;
        claimers.computeIfPresent(address, (same, old) -> {
            int[] rest = Arrays.stream(old).filter(other -> other != index).toArray();
            if (rest.length == 1) {
                shared.remove(address);
            }
            return rest.length == 0 ? null : rest;
        });
    }
}
