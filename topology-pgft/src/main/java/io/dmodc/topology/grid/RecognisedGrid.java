package io.dmodc.topology.grid;

import io.dmodc.topology.FabricView;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The grid that was recognised in a view: where each switch stands, and what is odd. Immutable.
 *
 * <p>Switches are those of the view, by index. Rows and columns count from 0 in the order of their targets, so that a
 * generated grid has the numbers of its generator. A grid that is kept serves later views of the
 * same switches: who died since keeps his place.
 */
public final class RecognisedGrid {
    private final int[][] leaf;
    private final int[][] rowRoots;
    private final int[][] columnRoots;
    private final GridPlace[] place;
    private final List<GridFinding> findings;

    RecognisedGrid(int[][] leaf, int[][] rowRoots, int[][] columnRoots, GridPlace[] place, List<GridFinding> findings) {
        this.leaf = leaf;
        this.rowRoots = rowRoots;
        this.columnRoots = columnRoots;
        this.place = place;
        this.findings = List.copyOf(findings);
    }

    /** 0 where nothing was recognised. */
    public int rows() {
        return rowRoots.length;
    }

    /** 0 where nothing was recognised. */
    public int columns() {
        return columnRoots.length;
    }

    /** Switch index of a leaf, or −1 where the place is empty. */
    public int leaf(int row, int column) {
        return leaf[row][column];
    }

    public int rowRootCount(int row) {
        return rowRoots[row].length;
    }

    /** Switch index of a root of a row, ascending with its number. */
    public int rowRoot(int row, int root) {
        return rowRoots[row][root];
    }

    public int columnRootCount(int column) {
        return columnRoots[column].length;
    }

    /** Switch index of a root of a column, ascending with its number. */
    public int columnRoot(int column, int root) {
        return columnRoots[column][root];
    }

    /** Size of the switch index space. */
    public int switchCount() {
        return place.length;
    }

    public GridPlace place(int s) {
        return place[s];
    }

    /** In the order of their kinds; empty for a whole grid. */
    public List<GridFinding> findings() {
        return findings;
    }

    /** Those findings that no fault explains: somebody has to look at the cables. Leaves are missed only while no dead one is without a place. */
    public List<GridFinding> findingsOfCabling(FabricView view) {
        boolean ragged = IntStream.range(0, view.leafCount())
                .map(view::targetSwitch)
                .allMatch(s -> view.alive(s) || place[s].kind() != GridPlace.Kind.UNPLACED);
        return findings.stream()
                .filter(finding -> switch (finding.kind()) {
                    case NO_GRID, ROOT_JOINS_LINES, LEAF_IN_WRONG_LINE, PLACE_TAKEN, HOSTS_AT_ROOT -> true;
                    case LEAF_UNPLACED -> view.alive(finding.switches().get(0));
                    case LEAF_MISSING -> ragged && finding.switches().isEmpty();
                    case ROOT_UNPLACED, ROOTS_MISSING, CABLE_MISSING -> false;
                })
                .toList();
    }
}
