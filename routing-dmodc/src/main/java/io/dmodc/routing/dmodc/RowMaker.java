package io.dmodc.routing.dmodc;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.Parallel;
import io.dmodc.topology.FabricView;

/** Makes the rows of all switches from costs and dividers, and makes anew those that an update concerns. */
interface RowMaker {
    /**
     * Has the next update write rows of other columns.
     *
     * @param columns with the targets there were, and no fewer columns
     */
    void move(MovedColumns columns);

    /**
     * @param switches those whose neighbours, liveness or divider are not as in the last update; all of them the first
     *     time
     * @return a row per switch; the same object as before where no entry changed
     */
    LftRow[] update(FabricView view, int[] switches, Parallel parallel);
}
