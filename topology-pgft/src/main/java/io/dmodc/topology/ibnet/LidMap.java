package io.dmodc.topology.ibnet;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.Host;
import io.dmodc.topology.HostAddresses;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The InfiniBand addresses (LIDs) of switches, by switch GUID, and of hosts, by port GUID. An address belongs to one
 * GUID only.
 *
 * <p>Not thread-safe.
 */
public final class LidMap {
    /** No address. */
    public static final int NONE = 0;

    /** Highest unicast address of a subnet; larger fabrics leave the rest of their hosts without one. */
    public static final int LID_MAX = HostAddresses.LID_MAX;

    private final Map<Long, Integer> lids = new LinkedHashMap<>();
    private final BitSet used = new BitSet();

    /**
     * Gives a GUID its address, instead of the one it had.
     *
     * @param lid 1..{@link #LID_MAX}, or {@link #NONE} to take the address away
     * @return false, with nothing changed, if the address belongs to another GUID
     */
    public boolean put(long guid, int lid) {
        if (lid < 0 || lid > LID_MAX) {
            throw new IllegalArgumentException("lid " + lid + " outside 0.." + LID_MAX);
        }
        int before = lidOf(guid);
        if (lid == before) {
            return true;
        }
        if (lid != NONE && used.get(lid)) {
            return false;
        }
        used.clear(before);
        if (lid == NONE) {
            lids.remove(guid);
        } else {
            lids.put(guid, lid);
            used.set(lid);
        }
        return true;
    }

    /** Address of a switch or of a host port, or {@link #NONE}. */
    public int lidOf(long guid) {
        return lids.getOrDefault(guid, NONE);
    }

    /** GUIDs that have an address. */
    public int size() {
        return lids.size();
    }

    /** Highest address given, 0 when none is. */
    public int lidMax() {
        return Math.max(used.length() - 1, 0);
    }

    /**
     * A copy in which every switch and every host of a view has an address: hosts without one here get that which the
     * view has of them, where it is free; the others get the lowest free ones from 1, switches first, both in index
     * order, until {@link #LID_MAX} is reached.
     */
    public LidMap completedFor(FabricView view) {
        LidMap all = new LidMap();
        all.lids.putAll(lids);
        all.used.or(used);
        for (int node = 0; node < view.nodeCount(); node++) {
            Host host = view.host(node);
            if (host != null && all.lidOf(host.portGuid()) == NONE) {
                all.put(host.portGuid(), host.addresses().lid());
            }
        }
        int next = 1;
        for (int s = 0; s < view.switchCount(); s++) {
            next = all.giveFree(view.switchGuid(s), next);
        }
        for (int node = 0; node < view.nodeCount(); node++) {
            if (view.nodeSwitch(node) >= 0) {
                next = all.giveFree(view.nodeGuid(node), next);
            }
        }
        return all;
    }

    private int giveFree(long guid, int from) {
        if (lidOf(guid) != NONE) {
            return from;
        }
        int lid = used.nextClearBit(from);
        if (lid > LID_MAX) {
            return lid;
        }
        put(guid, lid);
        return lid + 1;
    }
}
