package io.dmodc.topology;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The neighbours of one switch and the ports to them, parted into those above and those below; read again and again for whole fabrics.
 *
 * <p>Switches beside each other are mostly cabled alike: groups at the start of a row that are those of the row read before are not looked at again.
 *
 * <p>Not thread-safe.
 */
public final class NeighbourReader {
    /** Set in a port that belongs to the same group as the one before. */
    public static final int SAME_GROUP = 0x100;

    private final Side up = new Side();
    private final Side down = new Side();

    private final GroupOrder order;

    /** What the row read last is part of; null where nothing of it can be used again. */
    private @Nullable FabricTables last;

    private int lastFirst;
    private int lastCount;
    private int lastRank;

    /** What was read on one side. */
    private static final class Side {
        final int[] remotes = new int[FabricView.PORT_MAX];
        final int[] ports = new int[FabricView.PORT_MAX];
        int count;
        int portCount;

        /** How many of a row's first groups are on this side, by how many these are. */
        final int[] countOf = new int[FabricView.PORT_MAX + 1];
    }

    /** @param order in which neighbours of one side are read */
    public NeighbourReader(GroupOrder order) {
        this.order = order;
    }

    private Side side(boolean upwards) {
        return upwards ? up : down;
    }

    /** Switches on one side are in places {@code 0 .. count(upwards) − 1}; read only. */
    public int[] remotes(boolean upwards) {
        return side(upwards).remotes;
    }

    public int count(boolean upwards) {
        return side(upwards).count;
    }

    /**
     * Port numbers of the same groups are in places {@code 0 .. portCount(upwards) − 1}; all but the first of a group with {@link #SAME_GROUP}. Read only.
     */
    public int[] ports(boolean upwards) {
        return side(upwards).ports;
    }

    public int portCount(boolean upwards) {
        return side(upwards).portCount;
    }

    /** Reads the groups of a switch that lead up or down. */
    public void read(FabricView view, int s) {
        FabricTables t = view.t;
        int end = t.links.groupEnd[s];
        boolean single = t.links.groupPortBase[end] == end; // Then groups and ports have the same slots.
        if (!single || !readInOrder(t, s)) {
            readByPlane(view, s);
        }
    }

    /** Returns false if the groups of a side are not in the wanted order as they are, by GUID: mostly they are. */
    private boolean readInOrder(FabricTables t, int s) {
        LinkRows links = t.links;
        int[] plane = order == GroupOrder.GUID ? null : t.plane;
        int first = links.base[s];
        int groups = links.groupEnd[s] - first;
        int rank = t.rank[s];
        int same = sameAsLast(t, first, groups, rank);
        int ups = up.countOf[same];
        int downs = down.countOf[same];
        for (int g = same; g < groups; g++) {
            int remote = links.groupRemote[first + g];
            int remoteRank = t.rank[remote];
            if (rank >= 0 && remoteRank == rank + 1) {
                if (plane != null && ups > 0 && plane[remote] < plane[up.remotes[ups - 1]]) {
                    return false;
                }
                up.remotes[ups] = remote;
                up.ports[ups++] = links.groupPort[first + g] & 0xff;
            } else if (remoteRank >= 0 && remoteRank == rank - 1) {
                if (plane != null && downs > 0 && plane[remote] < plane[down.remotes[downs - 1]]) {
                    return false;
                }
                down.remotes[downs] = remote;
                down.ports[downs++] = links.groupPort[first + g] & 0xff;
            }
            up.countOf[g + 1] = ups;
            down.countOf[g + 1] = downs;
        }
        up.count = ups;
        up.portCount = ups;
        down.count = downs;
        down.portCount = downs;
        last = t;
        lastFirst = first;
        lastCount = groups;
        lastRank = rank;
        return true;
    }

    /** How many groups the row begins with that the row read last begins with, too. */
    private int sameAsLast(FabricTables t, int first, int groups, int rank) {
        if (last != t || lastRank != rank) {
            return 0;
        }
        LinkRows links = t.links;
        int lastEnd = lastFirst + Math.min(groups, lastCount);
        int end = first + lastEnd - lastFirst;
        int remotes = Arrays.mismatch(links.groupRemote, first, end, links.groupRemote, lastFirst, lastEnd);
        int ports = Arrays.mismatch(links.groupPort, first, end, links.groupPort, lastFirst, lastEnd);
        int most = end - first;
        return Math.min(remotes < 0 ? most : remotes, ports < 0 ? most : ports);
    }

    private void readByPlane(FabricView view, int s) {
        last = null;
        clear(up);
        clear(down);
        for (int group : view.groups(s, order)) {
            int remote = view.groupRemote(group);
            if (view.isUp(s, remote)) {
                add(up, view, group);
            } else if (view.isDown(s, remote)) {
                add(down, view, group);
            }
        }
    }

    private static void clear(Side side) {
        side.count = 0;
        side.portCount = 0;
    }

    private static void add(Side side, FabricView view, int group) {
        side.remotes[side.count++] = view.groupRemote(group);
        for (int i = 0; i < view.groupSize(group); i++) {
            side.ports[side.portCount++] = (i == 0 ? 0 : SAME_GROUP) | view.groupPort(group, i);
        }
    }
}
