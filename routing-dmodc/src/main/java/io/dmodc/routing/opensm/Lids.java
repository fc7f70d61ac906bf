package io.dmodc.routing.opensm;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import java.util.Arrays;
import java.util.function.LongToIntFunction;

/**
 * Local identifiers of a view's switches and nodes: what InfiniBand tables are indexed by.
 *
 * <p>All switches, dead ones included, and all nodes with a host have one, in {@code 1..}{@link #LID_MAX}, each its own.
 * Known ones are kept; the others get the lowest free ones, switches first, both in index order: the same view and the
 * same known LIDs give the same map. Immutable.
 */
public final class Lids {
    /** Highest unicast LID. */
    public static final int LID_MAX = 0xbfff;

    private static final int NOBODY = -1;

    private final int switchCount;
    private final int[] lid;
    private final int[] holder;
    private final int max;

    private Lids(FabricView view, LongToIntFunction knownLid) {
        switchCount = view.switchCount();
        lid = new int[switchCount + view.nodeCount()];
        holder = new int[LID_MAX + 1];
        Arrays.fill(holder, NOBODY);
        for (int i = 0; i < lid.length; i++) {
            if (guid(view, i) != 0) {
                keep(view, i, knownLid.applyAsInt(guid(view, i)));
            }
        }
        int next = 1;
        for (int i = 0; i < lid.length; i++) {
            if (guid(view, i) != 0 && lid[i] == 0) {
                next = free(view, next);
                hold(i, next);
            }
        }
        max = Arrays.stream(lid).max().orElse(0);
    }

    /**
     * Deals LIDs from 1, switches first.
     *
     * @throws IllegalArgumentException if there are more switches and nodes than LIDs
     */
    public static Lids sequential(FabricView view) {
        return new Lids(view, guid -> 0);
    }

    /**
     * Keeps known LIDs and deals the rest.
     *
     * @param knownLid LID of a switch GUID or node port GUID, 0 for none
     * @throws IllegalArgumentException if a known LID is out of range or held by two, or there are more switches and
     *     nodes than LIDs
     */
    public static Lids of(FabricView view, LongToIntFunction knownLid) {
        return new Lids(view, knownLid);
    }

    private long guid(FabricView view, int i) {
        return i < switchCount ? view.switchGuid(i) : view.nodeGuid(i - switchCount);
    }

    private void keep(FabricView view, int i, int known) {
        if (known < 0 || known > LID_MAX) {
            throw new IllegalArgumentException(
                    Guid.format(guid(view, i)) + ": LID " + known + "; expected 1.." + LID_MAX + ", or 0 for none");
        }
        if (known > 0) {
            if (holder[known] != NOBODY) {
                throw new IllegalArgumentException("LID " + known + " of " + Guid.format(guid(view, i))
                        + " is also that of " + Guid.format(guid(view, holder[known]))
                        + "; expected each LID once");
            }
            hold(i, known);
        }
    }

    private void hold(int i, int value) {
        lid[i] = value;
        holder[value] = i;
    }

    private int free(FabricView view, int from) {
        int next = from;
        while (next <= LID_MAX && holder[next] != NOBODY) {
            next++;
        }
        if (next > LID_MAX) {
            throw new IllegalArgumentException(switchCount + " switches and " + view.nodeCount()
                    + " nodes need more unicast LIDs than there are; expected at most " + LID_MAX + " together");
        }
        return next;
    }

    /** LID of a switch index. */
    public int ofSwitch(int s) {
        return lid[s];
    }

    /** LID of a node index, 0 where the index has no host at present. */
    public int ofNode(int node) {
        return lid[switchCount + node];
    }

    /** Highest LID in use. */
    public int max() {
        return max;
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
