package io.dmodc.routing.vtftr.traffic;

import io.dmodc.routing.vtftr.InputClass;
import io.dmodc.routing.vtftr.Turn;
import io.dmodc.routing.vtftr.TurnTables;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.grid.GridPlace;
import io.dmodc.topology.grid.RecognisedGrid;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What each switch of a grid does with a packet: by tables, and by what it sees of its own ports.
 *
 * <p>Tables may be older than the fabric: a switch whose port is down knows it at once and passes it over, nobody else does.
 * So a leaf or a root that died unannounced is led around as it would be before new tables come (VTFTR paper, section 2.1,
 * "burst" faults).
 *
 * <p><b>Layout.</b> Leaves are {@code row · columns + column}; lines are the rows, then the columns; a place is that of a
 * leaf in its line. What leaves and roots look up is written out in arrays of shared lists: {@code 12 · leaves²} bytes for the leaves,
 * {@code 6 · lines · leaves} for the roots. Immutable, safe to share between threads.
 *
 * <p>Source: Liu et al., <i>VTFTR</i>, Computer Engineering 48(12), 2022, section 2.1.
 */
public final class TurnForwarding {
    private static final byte[] NO_PORTS = {};

    private final FabricView view;
    private final TurnTables tables;
    private final boolean fixed;
    private final RecognisedGrid grid;
    private final int columns;

    /** Leaf of a switch; −1 for a root. */
    private final int[] leafOf;
    /** Line of a root; −1 for a leaf. */
    private final int[] lineOf;
    /** Where a leaf's port comes from. */
    private final InputClass[][] inputClass;
    /** Place that a root's port leads to; −1 to nothing. */
    private final short[][] placeAt;
    /** Live port of a root towards a place; 0 if there is none. */
    private final byte[][] portTo;
    /** Live ports of a leaf among which a packet's is chosen: by axis, leaf and destination. */
    private final byte[][][] rowPorts;

    private final byte[][][] columnPorts;
    /** Place of a line's primary leaf for a destination; −1 if a spare has to do. */
    private final short[][] primary;
    /** Places of a line's spares for a destination, in the order in which they are looked at. */
    private final short[][][] spares;
    /** What a leaf does with its own hosts' packets: {@code leaf · leaves + destination}. */
    private final Turn[] injection;
    /** Row and column of a leaf. */
    private final short[] rowOf;

    private final short[] columnOf;
    /** Leaf of a node; −1 if it is at none. */
    private final int[] leafOfNode;
    /** Which of its leaf's hosts a node is, from 0. */
    private final int[] hostOfNode;

    /**
     * Writes out what tables say.
     *
     * @param view the fabric as it is, in which more may be dead than {@code tables} know
     * @param tables of the same switches and nodes
     * @throws IllegalArgumentException if the tables are of another number of switches
     */
    public TurnForwarding(FabricView view, TurnTables tables, DetourChoice detours) {
        this.view = view;
        this.tables = tables;
        fixed = detours == DetourChoice.FIXED;
        grid = tables.state().grid();
        columns = grid.columns();
        if (grid.switchCount() != view.switchCount()) {
            throw new IllegalArgumentException(
                    "tables of " + grid.switchCount() + " switches; expected those of " + view.switchCount());
        }
        int switches = view.switchCount();
        int leaves = grid.rows() * columns;
        leafOf = new int[switches];
        lineOf = new int[switches];
        inputClass = new InputClass[switches][];
        placeAt = new short[switches][];
        portTo = new byte[switches][];
        for (int s = 0; s < switches; s++) {
            readSwitch(s);
        }
        rowPorts = new byte[leaves][leaves][];
        columnPorts = new byte[leaves][leaves][];
        readPorts();
        primary = new short[grid.rows() + columns][leaves];
        spares = new short[grid.rows() + columns][leaves][];
        readEntries();
        injection = new Turn[leaves * leaves];
        rowOf = new short[leaves];
        columnOf = new short[leaves];
        readLeaves();
        leafOfNode = new int[view.nodeCount()];
        hostOfNode = new int[view.nodeCount()];
        readNodes();
    }

