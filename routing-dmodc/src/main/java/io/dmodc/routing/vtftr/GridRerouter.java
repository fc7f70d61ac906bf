package io.dmodc.routing.vtftr;

import io.dmodc.routing.Parallel;
import io.dmodc.routing.Rerouter;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.TurnTableSet;
import io.dmodc.routing.UnreachedLeaves;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.grid.GridFinding;
import io.dmodc.topology.grid.GridPlace;
import io.dmodc.topology.grid.GridRecognition;
import io.dmodc.topology.grid.RecognisedGrid;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Routes one view of a grid after the other. The grid that was recognised first is kept while all that is recognised later stands where it
 * stood: then who died keeps his place, and only what changed is made anew.
 */
final class GridRerouter implements Rerouter {
    private final SpareMode mode;
    private @Nullable Kept kept;
    private TurnRows rows = new TurnRows();

    /** What was odd when all cables were looked at last; while anything is, they are looked at each time. */
    private List<String> notes = List.of();

    /** What roots are of, by GUID, in the grid that was recognised last. */
    private final Map<Long, GridPlace.Kind> kinds = new HashMap<>();

    private record Kept(FabricView view, VtftrRerouter rerouter) {
        GridState state() {
            return rerouter.tables().state();
        }
    }

    GridRerouter(SpareMode mode) {
        this.mode = mode;
    }

    @Override
    public RoutingResult route(FabricView view, Parallel parallel) {
        Kept before = kept != null && view.comparableTo(kept.view) ? kept : null;
        if (before != null && notes.isEmpty() && isCabledAsBefore(before, view)) {
            return route(view, before, parallel);
        }
        RecognisedGrid seen =
                GridRecognition.recognise(view, s -> kinds.getOrDefault(view.switchGuid(s), GridPlace.Kind.UNPLACED));
        notes = seen.findingsOfCabling(view).stream().map(GridFinding::text).toList();
        if (before != null && standAsBefore(before.state().grid(), seen)) {
            return route(view, before, parallel);
        }
        if (seen.rows() == 0) {
            return new RoutingResult.Unroutable(seen.findings().get(0).text());
        }
        rows = new TurnRows();
        remember(view, seen);
        return result(new Kept(view, new VtftrRerouter(GridState.of(seen, view), mode)), parallel);
    }

    private RoutingResult route(FabricView view, Kept before, Parallel parallel) {
        before.rerouter.reroute(GridState.of(view, before.state()));
        return result(new Kept(view, before.rerouter), parallel);
    }

    private RoutingResult result(Kept now, Parallel parallel) {
        FabricView view = now.view;
        kept = now;
        TurnTables tables = now.rerouter.tables();
        TurnTableSet set = rows.rows(view, tables, parallel).noting(notes);
        return servesAll(view, tables)
                ? UnreachedLeaves.verdict(view, set)
                : UnreachedLeaves.verdictOfLeaves(view, (from, to) -> reaches(tables, from, to), set);
    }

    /** No cable came to where none was: then whatever else changed, all that is recognised stands where it stood. */
    private static boolean isCabledAsBefore(Kept before, FabricView view) {
        RecognisedGrid grid = before.state().grid();
        int[] changed = view.switchesRelinkedSince(before.view);
        for (int i = 0; changed != null && i < changed.length; i++) {
            int s = changed[i];
            for (int group = view.groupStart(s); group < view.groupEnd(s); group++) {
                if (!fit(grid.place(s), grid.place(view.groupRemote(group)))) {
                    return false;
                }
            }
        }
        return changed != null;
    }

    private static boolean fit(GridPlace one, GridPlace other) {
        boolean up = one.kind() == GridPlace.Kind.LEAF;
        return isRootOf(up ? other : one, up ? one : other);
    }

    private static boolean isRootOf(GridPlace root, GridPlace leaf) {
        return leaf.kind() == GridPlace.Kind.LEAF
                && switch (root.kind()) {
                    case ROW_ROOT -> root.row() == leaf.row();
                    case COLUMN_ROOT -> root.column() == leaf.column();
                    case LEAF, UNPLACED -> false;
                };
    }

    /** With a spare for everything, every live leaf that has a place reaches every other. */
    private static boolean servesAll(FabricView view, TurnTables tables) {
        GridState state = tables.state();
        boolean spare = !Bits.isEmpty(state.soundColumns()) || !Bits.isEmpty(state.soundRows());
        for (int target = 0; spare && target < view.leafCount(); target++) {
            int s = view.targetSwitch(target);
            GridPlace place = state.grid().place(s);
            spare = !view.alive(s) || (place.kind() == GridPlace.Kind.LEAF && state.alive(place.row(), place.column()));
        }
        return spare && state.whole();
    }

    private static boolean standAsBefore(RecognisedGrid before, RecognisedGrid seen) {
        for (int s = 0; s < seen.switchCount(); s++) {
            GridPlace place = seen.place(s);
            GridPlace then = before.place(s);
            boolean same = place.kind() == then.kind() && place.row() == then.row() && place.column() == then.column();
            if (place.kind() != GridPlace.Kind.UNPLACED && !same) {
                return false;
            }
        }
        return true;
    }

    private void remember(FabricView view, RecognisedGrid grid) {
        kinds.clear();
        for (int s = 0; s < grid.switchCount(); s++) {
            GridPlace.Kind kind = grid.place(s).kind();
            if (kind == GridPlace.Kind.ROW_ROOT || kind == GridPlace.Kind.COLUMN_ROOT) {
                kinds.put(view.switchGuid(s), kind);
            }
        }
    }

    private static boolean reaches(TurnTables tables, int from, int to) {
        RecognisedGrid grid = tables.state().grid();
        GridPlace source = grid.place(from);
        GridPlace destination = grid.place(to);
        if (from == to) {
            return true;
        }
        return source.kind() == GridPlace.Kind.LEAF
                && destination.kind() == GridPlace.Kind.LEAF
                && tables.injection(
                                source.row() * grid.columns() + source.column(),
                                destination.row() * grid.columns() + destination.column())
                        != Turn.NONE;
    }
}
