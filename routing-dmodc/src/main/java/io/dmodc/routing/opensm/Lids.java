package io.dmodc.routing.opensm;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import java.util.Arrays;
import java.util.function.LongToIntFunction;

/**
 * Local identifiers of a view's switches and nodes: what InfiniBand tables are indexed by.
 *
 * <p>All switches, dead ones included, and all nodes with a host have one, in {@code 1..}{@link #LID_MAX}, each its own;
 * with a LID mask control (LMC) of k it is the lowest of 2^k, a multiple of 2^k. Known ones are kept; the others get the
 * lowest free ones, switches first, both in index order: the same view and the same known LIDs give the same map. Nodes
 * are dealt as many as that has which has most: OpenSM takes what stands in a file for a LID of the same offset in its
 * port's range, and the LMC is the same all over a subnet. Immutable.
 */
public final class Lids {
    /** Highest unicast LID. */
    public static final int LID_MAX = 0xbfff;

    private static final int LMC_MAX = 7;

    private static final int NOBODY = -1;

    private final int switchCount;
    private final int[] lid;
    private final int[] lmc;
    private final int[] holder;
    private final int max;

    private Lids(FabricView view, LongToIntFunction knownLid, LongToIntFunction knownLmc) {
        switchCount = view.switchCount();
        lid = new int[switchCount + view.nodeCount()];
        lmc = new int[lid.length];
        holder = new int[LID_MAX + 1];
        Arrays.fill(holder, NOBODY);
        for (int i = 0; i < lid.length; i++) {
            if (guid(view, i) != 0) {
                keep(view, i, knownLid.applyAsInt(guid(view, i)), knownLmc.applyAsInt(guid(view, i)));
            }
        }
        deal(view, 0, switchCount, 0);
        deal(
                view,
                switchCount,
                lid.length,
                Arrays.stream(lmc).skip(switchCount).max().orElse(0));
        int highest = 0;
        for (int value = 1; value <= LID_MAX; value++) {
            highest = holder[value] == NOBODY ? highest : value;
        }
        max = highest;
    }

    private void deal(FabricView view, int from, int to, int itsLmc) {
        int next = 1 << itsLmc;
        for (int i = from; i < to; i++) {
            if (guid(view, i) != 0 && lid[i] == 0) {
                next = free(view, next, itsLmc);
                hold(i, next, itsLmc);
            }
        }
    }

    /**
     * Deals LIDs from 1, switches first.
     *
     * @throws IllegalArgumentException if there are more switches and nodes than LIDs
     */
    public static Lids sequential(FabricView view) {
        return new Lids(view, guid -> 0, guid -> 0);
    }

    /**
     * Keeps known LIDs and deals the rest.
     *
     * @param knownLid LID of a switch GUID or node port GUID, the lowest of several; 0 for none
     * @param knownLmc its LMC, 0..7; not looked at without a LID
     * @throws IllegalArgumentException if a known LID is out of range, held by two or no multiple of 2^LMC, or there are
     *     more switches and nodes than LIDs
     */
    public static Lids of(FabricView view, LongToIntFunction knownLid, LongToIntFunction knownLmc) {
        return new Lids(view, knownLid, knownLmc);
    }

    private long guid(FabricView view, int i) {
        return i < switchCount ? view.switchGuid(i) : view.nodeGuid(i - switchCount);
    }

    private void keep(FabricView view, int i, int known, int itsLmc) {
        if (known < 0 || known > LID_MAX) {
            throw new IllegalArgumentException(
                    Guid.format(guid(view, i)) + ": LID " + known + "; expected 1.." + LID_MAX + ", or 0 for none");
        }
        if (known > 0) {
            if (itsLmc < 0 || itsLmc > LMC_MAX || known % (1 << itsLmc) != 0) {
                throw new IllegalArgumentException(Guid.format(guid(view, i)) + ": LID " + known + " with LMC " + itsLmc
                        + "; expected LMC 0.." + LMC_MAX + " and a multiple of 2^LMC");
            }
            for (int value = known; value < known + (1 << itsLmc); value++) {
                if (holder[value] != NOBODY) {
                    throw new IllegalArgumentException("LID " + value + " of " + Guid.format(guid(view, i))
                            + " is also that of " + Guid.format(guid(view, holder[value]))
                            + "; expected each LID once");
                }
            }
            hold(i, known, itsLmc);
        }
    }

    private void hold(int i, int value, int itsLmc) {
        lid[i] = value;
        lmc[i] = itsLmc;
        Arrays.fill(holder, value, value + (1 << itsLmc), i);
    }

    /** First free range at or behind {@code from}, a multiple of 2^LMC. */
    private int free(FabricView view, int from, int itsLmc) {
        int step = 1 << itsLmc;
        int next = from;
        while (next <= LID_MAX && !isFree(next, step)) {
            next += step;
        }
        if (next > LID_MAX) {
            throw new IllegalArgumentException(switchCount + " switches and " + view.nodeCount()
                    + " nodes need more unicast LIDs than there are; expected at most " + LID_MAX + " together");
        }
        return next;
    }

    private boolean isFree(int from, int count) {
        boolean free = true;
        for (int value = from; value < from + count; value++) {
            free &= holder[value] == NOBODY;
        }
        return free;
    }

    /** LID of a switch index, the lowest of several. */
    public int ofSwitch(int s) {
        return lid[s];
    }

    /** LID of a node index, the lowest of several; 0 where the index has nothing at present. */
    public int ofNode(int node) {
        return lid[switchCount + node];
    }

    /** Highest LID in use. */
    public int max() {
        return max;
    }

    /** How far a LID of a switch is from its lowest. */
    public int offsetAtSwitch(int s, int value) {
        return value & ((1 << lmc[s]) - 1);
    }

    /** How far a LID of a node is from its lowest. */
    public int offsetAtNode(int node, int value) {
        return value & ((1 << lmc[switchCount + node]) - 1);
    }

    /** Switch that holds a LID, or −1. */
    public int switchAt(int value) {
        int at = value < 1 || value > LID_MAX ? NOBODY : holder[value];
        return at < switchCount ? at : -1;
    }

    /** Node that holds a LID, or −1. */
    public int nodeAt(int value) {
        int at = value < 1 || value > LID_MAX ? NOBODY : holder[value];
        return at >= switchCount ? at - switchCount : -1;
    }
}
