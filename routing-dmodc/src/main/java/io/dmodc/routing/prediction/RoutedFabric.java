package io.dmodc.routing.prediction;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.change.RowsInForce;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * A fabric and the tables made for it.
 *
 * @param works with all links that carry packets, those of drained switches, too
 * @param routed the same fabric without what is drained, {@code works} itself if nothing is: what the tables were made for
 */
public record RoutedFabric(FabricView works, FabricView routed, LftSet tables) {
    public RoutedFabric {
        if (works.switchCount() != routed.switchCount() || works.nodeCount() != routed.nodeCount()) {
            throw new IllegalArgumentException(
                    "routed are " + routed.switchCount() + " switches and " + routed.nodeCount() + " nodes; expected "
                            + works.switchCount() + " and " + works.nodeCount() + ", those there are");
        }
    }

    /** One in which nothing is drained. */
    public static RoutedFabric of(FabricView view, LftSet tables) {
        return new RoutedFabric(view, view, tables);
    }

    /**
     * What the switches of a later view forward by, if each holds its row of these tables; nothing is known of others.
     *
     * @param later its switches are found by GUID
     * @param untold switches of {@code later} that are given nothing: they are silent, or drained and keep their row
     */
    public RowsInForce inForce(FabricView later, BitSet untold) {
        List<List<LftRow>> rows = new ArrayList<>();
        for (int s = 0; s < later.switchCount(); s++) {
            int before = works.switchOf(later.switchGuid(s));
            rows.add(before < 0 || !works.alive(before) ? List.of() : List.of(tables.row(before)));
        }
        return RowsInForce.of(later.nodeCount(), rows, untold);
    }
}