    private void readSwitch(int s) {
        GridPlace place = grid.place(s);
        boolean leaf = place.kind() == GridPlace.Kind.LEAF;
        boolean row = place.kind() == GridPlace.Kind.ROW_ROOT;
        boolean column = place.kind() == GridPlace.Kind.COLUMN_ROOT;
        leafOf[s] = leaf ? place.row() * columns + place.column() : -1;
        lineOf[s] = row ? place.row() : column ? grid.rows() + place.column() : -1;
        int ports = view.portCount(s);
        inputClass[s] = new InputClass[leaf ? ports + 1 : 0];
        placeAt[s] = new short[row || column ? ports + 1 : 0];
        portTo[s] = new byte[row ? columns : column ? grid.rows() : 0];
        for (int port = ports; port >= 1; port--) {
            int peer = view.peerSwitch(s, port);
            GridPlace far = peer < 0 ? place : grid.place(peer);
            if (leaf) {
                inputClass[s][port] = peer < 0 ? InputClass.HOST : classOf(far.kind());
            } else if (row || column) {
                boolean inLine = peer >= 0
                        && far.kind() == GridPlace.Kind.LEAF
                        && (row ? far.row() == place.row() : far.column() == place.column());
                placeAt[s][port] = (short) (!inLine ? -1 : row ? far.column() : far.row());
                if (inLine) {
                    portTo[s][placeAt[s][port]] = (byte) port;
                }
            }
        }
    }

    private static InputClass classOf(GridPlace.Kind root) {
        return root == GridPlace.Kind.COLUMN_ROOT ? InputClass.COLUMN : InputClass.ROW;
    }

    private void readPorts() {
        Map<List<Byte>, byte[]> known = new HashMap<>();
        for (int leaf = 0; leaf < rowPorts.length; leaf++) {
            int s = grid.leaf(leaf / columns, leaf % columns);
            byte[] toRow = s < 0 ? NO_PORTS : portsToRoots(s, GridPlace.Kind.ROW_ROOT);
            byte[] toColumn = s < 0 ? NO_PORTS : portsToRoots(s, GridPlace.Kind.COLUMN_ROOT);
            for (int destination = 0; destination < rowPorts.length; destination++) {
                rowPorts[leaf][destination] =
                        shared(known, toRow, s < 0 ? new BitSet() : tables.roots(leaf, Turn.ROW, destination));
                columnPorts[leaf][destination] =
                        shared(known, toColumn, s < 0 ? new BitSet() : tables.roots(leaf, Turn.COLUMN, destination));
            }
        }
    }

    /** Live port towards each root of a line; 0 where there is none. */
    private byte[] portsToRoots(int s, GridPlace.Kind kind) {
        GridPlace own = grid.place(s);
        boolean row = kind == GridPlace.Kind.ROW_ROOT;
        byte[] ports = new byte[row ? grid.rowRootCount(own.row()) : grid.columnRootCount(own.column())];
        for (int port = view.portCount(s); port >= 1; port--) {
            GridPlace far = view.peerSwitch(s, port) < 0 ? own : grid.place(view.peerSwitch(s, port));
            if (far.kind() == kind && (row ? far.row() == own.row() : far.column() == own.column())) {
                ports[far.root()] = (byte) port;
            }
        }
        return ports;
    }

    private static byte[] shared(Map<List<Byte>, byte[]> known, byte[] portTo, BitSet roots) {
        List<Byte> ports = roots.stream()
                .filter(root -> root < portTo.length && portTo[root] != 0)
                .mapToObj(root -> portTo[root])
                .toList();
        return known.computeIfAbsent(ports, list -> {
            byte[] array = new byte[list.size()];
            for (int i = 0; i < array.length; i++) {
                array[i] = list.get(i);
            }
            return array;
        });
    }

    private void readEntries() {
        Map<BitSet, short[]> known = new HashMap<>();
        int rows = grid.rows();
        for (int line = 0; line < primary.length; line++) {
            boolean row = line < rows;
            for (int d = 0; d < rowPorts.length; d++) {
                int first = row ? tables.rowPrimary(line, d) : tables.columnPrimary(line - rows, d);
                BitSet set = row ? tables.rowSpares(line, d) : tables.columnSpares(line - rows, d);
                short[] ascending = known.computeIfAbsent(set, TurnForwarding::places);
                primary[line][d] = (short) first;
                spares[line][d] = fixed ? after(row ? d % columns : d / columns, ascending) : ascending;
            }
        }
    }

