package io.dmodc.routing.dmodc;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftRowBuilder;
import io.dmodc.routing.Parallel;
import io.dmodc.topology.FabricView;
import java.util.Arrays;

/**
 * Rows of equation (1) as printed: any neighbour of lower cost is a candidate, wherever it is.
 *
 * <p>No candidate is said to serve instead of another ({@link io.dmodc.routing.PortPattern#interchangeable}): the two together could
 * lead down and up again.
 *
 * <p>Targets are taken by the turn rank of the switch itself: for all targets of one turn rank, the groups that may
 * lead closer, and the layer of each remote switch that says so, are the same ({@link CandidateRule}). No parts are
 * shared, and a row that an update concerns is made anew: O(groups × turn ranks × targets / 64) a row, plus its runs.
 */
final class PlainRows implements RowMaker {
    private TargetColumns targetColumns;
    private final CostLayers costs;
    private final Dividers dividers;
    private LftRow noRoutes;
    private FabricView view;
    private LftRow[] rows;

    /** The columns are not those of the last update. */
    private boolean moved;

    PlainRows(FabricView view, TargetColumns targetColumns, CostLayers costs, Dividers dividers) {
        this.view = view;
        this.targetColumns = targetColumns;
        this.costs = costs;
        this.dividers = dividers;
        noRoutes = LftRow.noRoutes(targetColumns.columnCount);
        rows = new LftRow[view.switchCount()];
        Arrays.fill(rows, noRoutes);
    }

    @Override
    public void move(MovedColumns columns) {
        targetColumns = columns.all;
        noRoutes = noRoutes.fittedTo(targetColumns.columnCount);
        moved = true;
    }

    @Override
    public LftRow[] update(FabricView newView, int[] switches, Parallel parallel) {
        view = newView;
        rows = rows.clone();
        boolean[] concerned = new boolean[rows.length];
        Arrays.fill(concerned, moved);
        moved = false;
        for (int s : switches) {
            concerned[s] = true;
        }
        costs.forEachChanged(s -> {
            concerned[s] = true;
            for (int g = view.groupStart(s); g < view.groupEnd(s); g++) {
                concerned[view.groupRemote(g)] = true;
            }
        });
        PortLayouts layouts = new PortLayouts(targetColumns.formulaOffset, false);
        PortLayout[] layout = new PortLayout[rows.length];
        for (int s = 0; s < rows.length; s++) {
            if (concerned[s]) {
                layout[s] = layouts.find(view, s, dividers.of(s));
            }
        }
        parallel.forEach(rows.length, s -> {
            if (concerned[s]) {
                rows[s] = costs.routes(s) ? row(s, layout[s]) : noRoutes;
            }
        });
        return rows;
    }

    private LftRow row(int s, PortLayout layout) {
        CandidateRuns runs = new CandidateRuns(targetColumns);
        RunList found = new RunList();
        runs.begin(layout);
        int own = targetColumns.switchTarget[s];
        for (int w = 0; w < costs.words(); w++) {
            findCandidates(s, w, runs.candidates());
            long routed = runs.routed();
            if (own >> 6 == w) {
                routed &= ~(1L << own);
            }
            runs.add(w, routed);
        }
        runs.end(found::add);
        if (own >= 0) {
            targetColumns.addOwnRuns(own, found);
        }
        LftRowBuilder builder = new LftRowBuilder();
        builder.begin(noRoutes, rows[s]);
        found.sorted().putInto(builder);
        return builder.build();
    }

    private void findCandidates(int s, int w, long[] candidates) {
        int groupStart = view.groupStart(s);
        int groupEnd = view.groupEnd(s);
        Arrays.fill(candidates, 0, groupEnd - groupStart, 0);
        long lower = 0;
        for (int turn = view.rank(s); turn <= costs.rankMax() + 1; turn++) {
            long reached = turn > costs.rankMax() ? -1 : costs.layer(s, turn)[costs.layerAt(s, turn) + w];
            long fresh = reached & ~lower;
            lower = reached;
            for (int g = groupStart; fresh != 0 && g < groupEnd; g++) {
                int remote = view.groupRemote(g);
                int limit = costs.routes(remote)
                        ? CandidateRule.PLAIN.turnLimit(turn, view.rank(s), view.rank(remote), costs.rankMax())
                        : CandidateRule.NONE;
                if (limit != CandidateRule.NONE) {
                    candidates[g - groupStart] |= costs.layer(remote, limit)[costs.layerAt(remote, limit) + w] & fresh;
                }
            }
        }
    }
}
