package io.dmodc.topology.grid;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.dmodc.topology.grid.GridFinding.Kind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;

/** Says in which ways the cabling differs from a whole grid of the places that were recognised. */
final class GridFindings {
    private final FabricView view;
    private final RecognisedGrid grid;
    private final List<GridLine> odd;
    private final BitSet[] leavesOfRoot;
    private final List<GridFinding> findings = new ArrayList<>();

    /** @param odd lines that are no row and no column */
    GridFindings(FabricView view, RecognisedGrid grid, List<GridLine> odd, BitSet[] leavesOfRoot) {
        this.view = view;
        this.grid = grid;
        this.odd = odd;
        this.leavesOfRoot = leavesOfRoot;
    }

    /** @param doubles pairs of targets with one place for both */
    List<GridFinding> all(List<int[]> doubles) {
        odd.forEach(line -> line.roots().forEach(this::oddRoot));
        for (int[] pair : doubles) {
            takenPlace(view.targetSwitch(pair[0]), view.targetSwitch(pair[1]));
        }
        for (int s = 0; s < view.switchCount(); s++) {
            checkRoot(s);
            checkLeaf(s);
        }
        missingLeaves();
        missingRoots("row", grid.rows(), grid::rowRootCount);
        missingRoots("column", grid.columns(), grid::columnRootCount);
        findings.sort(Comparator.comparing(GridFinding::kind));
        return findings;
    }

    private void oddRoot(int root) {
        Set<Integer> rows = new HashSet<>();
        Set<Integer> columns = new HashSet<>();
        leavesOfRoot[root].stream().map(view::targetSwitch).forEach(leaf -> {
            rows.add(grid.place(leaf).row());
            columns.add(grid.place(leaf).column());
        });
        boolean joinsRows = rows.size() < columns.size();
        List<Integer> joined = (joinsRows ? rows : columns)
                .stream().filter(i -> i >= 0).sorted().toList();
        add(
                Kind.ROOT_JOINS_LINES,
                name(root) + " joins " + (joinsRows ? "rows " : "columns ") + joined
                        + ": its leaves belong to more than one line",
                root);
    }

    private void takenPlace(int placed, int other) {
        GridPlace place = grid.place(placed);
        add(
                Kind.PLACE_TAKEN,
                name(placed) + " and " + name(other) + " are both in row " + place.row() + " and column "
                        + place.column() + ": one of them is cabled into the wrong row or column",
                placed,
                other);
    }

    private void checkRoot(int s) {
        GridPlace place = grid.place(s);
        int leaves = leavesOfRoot[s].cardinality();
        if (place.kind() == GridPlace.Kind.UNPLACED && leaves == 1) {
            add(Kind.ROOT_UNPLACED, name(s) + " has one live leaf: its row or column cannot be told", s);
        }
        if (place.kind() != GridPlace.Kind.ROW_ROOT && place.kind() != GridPlace.Kind.COLUMN_ROOT) {
            return;
        }
        if (view.targetOfSwitch(s) >= 0 && view.targetOfSwitch(s) < view.hostTargetCount()) {
            add(Kind.HOSTS_AT_ROOT, name(s) + " has hosts: as the root of a row or column, it is led through only", s);
        }
        leavesOfRoot[s].stream().map(view::targetSwitch).forEach(leaf -> checkCable(leaf, s));
        int length = place.kind() == GridPlace.Kind.ROW_ROOT ? grid.columns() : grid.rows();
        for (int i = 0; i < length; i++) {
            int leaf =
                    place.kind() == GridPlace.Kind.ROW_ROOT ? grid.leaf(place.row(), i) : grid.leaf(i, place.column());
            if (leaf >= 0 && view.alive(leaf) && !leavesOfRoot[s].get(view.targetOfSwitch(leaf))) {
                add(Kind.CABLE_MISSING, "no live cable between " + name(leaf) + " and " + name(s), leaf, s);
            }
        }
    }

    private void checkCable(int leaf, int root) {
        GridPlace at = grid.place(leaf);
        GridPlace line = grid.place(root);
        if (at.kind() != GridPlace.Kind.LEAF) {
            return;
        }
        boolean row = line.kind() == GridPlace.Kind.ROW_ROOT;
        int has = row ? line.row() : line.column();
        int expected = row ? at.row() : at.column();
        if (has != expected) {
            String kind = row ? "row " : "column ";
            add(
                    Kind.LEAF_IN_WRONG_LINE,
                    name(leaf) + " is cabled to " + name(root) + " of " + kind + has + ", expected " + kind + expected,
                    leaf,
                    root);
        }
    }

    private void checkLeaf(int s) {
        if (view.isLeaf(s) && grid.place(s).kind() == GridPlace.Kind.UNPLACED && !hasPlaceTaken(s)) {
            add(
                    Kind.LEAF_UNPLACED,
                    name(s)
                            + (view.alive(s)
                                    ? " has no row or no column"
                                    : " is dead: its row and column cannot be told"),
                    s);
        }
    }

    private boolean hasPlaceTaken(int s) {
        return findings.stream()
                .anyMatch(finding ->
                        finding.kind() == Kind.PLACE_TAKEN && finding.switches().get(1) == s);
    }

    private void missingLeaves() {
        for (int r = 0; r < grid.rows(); r++) {
            for (int c = 0; c < grid.columns(); c++) {
                int leaf = grid.leaf(r, c);
                if (leaf < 0 || !view.alive(leaf)) {
                    String where = " in row " + r + " and column " + c;
                    if (leaf < 0) {
                        add(Kind.LEAF_MISSING, "no leaf" + where);
                    } else {
                        add(Kind.LEAF_MISSING, "a dead leaf, " + name(leaf) + "," + where, leaf);
                    }
                }
            }
        }
    }

    private void missingRoots(String what, int count, IntUnaryOperator roots) {
        TreeMap<Integer, Integer> linesByRoots = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            linesByRoots.merge(roots.applyAsInt(i), 1, Integer::sum);
        }
        int usual = linesByRoots.entrySet().stream()
                .max(Map.Entry.<Integer, Integer>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .orElseThrow()
                .getKey();
        for (int i = 0; i < count; i++) {
            if (roots.applyAsInt(i) < usual) {
                add(Kind.ROOTS_MISSING, what + " " + i + " has " + roots.applyAsInt(i) + " roots, expected " + usual);
            }
        }
    }

    private void add(Kind kind, String text, Integer... switches) {
        findings.add(new GridFinding(kind, text, List.of(switches)));
    }

    private String name(int s) {
        String name = view.switchName(s);
        return name.isEmpty() ? Guid.format(view.switchGuid(s)) : name;
    }
}
