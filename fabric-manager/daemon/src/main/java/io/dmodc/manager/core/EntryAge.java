package io.dmodc.manager.core;

import io.dmodc.manager.state.ChangedRows;
import io.dmodc.manager.state.KeptRow;
import io.dmodc.manager.state.StateRecord.KeptEpoch;
import io.dmodc.manager.state.StateRecord.KnownSwitch;
import io.dmodc.manager.state.StateRecord.NodeIndex;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Since when the tables send a node out of the port of now at one switch.
 *
 * @param epoch the first one of which that is known
 * @param orBefore it is the oldest one that is kept: what was before is not known
 */
public record EntryAge(KeptEpoch epoch, boolean orBefore) {
    /**
     * Goes back through what epochs differ in and looks at this one entry of each; no table is made. O(switches and rows that
     * differ) for each epoch, none beyond the first that had another port there, or had given the index to another node.
     *
     * @param last in force
     * @param records as in {@link EpochHistory#epochs}, not empty
     * @param guid switch
     * @param node destination index
     * @param entry where the tables have it
     * @param nodeGuid of the host port that has this index now
     * @return {@code null} for a switch that does not forward, or is drained
     */
    static @Nullable EntryAge of(
            ServedEpoch last, List<KeptEpoch> records, long guid, int node, int entry, long nodeGuid) {
        LftRow row = last.row(last.view().switchOf(guid));
        if (row == null) {
            return null;
        }
        int port = entry < row.entryCount() ? row.port(entry) : LftSet.NO_ROUTE;
        int same = 1;
        while (same < records.size() && isAsNext(records.get(same), guid, node, entry, nodeGuid, port)) {
            same++;
        }
        return new EntryAge(records.get(same - 1), same == records.size());
    }

    /** In an epoch the entry is as in the next one. */
    private static boolean isAsNext(KeptEpoch kept, long guid, int node, int entry, long nodeGuid, int port) {
        for (NodeIndex other : kept.nodes()) {
            if ((other.index() == node) != (other.portGuid() == nodeGuid)) {
                return false;
            }
        }
        if (kept.absent().contains(guid) || !forwards(kept, guid)) {
            return false;
        }
        if (entry >= kept.entryCount()) {
            return port == LftSet.NO_ROUTE;
        }
        for (ChangedRows rows : kept.rows()) {
            int at = has(rows.switches(), guid) ? place(rows.blocks(), entry, kept) : -1;
            if (at >= 0) {
                return (rows.entries()[at] & 0xff) == port;
            }
        }
        return true;
    }

    /** A switch that did not forward next and did then has a row of its own, which says all that is not without a route. */
    private static boolean forwards(KeptEpoch kept, long guid) {
        for (KnownSwitch known : kept.switches()) {
            if (known.claims().guid() == guid) {
                return known.forwards();
            }
        }
        return true;
    }

    private static boolean has(long[] guids, long guid) {
        for (long each : guids) {
            if (each == guid) {
                return true;
            }
        }
        return false;
    }

    /** Where the entry is among those of the blocks; −1 if its block is none of them. */
    private static int place(int[] blocks, int entry, KeptEpoch kept) {
        int block = Arrays.binarySearch(blocks, entry / KeptRow.BLOCK);
        int at = 0;
        for (int i = 0; i < block; i++) {
            at += KeptRow.end(blocks[i], kept.entryCount()) - blocks[i] * KeptRow.BLOCK;
        }
        return block < 0 ? -1 : at + entry % KeptRow.BLOCK;
    }
}
