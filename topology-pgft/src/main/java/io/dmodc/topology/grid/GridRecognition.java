package io.dmodc.topology.grid;

import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Recognises a grid in discovered cabling: which switch is a leaf, which the root of a row or of a column, and where
 * (the topology of the VTFTR paper, section 1.2 and Figure 2).
 *
 * <p>Neither names, GUIDs nor port numbers are trusted, only who is cabled to whom. Roots that share most of their leaves
 * form a line ({@link LineFinder}); two lines that meet in a leaf are of unlike kind ({@link LineKinds}); a leaf stands
 * where its two lines cross ({@link LeafPlaces}). Which kind is called rows is a matter of taste, but has to stay: tables by row first
 * must not be mixed with tables by column first. So it is the kind most leaves have at their lowest port, as cabling is done alike at
 * all of them; where that says nothing, the first leaf and the next one are in a row.
 *
 * <p>Works on degraded grids: a root with two live leaves of its line is placed, a place without a leaf is told as such.
 * What is odd is named and the rest is recognised ({@link GridFinding}). O(roots · lines · leaves / 64) time.
 */
public final class GridRecognition {
    private static final int NO_PORT = Integer.MAX_VALUE;

    private GridRecognition() {}

    /**
     * Recognises what the live cables of a view show.
     *
     * @return an empty grid with one finding when they show none
     */
    public static RecognisedGrid recognise(FabricView view) {
        return recognise(view, s -> GridPlace.Kind.UNPLACED);
    }

    /**
     * The same, where rows stay rows.
     *
     * @param before what a switch of this view was in an earlier one: roots decide, if any is known
     */
    public static RecognisedGrid recognise(FabricView view, IntFunction<GridPlace.Kind> before) {
        BitSet[] leavesOfRoot = LineFinder.leavesOfRoots(view);
        List<GridLine> lines = LineFinder.lines(leavesOfRoot);
        LineKinds kinds = new LineKinds(lines);
        LeafLines first = new LeafLines(kinds.first(), leavesOfRoot, view.leafCount());
        LeafLines second = new LeafLines(kinds.second(), leavesOfRoot, view.leafCount());
        int votes = votesBefore(first, before) - votesBefore(second, before);
        votes = votes == 0 ? votesOfPorts(view, first, second) : votes;
        boolean firstIsRows = votes == 0 ? nextInLine(first) <= nextInLine(second) : votes > 0;
        LeafLines rows = firstIsRows ? first : second;
        LeafLines columns = firstIsRows ? second : first;
        LeafPlaces places = new LeafPlaces(view, rows, columns);
        if (rows.count() == 0 || columns.count() == 0 || places.rows() < 2 || places.columns() < 2) {
            return nothing(view);
        }
        int[][] rowRoots = roots(rows, places.rows(), places, true);
        int[][] columnRoots = roots(columns, places.columns(), places, false);
        int[][] leaf = new int[places.rows()][places.columns()];
        for (int r = 0; r < leaf.length; r++) {
            for (int c = 0; c < leaf[r].length; c++) {
                int target = places.at(r, c);
                leaf[r][c] = target < 0 ? -1 : view.targetSwitch(target);
            }
        }
        GridPlace[] place = places(view, leaf, rowRoots, columnRoots);
        RecognisedGrid grid = new RecognisedGrid(leaf, rowRoots, columnRoots, place, List.of());
        List<GridFinding> findings = new GridFindings(view, grid, kinds.odd(), leavesOfRoot).all(places.doubles());
        return new RecognisedGrid(leaf, rowRoots, columnRoots, place, findings);
    }

    /** Roots of these lines that were of rows, less those that were of columns. */
    private static int votesBefore(LeafLines lines, IntFunction<GridPlace.Kind> before) {
        int votes = 0;
        for (int i = 0; i < lines.count(); i++) {
            for (int root : lines.line(i).roots()) {
                GridPlace.Kind kind = before.apply(root);
                votes += kind == GridPlace.Kind.ROW_ROOT ? 1 : kind == GridPlace.Kind.COLUMN_ROOT ? -1 : 0;
            }
        }
        return votes;
    }

