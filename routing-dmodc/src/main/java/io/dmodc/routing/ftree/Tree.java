package io.dmodc.routing.ftree;

import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One part of a fabric as a tree: ranks, numbers, port groups by direction, and the leaves in order. Shared by nobody: the
 * order of the groups is state.
 */
final class Tree {
    private static final int RANKS_MIN = 2;

    final LiveParts.Part part;
    final TreeRanks ranks;
    final TreeLinks up;
    final TreeLinks down;
    final TreeLinks sideways;

    /** By view group index, see {@link TreeNumbers}. */
    final long[] farNumber;

    /**
     * Switch indices of the leaves in the order of their numbers, with what of the same rank stands between the first
     * and the last: a switch without hosts gets dummies for all of them.
     */
    final int[] leaves;

    private Tree(
            LiveParts.Part part,
            TreeRanks ranks,
            TreeLinks up,
            TreeLinks down,
            TreeLinks sideways,
            long[] farNumber,
            int[] leaves) {
        this.part = part;
        this.ranks = ranks;
        this.up = up;
        this.down = down;
        this.sideways = sideways;
        this.farNumber = farNumber;
        this.leaves = leaves;
    }

    /**
     * Makes trees of the parts of a fabric that have nodes and are trees.
     *
     * @throws NoFatTreeException if the one with most nodes is none
     */
    static List<Tree> ofParts(FabricView view, LeafHosts hosts, @Nullable BitSet roots) throws NoFatTreeException {
        List<LiveParts.Part> parts = LiveParts.of(view, hosts);
        List<Tree> trees = new ArrayList<>();
        trees.add(of(view, parts.get(0), hosts, roots));
        for (LiveParts.Part part : parts.subList(1, parts.size())) {
            try {
                trees.add(of(view, part, hosts, roots));
            } catch (NoFatTreeException e) {
                // A smaller part without routes: its leaves are named as cut off.
            }
        }
        return trees;
    }

    /**
     * Makes a tree of a part.
     *
     * @param roots switch indices, {@code null} if none were named. If none of those that were is in this part, roots are
     *     found, and the tree need not be a pure one all the same
     * @throws NoFatTreeException if OpenSM would not take it for a tree
     */
    private static Tree of(FabricView view, LiveParts.Part part, LeafHosts hosts, @Nullable BitSet roots)
            throws NoFatTreeException {
        requireSizes(part, hosts);
        TreeRanks ranks = ranks(view, part, hosts, roots);
        int leafRank = leafRank(view, part, hosts, ranks, roots != null);
        TreeLinks up = TreeLinks.up(view, part, ranks);
        TreeLinks down = TreeLinks.down(view, part, ranks);
        TreeLinks sideways = TreeLinks.sideways(view, part, ranks);
        int first =
                IntStream.of(part.switches()).filter(hosts::isLeaf).findFirst().orElseThrow();
        TreeNumbers numbers = TreeNumbers.deal(view, ranks, leafRank, up, down, first);
        int[] leaves = leaves(part, hosts, ranks, leafRank, numbers);
        Tree tree = new Tree(part, ranks, up, down, sideways, numbers.farNumber, leaves);
        if (roots == null) {
            new PureTree(view, tree, leafRank).require();
        }
        return tree;
    }

    private static void requireSizes(LiveParts.Part part, LeafHosts hosts) throws NoFatTreeException {
        if (part.switches().length < 2) {
            throw new NoFatTreeException("there is one switch only; a fat-tree has two or more");
        }
        if (hosts.countUpToTwo(part) < 2) {
            throw new NoFatTreeException("there is one host only; a fat-tree has two or more");
        }
    }

    private static TreeRanks ranks(FabricView view, LiveParts.Part part, LeafHosts hosts, @Nullable BitSet roots)
            throws NoFatTreeException {
        BitSet within = new BitSet();
        BitSet withHosts = new BitSet();
        for (int s : part.switches()) {
            within.set(s, roots != null && roots.get(s));
            withHosts.set(s, hosts.isLeaf(s));
        }
        TreeRanks ranks = within.isEmpty() ? TreeRanks.fromFarthest(view, withHosts) : TreeRanks.from(view, within);
        if (ranks.deepest == 0) {
            throw new NoFatTreeException("all " + part.switches().length + " switches are roots");
        }
        return ranks;
    }

    /** The rank all switches with hosts have. */
    private static int leafRank(
            FabricView view, LiveParts.Part part, LeafHosts hosts, TreeRanks ranks, boolean rootsNamed)
            throws NoFatTreeException {
        int first =
                IntStream.of(part.switches()).filter(hosts::isLeaf).findFirst().orElseThrow();
        int leafRank = rootsNamed ? ranks.of(first) : ranks.deepest;
        for (int s : part.switches()) {
            if (hosts.isLeaf(s) && ranks.of(s) != leafRank) {
                throw new NoFatTreeException(
                        "switch " + view.switchName(s) + " has hosts and is " + ranks.of(s)
                                + " hops from the nearest root; expected " + leafRank + " as for "
                                + (rootsNamed
                                        ? "switch " + view.switchName(first)
                                        : "the switches farthest from the roots"),
                        !rootsNamed);
            }
        }
        if (leafRank + 1 < RANKS_MIN || leafRank + 1 > TreeNumbers.DIGITS_MAX) {
            throw new NoFatTreeException("the tree has " + (leafRank + 1) + " levels of switches; expected " + RANKS_MIN
                    + ".." + TreeNumbers.DIGITS_MAX);
        }
        return leafRank;
    }

    private static int[] leaves(
            LiveParts.Part part, LeafHosts hosts, TreeRanks ranks, int leafRank, TreeNumbers numbers)
            throws NoFatTreeException {
        int[] level = IntStream.of(part.switches())
                .filter(s -> ranks.of(s) == leafRank)
                .boxed()
                .sorted(Comparator.comparing(s -> numbers.number[s], Long::compareUnsigned))
                .mapToInt(s -> s)
                .toArray();
        int[] real = IntStream.range(0, level.length)
                .filter(i -> hosts.isLeaf(level[i]))
                .toArray();
        if (real.length < 2) {
            throw new NoFatTreeException("there is one leaf switch only; a fat-tree has two or more");
        }
        return IntStream.rangeClosed(real[0], real[real.length - 1])
                .map(i -> level[i])
                .toArray();
    }
}
