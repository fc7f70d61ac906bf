package io.dmodc.topology.design;

import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One of the two trees a PGFT is made of, grown level by level from single switches to one root.
 *
 * <p>Upwards from the leaves: the items of level l are the subtrees of height l. Downwards from the top: the items of
 * level l are sets of top switches. At each level {@link SiblingFinder} says which items make one of the next level,
 * and each switch of that level belongs to the item most of its cables lead into.
 */
final class PgftTree {
    private final FabricView view;

    /** Item of each switch at its own level; −1 while its level was not reached or its cables do not say. */
    private final int[] itemOf;

    /** Sizes of families and the family of every item, level after level. */
    private final List<int[]> families = new ArrayList<>();

    private final List<Integer> sizes = new ArrayList<>();
    private int[] level;
    private int itemCount;

    /** @param first switches of the first level; each is an item of its own */
    PgftTree(FabricView view, int[] first) {
        this.view = view;
        itemOf = new int[view.switchCount()];
        Arrays.fill(itemOf, SiblingFinder.NONE);
        for (int i = 0; i < first.length; i++) {
            itemOf[first[i]] = i;
        }
        level = first;
        itemCount = first.length;
    }

    /**
     * Grows by one level.
     *
     * @param next switches of that level
     * @param sizeMax items of the present level in one of the next
     * @param count items of the next level
     */
    void grow(int[] next, int sizeMax, int count) {
        CableCounts cableCounts = cableCounts(next);
        int[] family = SiblingFinder.gather(cableCounts, sizeMax, count);
        for (int c = 0; c < next.length; c++) {
            itemOf[next[c]] = majority(cableCounts, c, family, count);
        }
        families.add(family);
        sizes.add(sizeMax);
        level = next;
        itemCount = count;
    }

    /** What the given switches are cabled to on the level reached. */
    CableCounts cableCounts(int[] connectors) {
        int[] here = new int[itemOf.length];
        Arrays.fill(here, SiblingFinder.NONE);
        for (int s : level) {
            here[s] = itemOf[s];
        }
        return new CableCounts(view, connectors, here, itemCount);
    }

    private static int majority(CableCounts cableCounts, int connector, int[] family, int count) {
        int[] votes = new int[count];
        int best = count == 1 ? 0 : SiblingFinder.NONE;
        for (int at = cableCounts.base[connector]; at < cableCounts.base[connector + 1]; at++) {
            int to = family[cableCounts.item[at]];
            if (to >= 0) {
                votes[to] += cableCounts.links[at];
                best = best < 0 || votes[to] > votes[best] ? to : best;
            }
        }
        return best;
    }

    int itemOf(int s) {
        return itemOf[s];
    }

    /**
     * Numbers the items from the root: the items of a family whose number is n are {@code n·size .. n·size + size − 1}.
     *
     * @return per level from the first one, the number of each item; −1 for items without a place in the tree
     */
    List<int[]> numbers() {
        List<int[]> numbers = new ArrayList<>();
        int[] above = new int[itemCount];
        for (int i = 0; i < itemCount; i++) {
            above[i] = i;
        }
        numbers.add(above);
        for (int step = families.size() - 1; step >= 0; step--) {
            int[] family = families.get(step);
            int[] taken = new int[above.length];
            int[] number = new int[family.length];
            for (int i = 0; i < family.length; i++) {
                int f = family[i];
                number[i] = f < 0 || above[f] < 0 ? SiblingFinder.NONE : above[f] * sizes.get(step) + taken[f]++;
            }
            numbers.add(0, number);
            above = number;
        }
        return numbers;
    }
}
