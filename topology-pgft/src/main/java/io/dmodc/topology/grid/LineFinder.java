package io.dmodc.topology.grid;

import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;

/**
 * Puts roots into lines: two belong together when more than half of the leaves that either has are leaves of both. Two
 * roots of unlike lines share one leaf, so a few cables that are dead or in the wrong place change nothing.
 *
 * <p>The root with the most leaves opens a line, the others of the line join it. O(roots · lines · leaves / 64).
 */
final class LineFinder {
    private LineFinder() {}

    /** @param leavesOfRoot per switch index, the targets a root is cabled to; empty for all that are no roots */
    static List<GridLine> lines(BitSet[] leavesOfRoot) {
        List<Integer> roots = new ArrayList<>();
        int[] counts = new int[leavesOfRoot.length];
        long[][] leaves = new long[leavesOfRoot.length][];
        for (int s = 0; s < leavesOfRoot.length; s++) {
            counts[s] = leavesOfRoot[s].cardinality();
            leaves[s] = leavesOfRoot[s].toLongArray();
            if (counts[s] >= 2) {
                roots.add(s);
            }
        }
        roots.sort(Comparator.comparing((Integer s) -> -counts[s]));
        List<List<Integer>> lines = new ArrayList<>();
        for (int root : roots) {
            lineOf(root, lines, leaves, counts).add(root);
        }
        return lines.stream().map(line -> line(line, leavesOfRoot)).toList();
    }

    private static List<Integer> lineOf(int root, List<List<Integer>> lines, long[][] leaves, int[] counts) {
        for (List<Integer> line : lines) {
            int opener = line.get(0);
            int shared = shared(leaves[root], leaves[opener]);
            if (2 * shared > counts[root] + counts[opener] - shared) {
                return line;
            }
        }
        List<Integer> line = new ArrayList<>();
        lines.add(line);
        return line;
    }

    private static int shared(long[] a, long[] b) {
        int shared = 0;
        for (int w = 0; w < Math.min(a.length, b.length); w++) {
            shared += Long.bitCount(a[w] & b[w]);
        }
        return shared;
    }

    private static GridLine line(List<Integer> roots, BitSet[] leavesOfRoot) {
        BitSet leaves = new BitSet();
        roots.forEach(root -> leaves.or(leavesOfRoot[root]));
        return new GridLine(roots.stream().sorted().toList(), leaves);
    }

    /** For each switch the leaf targets it has a live cable to, if it is no leaf itself. */
    static BitSet[] leavesOfRoots(FabricView view) {
        BitSet[] leaves = new BitSet[view.switchCount()];
        for (int s = 0; s < leaves.length; s++) {
            leaves[s] = new BitSet();
            for (int group = view.groupStart(s); !view.isLeaf(s) && group < view.groupEnd(s); group++) {
                int remote = view.groupRemote(group);
                if (view.isLeaf(remote)) {
                    leaves[s].set(view.targetOfSwitch(remote));
                }
            }
        }
        return leaves;
    }
}
