package io.dmodc.topology.grid;

import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GeneratedGuids;
import io.dmodc.topology.Host;
import java.util.random.RandomGenerator;

/**
 * Generates a whole grid.
 *
 * <p>Switches are numbered leaves first, row by row, then the roots of row 0, of row 1, …, then those of the columns.
 * Leaf (r, c) has the nodes {@code (r·columns + c)·hosts …} on its ports 1..hosts, root k of its row on port
 * {@code 1 + hosts + k}, root k of its column on {@code 1 + hosts + rowRoots + k}. Port {@code 1 + c} of a row's root
 * leads to column c, port {@code 1 + r} of a column's root to row r. GUIDs ascend in switch order unless shuffled.
 */
public final class GridGenerator {
    private final GridShape shape;
    private final long[] guid;
    private final FabricViewBuilder fabric = new FabricViewBuilder();

    private GridGenerator(GridShape shape, long[] guid) {
        this.shape = shape;
        this.guid = guid;
    }

    /** The whole fabric with ascending GUIDs: leaves {@code leaf0-0…}, roots {@code row0-0…} and {@code column0-0…}. */
    public static FabricViewBuilder generate(GridShape shape) {
        return new GridGenerator(shape, GeneratedGuids.ascending(shape.switchCount())).build();
    }

    /** The same fabric with switch GUIDs dealt out in random order: what a real one looks like. */
    public static FabricViewBuilder generateShuffled(GridShape shape, RandomGenerator random) {
        return new GridGenerator(shape, GeneratedGuids.shuffled(shape.switchCount(), random)).build();
    }

    private FabricViewBuilder build() {
        for (int row = 0; row < shape.rows(); row++) {
            for (int column = 0; column < shape.columns(); column++) {
                addLeaf(row, column);
            }
        }
        int next = shape.leafCount();
        for (int row = 0; row < shape.rows(); row++) {
            for (int k = 0; k < shape.rowRoots(); k++) {
                addRowRoot(guid[next++], row, k);
            }
        }
        for (int column = 0; column < shape.columns(); column++) {
            for (int k = 0; k < shape.columnRoots(); k++) {
                addColumnRoot(guid[next++], column, k);
            }
        }
        return fabric;
    }

    private void addLeaf(int row, int column) {
        fabric.apply(new SwitchSeen(leaf(row, column), "leaf" + row + "-" + column, shape.leafPortCount()));
        int firstNode = (row * shape.columns() + column) * shape.hosts();
        for (int i = 0; i < shape.hosts(); i++) {
            Host host = GeneratedGuids.host(firstNode + i);
            fabric.apply(new PortSeen(leaf(row, column), 1 + i, true, new ToHost(host)));
        }
    }

    private void addRowRoot(long root, int row, int k) {
        fabric.apply(new SwitchSeen(root, "row" + row + "-" + k, shape.columns()));
        for (int column = 0; column < shape.columns(); column++) {
            cable(root, 1 + column, leaf(row, column), 1 + shape.hosts() + k);
        }
    }

    private void addColumnRoot(long root, int column, int k) {
        fabric.apply(new SwitchSeen(root, "column" + column + "-" + k, shape.rows()));
        for (int row = 0; row < shape.rows(); row++) {
            cable(root, 1 + row, leaf(row, column), 1 + shape.hosts() + shape.rowRoots() + k);
        }
    }

    private void cable(long root, int down, long leaf, int up) {
        fabric.apply(new PortSeen(root, down, true, new ToSwitch(leaf, up)));
        fabric.apply(new PortSeen(leaf, up, true, new ToSwitch(root, down)));
    }

    private long leaf(int row, int column) {
        return guid[row * shape.columns() + column];
    }
}
