package io.dmodc.southbound;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * The rows of PGFT(3; 32,32,64; 1,32,32; 1,1,1) in closed form: 65,536 nodes, 5,120 switches, down ports before up ports.
 * A switch sends down to its own nodes by their digit, and up to all others by the next digit.
 */
final class LargeFabric {
    static final int NODES = 65_536;
    static final int LEAVES = 2048;

    private static final byte[] LEAF_DOWN = ports(1, 32);
    private static final byte[] UP = ports(33, 32);

    private LargeFabric() {}

    private static byte[] ports(int first, int count) {
        byte[] ports = new byte[count];
        for (int i = 0; i < count; i++) {
            ports[i] = (byte) (first + i);
        }
        return ports;
    }

    static List<RowOfRuns> rows() {
        List<RowOfRuns> rows = new ArrayList<>();
        IntStream.range(0, LEAVES).forEach(leaf -> rows.add(leaf(leaf)));
        IntStream.range(0, 2048).forEach(middle -> rows.add(middle(middle / 32)));
        IntStream.range(0, 1024).forEach(top -> rows.add(top()));
        return rows;
    }

    private static RowOfRuns leaf(int leaf) {
        RowOfRuns row = new RowOfRuns();
        if (leaf > 0) {
            row.to(32 * leaf, 1, 0, UP);
        }
        row.to(32 * leaf + 32, 1, 0, LEAF_DOWN);
        return leaf == LEAVES - 1 ? row : row.to(NODES, 1, 0, UP);
    }

    private static RowOfRuns middle(int pod) {
        RowOfRuns row = new RowOfRuns();
        if (pod > 0) {
            row.to(1024 * pod, 32, 0, UP);
        }
        for (int port = 1; port <= 32; port++) {
            row.to(1024 * pod + 32 * port, 1, 0, port);
        }
        return pod == 63 ? row : row.to(NODES, 32, 0, UP);
    }

    private static RowOfRuns top() {
        RowOfRuns row = new RowOfRuns();
        for (int port = 1; port <= 64; port++) {
            row.to(1024 * port, 1, 0, port);
        }
        return row;
    }

    /** A row of a leaf with heavy damage elsewhere: to each other leaf up to {@code lost} of the uplinks are useless. */
    static RowOfRuns degradedLeaf(Random random, int lost) {
        RowOfRuns row = new RowOfRuns();
        for (int other = 0; other < LEAVES; other++) {
            List<Integer> up = new ArrayList<>(IntStream.range(33, 65).boxed().toList());
            for (int i = random.nextInt(lost + 1); i > 0; i--) {
                up.remove(random.nextInt(up.size()));
            }
            row.to(32 * other + 32, 1, 0, up.stream().mapToInt(port -> port).toArray());
        }
        return row;
    }
}
