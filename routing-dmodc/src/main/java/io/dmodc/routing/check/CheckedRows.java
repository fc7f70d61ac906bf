package io.dmodc.routing.check;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The rows that were looked at, and what is known of legal paths, from one view to the next of the same fabric.
 *
 * <p>An entry stays right as long as it, the ports of its switch and the sets of homes at the switches behind these
 * stay the same. So of the next tables only spans are looked at that are other objects than before, that hold homes of
 * a word that changed at the switch or a neighbour, or whose row had a wrong entry; and all of a switch whose links
 * changed. Where nodes came, went or moved, the spans of their columns are looked at in all rows.
 *
 * <p>Switches with the same neighbours and ports above mostly share the spans of homes that are not below; these are
 * proved once for all of them.
 */
final class CheckedRows {
    /** Bounds the pieces of work: each keeps tables of its own. */
    private static final int PIECES_MAX = 32;

    private static final int SWITCHES_PER_PIECE_MIN = 32;

    private ColumnHomes columns;
    private final TurnSets turns;
    private final @Nullable LftRow[] rows;
    private final boolean[] wrong;
    private final long[] @Nullable [] stale;
    private FabricView view;

    /** Spans with columns whose nodes are not where they were when rows were last looked at. */
    private final BitSet movedSpans = new BitSet();

    /** Nothing is looked at until the first {@link #suspects}. */
    CheckedRows(FabricView view, ColumnHomes columns) {
        this.view = view;
        this.columns = columns;
        turns = new TurnSets(view, columns);
        rows = new LftRow[view.switchCount()];
        wrong = new boolean[rows.length];
        stale = new long[rows.length][];
    }

    FabricView view() {
        return view;
    }

    ColumnHomes columns() {
        return columns;
    }

    TurnSets turns() {
        return turns;
    }

    /**
     * Takes in that nodes came, went or moved; {@link #suspects} of the same view is to follow.
     *
     * @param newView with the switches and targets of the view before and no fewer nodes
     */
    void moveNodes(FabricView newView) {
        BitSet moved = newView.nodesMovedSince(view);
        int known = columns.count();
        if (!moved.isEmpty() || newView.nodeCount() > known) {
            columns = ColumnHomes.nodes(newView);
            turns.renumberColumns(columns);
            moved.stream().forEach(node -> movedSpans.set(node / LftRow.SPAN_COLUMNS));
            if (columns.count() > known) {
                // A span that was not full says something of columns behind its end, which nobody has looked at.
                movedSpans.set(known / LftRow.SPAN_COLUMNS, columns.spanCount);
            }
        }
    }

    /**
     * Columns that have an entry at a live switch which is not right.
     *
     * @param newView with the same switches, ranks and targets as the view before, and the places of nodes taken in
     * @param changed switches whose links or liveness changed since; all of them the first time
     */
    BitSet suspects(FabricView newView, LftSet tables, int[] changed, Parallel parallel) {
        view = newView;
        turns.update(newView, changed);
        for (int s : changed) {
            rows[s] = null;
        }
        markStale();
        int[] due = due(tables);
        int pieces = Math.min(PIECES_MAX, (due.length + SWITCHES_PER_PIECE_MIN - 1) / SWITCHES_PER_PIECE_MIN);
        BitSet[] found = new BitSet[pieces];
        parallel.forEach(pieces, i -> {
            int from = (int) ((long) due.length * i / pieces);
            int to = (int) ((long) due.length * (i + 1) / pieces);
            found[i] = new Piece(tables).suspects(due, from, to);
        });
        BitSet suspects = new BitSet();
        for (BitSet piece : found) {
            suspects.or(piece);
        }
        for (int s : due) {
            rows[s] = tables.row(s);
        }
        movedSpans.clear();
        return suspects;
    }

    /** Below, a change concerns both sides; above, only the switches below. */
    private void markStale() {
        Arrays.fill(stale, null);
        for (int s = 0; s < rows.length; s++) {
            long[] below = turns.belowChanged(s);
            long[] above = turns.aboveChanged(s);
            for (int g = view.groupStart(s); (below != null || above != null) && g < view.groupEnd(s); g++) {
                int remote = view.groupRemote(g);
                if (view.isUp(s, remote)) {
                    markStale(remote, below);
                } else if (view.isDown(s, remote)) {
                    markStale(remote, below);
                    markStale(remote, above);
                }
            }
        }
    }

    private void markStale(int s, long @Nullable [] words) {
        if (words != null) {
            long[] marked = stale[s];
            if (marked == null) {
                marked = new long[words.length];
                stale[s] = marked;
            }
            BitWords.or(marked, words);
        }
    }

    /** Live switches of which something is to be looked at; those of one side together. */
    private int[] due(LftSet tables) {
        long[] due = new long[rows.length];
        int count = 0;
        for (int s = 0; s < rows.length; s++) {
            if (view.alive(s) && (rows[s] != tables.row(s) || wrong[s] || stale[s] != null || !movedSpans.isEmpty())) {
                SharedHomeSets above = turns.above(s);
                due[count++] = (long) (above == null ? -1 : above.number) << 32 | s;
            }
        }
        Arrays.sort(due, 0, count);
        return Arrays.stream(due, 0, count).mapToInt(place -> (int) place).toArray();
    }

    /** Some switches, looked at one after the other. */
    private final class Piece {
        private final LftSet tables;
        private final RightPorts rightAbove = new RightPorts(view, turns, columns.words);
        private final RightPorts right = new RightPorts(view, turns, columns.words);
        private final RowProof proof = new RowProof(columns, right);
        private final boolean[] marked = new boolean[columns.spanCount];
        private final BitSet suspects = new BitSet();

        /** By span, the row whose entries were last looked at for all switches of the side, and whether they hold. */
        private final @Nullable LftRow[] seen = new LftRow[columns.spanCount];

        private final boolean[] holds = new boolean[columns.spanCount];

        Piece(LftSet tables) {
            this.tables = tables;
        }

        BitSet suspects(int[] due, int from, int to) {
            SharedHomeSets side = null;
            for (int i = from; i < to; i++) {
                int s = due[i];
                if (i == from || turns.above(s) != side) {
                    side = turns.above(s);
                    rightAbove.above(s);
                    Arrays.fill(seen, null);
                }
                look(s);
            }
            return suspects;
        }

        private void look(int s) {
            LftRow row = tables.row(s);
            LftRow before = wrong[s] ? null : rows[s];
            mark(s);
            right.of(s);
            boolean allRight = true;
            for (int k = 0; k < marked.length; k++) {
                if (marked[k] || before == null || !row.sharesSpan(k, before)) {
                    allRight &= holdsAbove(s, row, k) || proof.holds(row, k, right, s, suspects);
                }
            }
            wrong[s] = !allRight;
        }

        private void mark(int s) {
            Arrays.fill(marked, false);
            movedSpans.stream().forEach(k -> marked[k] = true);
            long[] words = stale[s];
            for (int w = 0; words != null && w < columns.words; w++) {
                if (BitWords.get(words, w)) {
                    for (int k : columns.spansOfWord(w)) {
                        marked[k] = true;
                    }
                }
            }
        }

        private boolean holdsAbove(int s, LftRow row, int k) {
            if (columns.meets(k, turns.below(s))) {
                return false;
            }
            LftRow known = seen[k];
            if (known == null || !row.sharesSpan(k, known)) {
                seen[k] = row;
                holds[k] = proof.holds(row, k, rightAbove);
            }
            return holds[k];
        }
    }
}
