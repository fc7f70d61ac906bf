package io.dmodc.manager.core;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.Tables;
import io.dmodc.topology.FabricView;
import org.jspecify.annotations.Nullable;

/**
 * Tables that were accepted, and the view they were made for.
 *
 * @param digests of the rows, by switch index
 */
record ServedEpoch(FabricView view, Tables tables, long[] digests) {
    private static final long P1 = 0x9E3779B185EBCA87L;
    private static final long P2 = 0xC2B2AE3D27D4EB4FL;

    /** The table of a switch; {@code null} for one that does not forward, or is not known. */
    @Nullable
    LftRow row(int s) {
        return s >= 0 && view.alive(s) ? tables.row(s) : null;
    }

    /** Over all tables of switches that forward. */
    long digest() {
        long sum = 0;
        for (int s = 0; s < digests.length; s++) {
            sum += view.alive(s) ? part(view.switchGuid(s), digests[s]) : 0;
        }
        return sum;
    }

    /** What the table of one switch adds to the digest over all. */
    static long part(long guid, long digest) {
        long h = (guid * P1 ^ digest) * P2;
        return (h ^ h >>> 29) * P1;
    }
}
