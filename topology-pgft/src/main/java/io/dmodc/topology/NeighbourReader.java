package io.dmodc.topology;

/**
 * The neighbours of one switch, parted into those above and those below; read again and again for whole fabrics.
 *
 * <p>Holds either remote switches or ports, whichever was read last. Not thread-safe.
 */
public final class NeighbourReader {
    /** Set in a port that belongs to the same group as the one before. */
    public static final int SAME_GROUP = 0x100;

    final int[] up = new int[FabricView.PORT_MAX];
    final int[] down = new int[FabricView.PORT_MAX];
    int upCount;
    int downCount;

    /** Reads the remote switches of the groups that lead up or down, in group order. */
    public void readRemotes(FabricView view, int s) {
        view.read(s, this);
    }

    /** Reads the port numbers of the same groups; all but the first of a group with {@link #SAME_GROUP}. */
    public void readPorts(FabricView view, int s) {
        view.readPorts(s, this);
    }

    void add(boolean upwards, int port) {
        if (upwards) {
            up[upCount++] = port;
        } else {
            down[downCount++] = port;
        }
    }

    /** What was read on one side is in places {@code 0 .. count(up) − 1}; read only. */
    public int[] values(boolean upwards) {
        return upwards ? up : down;
    }

    public int count(boolean upwards) {
        return upwards ? upCount : downCount;
    }
}
