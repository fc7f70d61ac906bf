package io.dmodc.routing.change;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.change.TableDifference.EpochTables;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The switches of two views side by side, numbered by GUID: which forward in both, by which rows, and which of their ports lead
 * elsewhere than before.
 */
final class SwitchPairs {
    private static final int PORTS = 256;
    private static final long[] NONE = new long[PORTS >> 6];

    private final FabricView before;
    private final FabricView after;
    private final int entryCount;
    private int count;

    /** By number, the index in either view; −1 where it is not known. */
    private final int[] indexBefore;

    private final int[] indexAfter;
    private final int[] numberOf;

    /** By number, the tables of those that are in the view, as long as the longer ones. */
    private final @Nullable LftRow[] rowBefore;

    private final @Nullable LftRow[] rowAfter;

    /** By number, which ports lead elsewhere, as bits. */
    private final long[][] elsewhere;

    private final BitSet relinked = new BitSet();

    SwitchPairs(EpochTables before, EpochTables after) {
        this.before = before.view();
        this.after = after.view();
        LftSet tablesBefore = before.tables().lfts();
        LftSet tablesAfter = after.tables().lfts();
        entryCount = Math.max(tablesBefore.entryCount(), tablesAfter.entryCount());
        int most = this.before.switchCount() + this.after.switchCount();
        indexBefore = new int[most];
        indexAfter = new int[most];
        numberOf = new int[this.before.switchCount()];
        merge();
        elsewhere = new long[count][];
        rowBefore = new LftRow[count];
        rowAfter = new LftRow[count];
        for (int u = 0; u < count; u++) {
            rowBefore[u] =
                    indexBefore[u] < 0 ? null : tablesBefore.row(indexBefore[u]).fittedTo(entryCount);
            rowAfter[u] =
                    indexAfter[u] < 0 ? null : tablesAfter.row(indexAfter[u]).fittedTo(entryCount);
            elsewhere[u] = NONE;
            if (forwardsInBoth(u)) {
                findElsewhere(u);
            }
        }
    }

    /** Both views list switches by unsigned GUID. */
    private void merge() {
        int a = 0;
        int b = 0;
        while (b < before.switchCount() || a < after.switchCount()) {
            int order = b == before.switchCount()
                    ? 1
                    : a == after.switchCount() ? -1 : Long.compareUnsigned(before.switchGuid(b), after.switchGuid(a));
            if (order <= 0) {
                numberOf[b] = count;
            }
            indexBefore[count] = order <= 0 ? b++ : -1;
            indexAfter[count] = order >= 0 ? a++ : -1;
            count++;
        }
    }

    private void findElsewhere(int u) {
        long[] ports = new long[PORTS >> 6];
        int most = Math.max(before.portCount(indexBefore[u]), after.portCount(indexAfter[u]));
        for (int port = 1; port <= most; port++) {
            if (!leadsAlike(indexBefore[u], indexAfter[u], port)) {
                ports[port >> 6] |= 1L << port;
            }
        }
        if (Arrays.stream(ports).anyMatch(word -> word != 0)) {
            elsewhere[u] = ports;
            relinked.set(u);
        }
    }

    private boolean leadsAlike(int b, int a, int port) {
        int peerBefore = port <= before.portCount(b) ? before.peerSwitch(b, port) : -1;
        int peerAfter = port <= after.portCount(a) ? after.peerSwitch(a, port) : -1;
        if (peerBefore < 0 || peerAfter < 0) {
            return peerBefore < 0 && peerAfter < 0 && hostAt(before, b, port) == hostAt(after, a, port);
        }
        return before.switchGuid(peerBefore) == after.switchGuid(peerAfter);
    }

    /** Port GUID of the host at a port, 0 for none. */
    private static long hostAt(FabricView view, int s, int port) {
        int node = port <= view.portCount(s) ? view.peerNode(s, port) : -1;
        return node < 0 ? 0 : view.nodeGuid(node);
    }

    FabricView before() {
        return before;
    }

    FabricView after() {
        return after;
    }

    /** Of the longer tables. */
    int entryCount() {
        return entryCount;
    }

    /** How many switches are in one of the views at least. */
    int count() {
        return count;
    }

    long guid(int u) {
        return indexAfter[u] >= 0 ? after.switchGuid(indexAfter[u]) : before.switchGuid(indexBefore[u]);
    }

    String name(int u) {
        return indexAfter[u] >= 0 ? after.switchName(indexAfter[u]) : before.switchName(indexBefore[u]);
    }

    /** Number of a switch of the first view. */
    int numberOf(int b) {
        return numberOf[b];
    }

    boolean forwardsBefore(int u) {
        return indexBefore[u] >= 0 && before.alive(indexBefore[u]);
    }

    boolean forwardsAfter(int u) {
        return indexAfter[u] >= 0 && after.alive(indexAfter[u]);
    }

    boolean forwardsInBoth(int u) {
        return forwardsBefore(u) && forwardsAfter(u);
    }

    /** True if it forwards in one of the epochs only. */
    boolean flips(int u) {
        return forwardsBefore(u) != forwardsAfter(u);
    }

    /** Of one that is in the first view. */
    LftRow rowBefore(int u) {
        return Objects.requireNonNull(rowBefore[u]);
    }

    /** Of one that is in the second view. */
    LftRow rowAfter(int u) {
        return Objects.requireNonNull(rowAfter[u]);
    }

    /** True if some port leads elsewhere; of one that forwards in both. */
    boolean relinked(int u) {
        return relinked.get(u);
    }

    /** True if this port leads elsewhere; of one that forwards in both. */
    boolean leadsElsewhere(int u, int port) {
        return (elsewhere[u][port >> 6] >>> port & 1) != 0;
    }

    /** Ports of a switch in the first view; none where it is not known. */
    int portsBefore(int u) {
        return indexBefore[u] < 0 ? 0 : before.portCount(indexBefore[u]);
    }

    /** Number of the switch behind a port in the first view, −1 where there is none. */
    int next(int u, int port) {
        int b = indexBefore[u];
        int peer = port >= 1 && port <= before.portCount(b) ? before.peerSwitch(b, port) : -1;
        return peer < 0 ? -1 : numberOf[peer];
    }
}