    private static short[] places(BitSet set) {
        short[] places = new short[set.cardinality()];
        int count = 0;
        for (int place = set.nextSetBit(0); place >= 0; place = set.nextSetBit(place + 1)) {
            places[count++] = (short) place;
        }
        return places;
    }

    /** The same from behind a place on, round the end. */
    private static short[] after(int place, short[] ascending) {
        int start = 0;
        while (start < ascending.length && ascending[start] <= place) {
            start++;
        }
        short[] turned = new short[ascending.length];
        for (int i = 0; i < turned.length; i++) {
            turned[i] = ascending[(start + i) % turned.length];
        }
        return turned;
    }

    private void readLeaves() {
        int leaves = rowOf.length;
        for (int leaf = 0; leaf < leaves; leaf++) {
            rowOf[leaf] = (short) (leaf / columns);
            columnOf[leaf] = (short) (leaf % columns);
            for (int destination = 0; destination < leaves; destination++) {
                boolean rowFirst = fixed && leaf % columns != destination % columns;
                injection[leaf * leaves + destination] =
                        rowFirst ? Turn.ROW : tables.turn(InputClass.HOST, leaf, destination);
            }
        }
    }

    private void readNodes() {
        int[] hosts = new int[view.switchCount()];
        for (int node = 0; node < leafOfNode.length; node++) {
            int s = view.nodeSwitch(node);
            leafOfNode[node] = s < 0 ? -1 : leafOf[s];
            hostOfNode[node] = s < 0 ? 0 : hosts[s]++;
        }
    }

    FabricView view() {
        return view;
    }

    /** Leaf that a switch is; −1 for a root, and for a switch without a place. */
    int leafOf(int s) {
        return leafOf[s];
    }

    boolean isRoot(int s) {
        return lineOf[s] >= 0;
    }

    /** Leaf that a node is cabled to; −1 if none. */
    int leafOfNode(int node) {
        return leafOfNode[node];
    }

    /** Where a leaf's packets of a port come from. */
    InputClass inputClass(int s, int port) {
        return inputClass[s][port];
    }

    /** What a leaf does with a packet for a leaf. */
    Turn turn(InputClass from, int leaf, int destination) {
        if (leaf == destination || from == InputClass.HOST) {
            return injection[leaf * rowOf.length + destination];
        }
        return from == InputClass.ROW ? Turn.COLUMN : Turn.ROW;
    }

    /** Port by which a leaf sends a packet to a root of its row or column; 0 if none of them is alive. */
    int rootPort(int leaf, Turn turn, int destination, int node) {
        boolean byRow = turn == Turn.ROW;
        byte[] ports = (byRow ? rowPorts : columnPorts)[leaf][destination];
        int spread = hostOfNode[node] + (byRow ? columnOf : rowOf)[destination];
        return ports.length == 0 ? 0 : ports[spread % ports.length] & 0xff;
    }

    /**
     * How many ports a root may take for a packet: 1 while its primary leaf is alive, else live spares; the port by which it
     * came only if there is no other.
     */
    int choices(int root, int inputPort, int destination) {
        if (primaryPort(root, destination) != 0) {
            return 1;
        }
        int other = 0;
        boolean back = false;
        for (short place : spares[lineOf[root]][destination]) {
            int port = portTo[root][place] & 0xff;
            other += port != 0 && port != inputPort ? 1 : 0;
            back |= port == inputPort;
        }
        return fixed || other == 0 ? Math.min(1, other + (back ? 1 : 0)) : other;
    }

    /** The i-th of the {@link #choices}. */
    int choice(int root, int inputPort, int destination, int i) {
        int port = primaryPort(root, destination);
        if (port != 0) {
            return port;
        }
        int left = i;
        for (short place : spares[lineOf[root]][destination]) {
            port = portTo[root][place] & 0xff;
            if (port != 0 && port != inputPort && left-- == 0) {
                return port;
            }
        }
        return inputPort;
    }

    private int primaryPort(int root, int destination) {
        int place = primary[lineOf[root]][destination];
        return place < 0 ? 0 : portTo[root][place] & 0xff;
    }
}
