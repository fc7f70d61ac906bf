package io.dmodc.topology.design;

import io.dmodc.topology.DisjointSets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Finds which items belong together, by majority.
 *
 * <p><b>Idea.</b> Siblings share their connectors; others share none, but for a few cables that are wrong. Two items
 * are joined when they share more than half of the cables of the one that has fewer. An item cannot have more than half
 * of its cables in two families, so no single wrong cable ever joins two families. Families are then cut and filled to
 * the size of the design: members that share least go, items left over come where they share most.
 *
 * <p><b>Cost.</b> O(sum over connectors of items²), at most 254 items each; two counters per item.
 */
final class SiblingFinder {
    static final int NONE = -1;

    private final CableCounts byConnector;
    private final CableCounts byItem;
    private final int[] degree;
    private final DisjointSets joined;
    private final int[] family;
    private final int[] members;
    private final int sizeMax;

    private SiblingFinder(CableCounts cableCounts, int sizeMax, int familyCount) {
        byConnector = cableCounts;
        byItem = cableCounts.turned();
        degree = new int[cableCounts.itemCount];
        joined = new DisjointSets(cableCounts.itemCount);
        family = new int[cableCounts.itemCount];
        members = new int[familyCount];
        this.sizeMax = sizeMax;
    }

    /**
     * Sorts all items into families.
     *
     * @param sizeMax members of a family by design
     * @param familyCount families by design
     * @return per item its family 0..familyCount−1, or {@link #NONE} for items the design has no family for
     */
    static int[] gather(CableCounts cableCounts, int sizeMax, int familyCount) {
        SiblingFinder siblings = new SiblingFinder(cableCounts, sizeMax, familyCount);
        siblings.join();
        siblings.keepLargest();
        siblings.cut();
        siblings.fill();
        return siblings.family;
    }

    private void join() {
        for (int i = 0; i < degree.length; i++) {
            for (int at = byItem.base[i]; at < byItem.base[i + 1]; at++) {
                degree[i] += byItem.links[at];
            }
        }
        int[] shared = new int[degree.length];
        int[] met = new int[degree.length];
        for (int i = 0; i < degree.length; i++) {
            int count = share(i, shared, met);
            for (int k = 0; k < count; k++) {
                int j = met[k];
                if (2L * shared[j] > Math.min(degree[i], degree[j])) {
                    joined.join(i, j);
                }
                shared[j] = 0;
            }
        }
    }

    /** Counts what an item shares with each later one; returns how many it {@code met}. */
    private int share(int i, int[] shared, int[] met) {
        int count = 0;
        for (int at = byItem.base[i]; at < byItem.base[i + 1]; at++) {
            int c = byItem.item[at];
            for (int other = byConnector.base[c + 1] - 1; byConnector.item[other] > i; other--) {
                int j = byConnector.item[other];
                if (shared[j] == 0) {
                    met[count++] = j;
                }
                shared[j] += Math.min(byItem.links[at], byConnector.links[other]);
            }
        }
        return count;
    }

    /** Families are numbered by their lowest member; a root is the lowest of its tree. */
    private void keepLargest() {
        int[] size = new int[degree.length];
        for (int i = 0; i < degree.length; i++) {
            size[joined.lowest(i)]++;
        }
        int[] roots = IntStream.range(0, degree.length)
                .filter(i -> size[i] > 0)
                .boxed()
                .sorted(Comparator.comparing((Integer i) -> -size[i]).thenComparing(Comparator.naturalOrder()))
                .limit(members.length)
                .mapToInt(Integer::intValue)
                .sorted()
                .toArray();
        for (int i = 0; i < degree.length; i++) {
            family[i] = Math.max(Arrays.binarySearch(roots, joined.lowest(i)), NONE);
            if (family[i] >= 0) {
                members[family[i]]++;
            }
        }
    }

    private void cut() {
        long[] own = new long[degree.length];
        for (int i = 0; i < degree.length; i++) {
            if (family[i] >= 0 && members[family[i]] > sizeMax) {
                own[i] = affinity(i)[family[i]];
            }
        }
        IntStream.range(0, degree.length)
                .filter(i -> family[i] >= 0 && members[family[i]] > sizeMax)
                .boxed()
                .sorted(Comparator.comparing((Integer i) -> own[i]).thenComparing(Comparator.reverseOrder()))
                .forEach(i -> {
                    if (members[family[i]] > sizeMax) {
                        members[family[i]]--;
                        family[i] = NONE;
                    }
                });
    }

    private void fill() {
        long[] best = new long[degree.length];
        for (int i = 0; i < degree.length; i++) {
            if (family[i] < 0) {
                best[i] = Arrays.stream(affinity(i)).max().orElse(0);
            }
        }
        IntStream.range(0, degree.length)
                .filter(i -> family[i] < 0)
                .boxed()
                .sorted(Comparator.comparing((Integer i) -> -best[i]).thenComparing(Comparator.naturalOrder()))
                .forEach(this::settle);
    }

    private void settle(int i) {
        long[] affinity = affinity(i);
        int to = NONE;
        for (int f = 0; f < members.length; f++) {
            if (members[f] < sizeMax && (to < 0 || affinity[f] > affinity[to])) {
                to = f;
            }
        }
        family[i] = to;
        if (to >= 0) {
            members[to]++;
        }
    }

    /** Cables an item shares with the members of each family. */
    private long[] affinity(int i) {
        long[] affinity = new long[members.length];
        for (int at = byItem.base[i]; at < byItem.base[i + 1]; at++) {
            int c = byItem.item[at];
            for (int other = byConnector.base[c]; other < byConnector.base[c + 1]; other++) {
                int j = byConnector.item[other];
                if (j != i && family[j] >= 0) {
                    affinity[family[j]] += Math.min(byItem.links[at], byConnector.links[other]);
                }
            }
        }
        return affinity;
    }
}
