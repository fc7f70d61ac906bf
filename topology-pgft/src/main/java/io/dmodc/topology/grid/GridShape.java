package io.dmodc.topology.grid;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.NodeIndexMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The shape of a two-dimensional fat-tree, written {@code 16x16;hosts=16;roots=16,16}.
 *
 * <p>Leaf (r, c) has {@code hosts} hosts and one cable to each of the {@code rowRoots} roots of row r and of the
 * {@code columnRoots} roots of column c. A root of a row has one port for each of the {@code columns} leaves of the row,
 * a root of a column one for each of the {@code rows} leaves of the column.
 *
 * @param rows 2..254, of leaves
 * @param columns 2..254
 * @param hosts 1..252, of each leaf
 * @param rowRoots 1..252, R_x
 * @param columnRoots 1..252, R_y
 */
public record GridShape(int rows, int columns, int hosts, int rowRoots, int columnRoots) {
    private static final Pattern NOTATION =
            Pattern.compile("(\\d{1,9})x(\\d{1,9});hosts=(\\d{1,9});roots=(\\d{1,9}),(\\d{1,9})");

    /** @throws IllegalArgumentException in one line, if a switch would have too many ports or there are too many nodes */
    public GridShape {
        String text = text(rows, columns, hosts, rowRoots, columnRoots);
        bound(text, "rows", rows, 2, FabricView.PORT_MAX);
        bound(text, "columns", columns, 2, FabricView.PORT_MAX);
        bound(text, "hosts of a leaf", hosts, 1, FabricView.PORT_MAX - 2);
        bound(text, "roots of a row", rowRoots, 1, FabricView.PORT_MAX - 2);
        bound(text, "roots of a column", columnRoots, 1, FabricView.PORT_MAX - 2);
        int leafPorts = hosts + rowRoots + columnRoots;
        if (leafPorts > FabricView.PORT_MAX) {
            throw bad(text, "at most " + FabricView.PORT_MAX + " ports of a leaf instead of " + leafPorts);
        }
        int nodes = rows * columns * hosts;
        if (nodes > NodeIndexMap.INDEX_MAX + 1) {
            throw bad(text, "at most " + (NodeIndexMap.INDEX_MAX + 1) + " nodes instead of " + nodes);
        }
    }

    /**
     * Parses the notation.
     *
     * @throws IllegalArgumentException in one line, naming the text and what was expected
     */
    public static GridShape parse(String text) {
        Matcher parts = NOTATION.matcher(text.strip());
        if (!parts.matches()) {
            throw bad(text, "ROWSxCOLUMNS;hosts=H;roots=OF_A_ROW,OF_A_COLUMN, as in 16x16;hosts=16;roots=16,16");
        }
        return new GridShape(number(parts, 1), number(parts, 2), number(parts, 3), number(parts, 4), number(parts, 5));
    }

    private static int number(Matcher parts, int group) {
        return Integer.parseInt(parts.group(group));
    }

    private static void bound(String text, String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw bad(text, least + ".." + most + " " + what + " instead of " + value);
        }
    }

    private static IllegalArgumentException bad(String text, String expected) {
        return new IllegalArgumentException("'" + text + "' is not a grid; expected " + expected);
    }

    public int leafCount() {
        return rows * columns;
    }

    public int nodeCount() {
        return leafCount() * hosts;
    }

    /** Leaves and roots. */
    public int switchCount() {
        return leafCount() + rows * rowRoots + columns * columnRoots;
    }

    /** Ports of a leaf: hosts first, then to the roots of its row, then to those of its column. */
    public int leafPortCount() {
        return hosts + rowRoots + columnRoots;
    }

    /** The notation. */
    @Override
    public String toString() {
        return text(rows, columns, hosts, rowRoots, columnRoots);
    }

    private static String text(int rows, int columns, int hosts, int rowRoots, int columnRoots) {
        return rows + "x" + columns + ";hosts=" + hosts + ";roots=" + rowRoots + "," + columnRoots;
    }
}
