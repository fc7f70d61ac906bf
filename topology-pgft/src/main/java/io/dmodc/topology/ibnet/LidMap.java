package io.dmodc.topology.ibnet;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.Host;
import io.dmodc.topology.HostAddresses;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The InfiniBand addresses (LIDs) of switches, by switch GUID, and of hosts, by port GUID. A port whose LID mask control
 * (LMC) is k has the 2^k addresses from its LID on, which is a multiple of 2^k. An address belongs to one GUID only.
 *
 * <p>Not thread-safe.
 */
public final class LidMap {
    /** No address. */
    public static final int NONE = 0;

    /** Highest unicast address of a subnet; larger fabrics leave the rest of their hosts without one. */
    public static final int LID_MAX = HostAddresses.LID_MAX;

    /** Highest LID mask control: a port has at most 128 addresses. */
    public static final int LMC_MAX = 7;

    private final Map<Long, Integer> lids = new LinkedHashMap<>();

    /** Those that are not 0. */
    private final Map<Long, Integer> lmcs = new HashMap<>();

    private final BitSet used = new BitSet();

    /** True if a port can have the addresses {@code lid .. lid + 2^lmc − 1}. */
    public static boolean isRange(int lid, int lmc) {
        return lid >= 1 && lid <= LID_MAX && lmc >= 0 && lmc <= LMC_MAX && (lid & ((1 << lmc) - 1)) == 0;
    }

    /**
     * Gives a GUID its address, instead of those it had.
     *
     * @param lid 1..{@link #LID_MAX}, or {@link #NONE} to take the address away
     * @return false, with nothing changed, if the address belongs to another GUID
     */
    public boolean put(long guid, int lid) {
        return put(guid, lid, 0);
    }

    /**
     * Gives a GUID its addresses, instead of those it had.
     *
     * @param lid 1..{@link #LID_MAX}, a multiple of 2^lmc; or {@link #NONE}, with lmc 0, to take the addresses away
     * @param lmc 0..{@link #LMC_MAX}
     * @return false, with nothing changed, if one of the addresses belongs to another GUID
     */
    public boolean put(long guid, int lid, int lmc) {
        if (!isRange(lid, lmc) && (lid != NONE || lmc != 0)) {
            throw new IllegalArgumentException("lid " + lid + " lmc " + lmc + "; expected a lid in 0.." + LID_MAX
                    + " that is a multiple of 2^lmc, and lmc in 0.." + LMC_MAX);
        }
        int before = lidOf(guid);
        int lmcBefore = lmcOf(guid);
        mark(before, lmcBefore, false);
        if (lid != NONE && anyTaken(lid, 1 << lmc)) {
            mark(before, lmcBefore, true);
            return false;
        }
        mark(lid, lmc, true);
        if (lid == NONE) {
            lids.remove(guid);
        } else {
            lids.put(guid, lid);
        }
        if (lmc == 0) {
            lmcs.remove(guid);
        } else {
            lmcs.put(guid, lmc);
        }
        return true;
    }

    private boolean anyTaken(int lid, int count) {
        int taken = used.nextSetBit(lid);
        return taken >= 0 && taken < lid + count;
    }

    private void mark(int lid, int lmc, boolean taken) {
        if (lid != NONE) {
            used.set(lid, lid + (1 << lmc), taken);
        }
    }

    /** Address of a switch or of a host port, the lowest of several, or {@link #NONE}. */
    public int lidOf(long guid) {
        return lids.getOrDefault(guid, NONE);
    }

    /** LID mask control of a switch or of a host port, 0 where it has one address or none. */
    public int lmcOf(long guid) {
        return lmcs.getOrDefault(guid, 0);
    }

    /** GUIDs that have an address. */
    public int size() {
        return lids.size();
    }

    /** Highest address given, 0 when none is. */
    public int lidMax() {
        return Math.max(used.length() - 1, 0);
    }

    /** With the same addresses, and changed for itself. */
    public LidMap copy() {
        LidMap all = new LidMap();
        all.lids.putAll(lids);
        all.lmcs.putAll(lmcs);
        all.used.or(used);
        return all;
    }

    /**
     * A copy in which every switch and every host of a view has an address: hosts without one here get that which the
     * view has of them, where it is free; the others get the lowest free ones from 1, switches first, both in index
     * order, until {@link #LID_MAX} is reached. Of hosts every one is dealt as many as that has which has most, because
     * the LID mask control is the same all over a subnet.
     */
    public LidMap completedFor(FabricView view) {
        LidMap all = copy();
        int hostLmc = 0;
        for (int node = 0; node < view.nodeCount(); node++) {
            Host host = view.host(node);
            if (host != null && all.lidOf(host.portGuid()) == NONE) {
                all.put(host.portGuid(), host.addresses().lid());
            }
            hostLmc = Math.max(hostLmc, all.lmcOf(view.nodeGuid(node)));
        }
        int next = 1;
        for (int s = 0; s < view.switchCount(); s++) {
            next = all.giveFree(view.switchGuid(s), next, 0);
        }
        next = 1;
        for (int node = 0; node < view.nodeCount(); node++) {
            if (view.nodeSwitch(node) >= 0) {
                next = all.giveFree(view.nodeGuid(node), next, hostLmc);
            }
        }
        return all;
    }

    /** @return where to look for the next free ones */
    private int giveFree(long guid, int from, int lmc) {
        if (lidOf(guid) != NONE) {
            return from;
        }
        int step = 1 << lmc;
        int lid = (used.nextClearBit(from) + step - 1) & -step;
        while (lid <= LID_MAX && anyTaken(lid, step)) {
            lid += step;
        }
        if (lid <= LID_MAX) {
            put(guid, lid, lmc);
        }
        return lid;
    }
}
