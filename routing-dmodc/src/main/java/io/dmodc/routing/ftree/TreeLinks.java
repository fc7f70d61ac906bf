package io.dmodc.routing.ftree;

import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The port groups of each switch of a part by where they lead: up, down or sideways. Flat: the groups of switch
 * {@code s} are {@code groups[start[s]..start[s + 1])}, view group indices. Their order is state: it begins with the lowest
 * port number first and is changed by {@link #sort}.
 */
final class TreeLinks {
    /** Told by the ranks of both ends. */
    @FunctionalInterface
    private interface Direction {
        boolean leads(int rank, int remoteRank);
    }

    final int[] start;
    final int[] groups;

    private TreeLinks(int[] start, int[] groups) {
        this.start = start;
        this.groups = groups;
    }

    static TreeLinks up(FabricView view, LiveParts.Part part, TreeRanks ranks) {
        return of(view, part, ranks, (rank, remote) -> remote < rank);
    }

    static TreeLinks down(FabricView view, LiveParts.Part part, TreeRanks ranks) {
        return of(view, part, ranks, (rank, remote) -> remote > rank);
    }

    static TreeLinks sideways(FabricView view, LiveParts.Part part, TreeRanks ranks) {
        return of(view, part, ranks, (rank, remote) -> remote == rank);
    }

    private static TreeLinks of(FabricView view, LiveParts.Part part, TreeRanks ranks, Direction direction) {
        int[][] bySwitch = new int[view.switchCount()][0];
        for (int s : part.switches()) {
            bySwitch[s] = IntStream.range(view.groupStart(s), view.groupEnd(s))
                    .filter(g -> direction.leads(ranks.of(s), ranks.of(view.groupRemote(g))))
                    .boxed()
                    .sorted(Comparator.comparingInt(g -> view.groupPort(g, 0)))
                    .mapToInt(g -> g)
                    .toArray();
        }
        int[] start = new int[bySwitch.length + 1];
        for (int s = 0; s < bySwitch.length; s++) {
            start[s + 1] = start[s] + bySwitch[s].length;
        }
        return new TreeLinks(
                start, Arrays.stream(bySwitch).flatMapToInt(IntStream::of).toArray());
    }

    int count(int s) {
        return start[s + 1] - start[s];
    }

    /**
     * Puts the groups of one switch in order: lower load first, of as much the lower number of the far switch, of equal
     * numbers as they were. By insertion, since the order is nearly there.
     *
     * @param load by view group index
     * @param farNumber by view group index
     */
    void sort(int s, int[] load, long[] farNumber) {
        for (int i = start[s] + 1; i < start[s + 1]; i++) {
            int g = groups[i];
            int to = i;
            while (to > start[s] && isBefore(g, groups[to - 1], load, farNumber)) {
                groups[to] = groups[to - 1];
                to--;
            }
            groups[to] = g;
        }
    }

    private static boolean isBefore(int g, int other, int[] load, long[] farNumber) {
        return load[g] == load[other]
                ? Long.compareUnsigned(farNumber[g], farNumber[other]) < 0
                : load[g] < load[other];
    }
}