    /**
     * Leaves with a root of a first line at the lowest port to any of these, less those with one of a second. One that has lost all cables of
     * either kind says nothing.
     */
    private static int votesOfPorts(FabricView view, LeafLines first, LeafLines second) {
        BitSet firstRoots = roots(first);
        BitSet secondRoots = roots(second);
        int votes = 0;
        for (int leaf = 0; leaf < view.leafCount(); leaf++) {
            int toFirst = lowestPort(view, view.targetSwitch(leaf), firstRoots);
            int toSecond = lowestPort(view, view.targetSwitch(leaf), secondRoots);
            votes += toFirst == NO_PORT || toSecond == NO_PORT ? 0 : Integer.signum(toSecond - toFirst);
        }
        return votes;
    }

    private static BitSet roots(LeafLines lines) {
        BitSet roots = new BitSet();
        for (int i = 0; i < lines.count(); i++) {
            lines.line(i).roots().forEach(roots::set);
        }
        return roots;
    }

    private static int lowestPort(FabricView view, int s, BitSet remotes) {
        int lowest = NO_PORT;
        for (int group = view.groupStart(s); group < view.groupEnd(s); group++) {
            if (remotes.get(view.groupRemote(group))) {
                lowest = Math.min(lowest, view.groupPort(group, 0));
            }
        }
        return lowest;
    }

    /** The lowest leaf that is in line with the lowest one that has a line; so rows run as the targets do. */
    private static int nextInLine(LeafLines lines) {
        for (int leaf = 0; leaf < lines.leafCount(); leaf++) {
            if (lines.of(leaf) != LeafLines.NONE) {
                List<Integer> leaves = lines.leaves(lines.of(leaf));
                return leaves.size() > 1 ? leaves.get(1) : Integer.MAX_VALUE;
            }
        }
        return Integer.MAX_VALUE;
    }

    private static RecognisedGrid nothing(FabricView view) {
        GridPlace[] place = new GridPlace[view.switchCount()];
        Arrays.fill(place, GridPlace.NONE);
        GridFinding none = new GridFinding(
                GridFinding.Kind.NO_GRID,
                "no grid: expected roots whose leaves form rows, and roots whose leaves form columns, two of each at least",
                List.of());
        return new RecognisedGrid(new int[0][], new int[0][], new int[0][], place, List.of(none));
    }

    private static int[][] roots(LeafLines lines, int count, LeafPlaces places, boolean rows) {
        int[][] roots = new int[count][];
        Arrays.fill(roots, new int[0]);
        for (int i = 0; i < lines.count(); i++) {
            int number = rows ? places.rowNumber(i) : places.columnNumber(i);
            roots[number] =
                    lines.line(i).roots().stream().mapToInt(Integer::intValue).toArray();
        }
        return roots;
    }

    private static GridPlace[] places(FabricView view, int[][] leaf, int[][] rowRoots, int[][] columnRoots) {
        GridPlace[] place = new GridPlace[view.switchCount()];
        Arrays.fill(place, GridPlace.NONE);
        for (int r = 0; r < leaf.length; r++) {
            for (int c = 0; c < leaf[r].length; c++) {
                if (leaf[r][c] >= 0) {
                    place[leaf[r][c]] = new GridPlace(GridPlace.Kind.LEAF, r, c, -1);
                }
            }
            for (int k = 0; k < rowRoots[r].length; k++) {
                place[rowRoots[r][k]] = new GridPlace(GridPlace.Kind.ROW_ROOT, r, -1, k);
            }
        }
        for (int c = 0; c < columnRoots.length; c++) {
            for (int k = 0; k < columnRoots[c].length; k++) {
                place[columnRoots[c][k]] = new GridPlace(GridPlace.Kind.COLUMN_ROOT, -1, c, k);
            }
        }
        return place;
    }
}
