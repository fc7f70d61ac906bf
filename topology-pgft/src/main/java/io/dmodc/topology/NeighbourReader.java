package io.dmodc.topology;

/**
 * The neighbours of one switch, parted into those above and those below; read again and again for whole fabrics.
 *
 * <p>Holds either remote switches or ports, whichever was read last. Not thread-safe.
 */
public final class NeighbourReader {
    /** Set in a port that belongs to the same group as the one before. */
    public static final int SAME_GROUP = 0x100;

    private final int[] up = new int[FabricView.PORT_MAX];
    private final int[] down = new int[FabricView.PORT_MAX];
    private int upCount;
    private int downCount;

    private final GroupOrder order;

    /** @param order in which neighbours of one side are read */
    public NeighbourReader(GroupOrder order) {
        this.order = order;
    }

    /** What was read on one side is in places {@code 0 .. count(up) − 1}; read only. */
    public int[] values(boolean upwards) {
        return upwards ? up : down;
    }

    public int count(boolean upwards) {
        return upwards ? upCount : downCount;
    }

    /** Reads the remote switches of the groups that lead up or down. */
    public void readRemotes(FabricView view, int s) {
        FabricTables t = view.t;
        if (isSorted(t, s)) {
            readSortedRemotes(t, s);
        } else {
            readByPlane(view, s, false);
        }
    }

    /** Reads the port numbers of the same groups; all but the first of a group with {@link #SAME_GROUP}. */
    public void readPorts(FabricView view, int s) {
        FabricTables t = view.t;
        int first = t.links.base[s];
        int end = t.links.groupEnd[s];
        if (!isSorted(t, s)) {
            readByPlane(view, s, true);
        } else if (t.links.groupPortBase[end] == end) {
            readSinglePorts(t, s);
        } else {
            clear();
            for (int g = first; g < end; g++) {
                add(view, s, g, true);
            }
        }
    }

    /** True if the groups of each side are in the wanted order as they are, by GUID: mostly so. */
    private boolean isSorted(FabricTables t, int s) {
        int[] plane = t.plane;
        if (order == GroupOrder.GUID || plane == null) {
            return true;
        }
        LinkRows links = t.links;
        int lastUp = 0;
        int lastDown = 0;
        for (int g = links.base[s]; g < links.groupEnd[s]; g++) {
            int remote = links.groupRemote[g];
            boolean above = t.rank[remote] > t.rank[s];
            if (plane[remote] < (above ? lastUp : lastDown)) {
                return false;
            }
            lastUp = above ? plane[remote] : lastUp;
            lastDown = above ? lastDown : plane[remote];
        }
        return true;
    }

    /** In one walk along the groups. */
    private void readSortedRemotes(FabricTables t, int s) {
        LinkRows links = t.links;
        int rank = t.rank[s];
        int ups = 0;
        int downs = 0;
        for (int g = links.base[s]; rank >= 0 && g < links.groupEnd[s]; g++) {
            int remote = links.groupRemote[g];
            up[ups] = remote;
            down[downs] = remote;
            ups += t.rank[remote] == rank + 1 ? 1 : 0;
            downs += t.rank[remote] == rank - 1 && rank > 0 ? 1 : 0;
        }
        upCount = ups;
        downCount = downs;
    }

    /** No two links lead to the same neighbour: mostly so, and then quick, since groups and ports have the same slots. */
    private void readSinglePorts(FabricTables t, int s) {
        LinkRows links = t.links;
        int rank = t.rank[s];
        int ups = 0;
        int downs = 0;
        for (int g = links.base[s]; rank >= 0 && g < links.groupEnd[s]; g++) {
            int remoteRank = t.rank[links.groupRemote[g]];
            int port = links.groupPort[g] & 0xff;
            up[ups] = port;
            down[downs] = port;
            ups += remoteRank == rank + 1 ? 1 : 0;
            downs += remoteRank == rank - 1 && rank > 0 ? 1 : 0;
        }
        upCount = ups;
        downCount = downs;
    }

    private void readByPlane(FabricView view, int s, boolean ports) {
        clear();
        for (int group : view.groups(s, GroupOrder.PLANE)) {
            add(view, s, group, ports);
        }
    }

    private void clear() {
        upCount = 0;
        downCount = 0;
    }

    private void add(FabricView view, int s, int group, boolean ports) {
        int remote = view.groupRemote(group);
        boolean above = view.isUp(s, remote);
        if (above || view.isDown(s, remote)) {
            for (int i = 0; i < (ports ? view.groupSize(group) : 1); i++) {
                add(above, ports ? (i == 0 ? 0 : SAME_GROUP) | view.groupPort(group, i) : remote);
            }
        }
    }

    private void add(boolean upwards, int value) {
        if (upwards) {
            up[upCount++] = value;
        } else {
            down[downCount++] = value;
        }
    }
}
