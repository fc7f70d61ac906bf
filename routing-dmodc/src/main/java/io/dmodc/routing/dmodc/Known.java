package io.dmodc.routing.dmodc;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.topology.FabricView;
import java.util.BitSet;

/** Costs, dividers and tables of one view, brought up to date with the next. For one thread. */
final class Known {
    private final Destinations destinations;
    private final Reach reach;
    private final Dividers dividers;
    private final Rows rows;
    private FabricView view;
    private LftRow[] row = {};

    /** Knows nothing of any switch until the first {@link #update}. */
    Known(FabricView view, Destinations destinations, CandidateRule rule) {
        this.view = view;
        this.destinations = destinations;
        reach = new Reach(view, destinations);
        dividers = new Dividers(view);
        rows = rule == CandidateRule.STRICT
                ? new StrictRows(view, destinations, reach, dividers)
                : new PlainRows(view, destinations, reach, dividers);
    }

    /**
     * @param newView with the same switches, ranks and destinations as the view before
     * @param switches those whose neighbours or liveness changed since; all of them the first time
     */
    void update(FabricView newView, int[] switches, Parallel parallel) {
        view = newView;
        reach.update(newView, switches, parallel);
        dividers.update(newView, switches, reach);
        row = rows.update(newView, withNewDividers(switches), parallel);
    }

    private int[] withNewDividers(int[] switches) {
        if (dividers.changedCount() == 0 || switches.length == view.switchCount()) {
            return switches;
        }
        BitSet all = new BitSet(view.switchCount());
        for (int s : switches) {
            all.set(s);
        }
        for (int i = 0; i < dividers.changedCount(); i++) {
            all.set(dividers.changed(i));
        }
        return all.stream().toArray();
    }

    FabricView view() {
        return view;
    }

    Reach reach() {
        return reach;
    }

    LftSet tables() {
        return new LftSet(view.epoch(), destinations.columnCount, row);
    }
}
