package io.dmodc.routing.ftree;

import io.dmodc.topology.FabricView;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * Where each switch stands in the tree: a number of up to eight digits of a byte, the rank first, which is the order in
 * which leaves and port groups are walked.
 *
 * <p>Neighbours differ in the rank and in the digit of the lower one's rank, so the digits are a place in a generalised
 * fat-tree if the fabric is one. Dealt breadth-first from a first leaf, the groups below a switch before those above,
 * each taking the lowest digit that is free. In passing the groups are sorted by the numbers they lead to. Switches below the
 * leaves, and those that only lead there, have no number: {@link #NONE}, after all others.
 */
final class TreeNumbers {
    /** Higher than any number, unsigned. */
    static final long NONE = -1;

    /** Most digits a number has, hence ranks a tree has. */
    static final int DIGITS_MAX = 8;

    private static final int DIGIT_BITS = 8;

    /** A digit of all ones says that there is none. */
    private static final int DIGIT_END = 0xff;

    private final FabricView view;
    private final TreeRanks ranks;
    private final int leafRank;
    private final TreeLinks up;
    private final TreeLinks down;
    private final Set<Long> taken = new HashSet<>();

    /** By switch index. */
    final long[] number;

    /** Number of the switch a group leads to, by view group index. */
    final long[] farNumber;

    /** By view group index: nothing is routed yet. */
    private final int[] noLoad;

    private TreeNumbers(FabricView view, TreeRanks ranks, int leafRank, TreeLinks up, TreeLinks down) {
        this.view = view;
        this.ranks = ranks;
        this.leafRank = leafRank;
        this.up = up;
        this.down = down;
        number = new long[view.switchCount()];
        Arrays.fill(number, NONE);
        int groups = view.groupLimit();
        farNumber = new long[groups];
        Arrays.fill(farNumber, NONE);
        noLoad = new int[groups];
    }

    /**
     * Deals the numbers and sorts the groups of every switch it comes to.
     *
     * @param first the leaf that is number 0 among leaves
     * @throws NoFatTreeException if more than 255 switches differ in one digit only
     */
    static TreeNumbers deal(FabricView view, TreeRanks ranks, int leafRank, TreeLinks up, TreeLinks down, int first)
            throws NoFatTreeException {
        TreeNumbers numbers = new TreeNumbers(view, ranks, leafRank, up, down);
        numbers.walk(first);
        for (int s = 0; s < view.switchCount(); s++) {
            for (int g = view.groupStart(s); g < view.groupEnd(s); g++) {
                numbers.farNumber[g] = numbers.number[view.groupRemote(g)];
            }
        }
        return numbers;
    }

    private void walk(int first) throws NoFatTreeException {
        number[first] = firstNumber();
        taken.add(number[first]);
        ArrayDeque<Integer> queue = new ArrayDeque<>();
        queue.add(first);
        while (!queue.isEmpty()) {
            int s = queue.remove();
            if (ranks.of(s) < leafRank) {
                number(s, down, 1, queue);
            }
            if (ranks.of(s) > 0) {
                number(s, up, -1, queue);
            }
        }
    }

    /** The rank of leaves, then zeros, as many digits as there are ranks down to the leaves. */
    private long firstNumber() {
        long digits = with(NONE, 0, leafRank);
        for (int place = 1; place <= leafRank; place++) {
            digits = with(digits, place, 0);
        }
        return digits;
    }

    private void number(int s, TreeLinks links, int rankStep, ArrayDeque<Integer> queue) throws NoFatTreeException {
        for (int i = links.start[s]; i < links.start[s + 1]; i++) {
            int g = links.groups[i];
            int remote = view.groupRemote(g);
            if (number[remote] == NONE) {
                number[remote] = lowestFree(s, rankStep);
                taken.add(number[remote]);
                queue.add(remote);
            }
            farNumber[g] = number[remote];
        }
        links.sort(s, noLoad, farNumber);
    }

    private long lowestFree(int s, int rankStep) throws NoFatTreeException {
        int rank = ranks.of(s);
        int place = Math.max(rank, rank + rankStep);
        long stem = with(number[s], 0, rank + rankStep);
        for (int digit = 0; digit < DIGIT_END; digit++) {
            if (!taken.contains(with(stem, place, digit))) {
                return with(stem, place, digit);
            }
        }
        throw new NoFatTreeException("switch " + view.switchName(s) + " needs a number for one more neighbour, and "
                + DIGIT_END + " switches have those in its place");
    }

    private static long with(long number, int place, int digit) {
        int shift = DIGIT_BITS * (DIGITS_MAX - 1 - place);
        return (number & ~(0xffL << shift)) | ((long) digit << shift);
    }
}
