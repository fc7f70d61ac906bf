package io.dmodc.routing.ftree;

import io.dmodc.topology.FabricView;
import org.jspecify.annotations.Nullable;

/**
 * What OpenSM asks of a tree whose roots nobody named: the switches of a rank are cabled alike. Each is compared with the
 * first of its rank, in as many neighbours above and (but for leaves) below, and in as many cables to each of those above
 * and to the first of those below as the first has to its own first.
 */
final class PureTree {
    private final FabricView view;
    private final Tree tree;
    private final int leafRank;

    PureTree(FabricView view, Tree tree, int leafRank) {
        this.view = view;
        this.tree = tree;
        this.leafRank = leafRank;
    }

    /** @throws NoFatTreeException naming the first switch that differs */
    void require() throws NoFatTreeException {
        @Nullable Integer[] firstOfRank = new Integer[tree.ranks.deepest + 1];
        for (int s : tree.part.switches()) {
            Integer first = firstOfRank[tree.ranks.of(s)];
            if (first == null) {
                firstOfRank[tree.ranks.of(s)] = s;
            } else {
                compare(s, first);
            }
        }
    }

    private void compare(int s, int first) throws NoFatTreeException {
        boolean leaf = tree.ranks.of(s) == leafRank;
        require(s, tree.up.count(s), first, tree.up.count(first), "neighbours above");
        if (!leaf) {
            require(s, tree.down.count(s), first, tree.down.count(first), "neighbours below");
        }
        for (int i = 0; i < tree.up.count(s); i++) {
            require(s, cables(tree.up, s, i), first, cables(tree.up, first, 0), "cables to a neighbour above");
        }
        if (!leaf && tree.down.count(s) > 0) {
            require(s, cables(tree.down, s, 0), first, cables(tree.down, first, 0), "cables to a neighbour below");
        }
    }

    private int cables(TreeLinks links, int s, int i) {
        return view.groupSize(links.groups[links.start[s] + i]);
    }

    private void require(int s, int count, int first, int expected, String what) throws NoFatTreeException {
        if (count != expected) {
            throw new NoFatTreeException(
                    "switch " + view.switchName(s) + " has " + count + " " + what + ", and " + view.switchName(first)
                            + " of the same level has " + expected
                            + "; a tree that is not regular needs its roots named",
                    true);
        }
    }
}
