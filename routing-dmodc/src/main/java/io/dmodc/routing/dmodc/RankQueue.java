package io.dmodc.routing.dmodc;

import java.util.Arrays;

/** Switches to be looked at, each once, rank by rank. */
final class RankQueue {
    private final boolean[] queued;
    private final int[][] byRank;
    private final int[] counts;

    /** @param rankMax highest rank that is queued */
    RankQueue(int switchCount, int rankMax) {
        queued = new boolean[switchCount];
        byRank = new int[rankMax + 1][8];
        counts = new int[rankMax + 1];
    }

    /** Adds a switch unless it is there. */
    void add(int s, int rank) {
        if (!queued[s]) {
            queued[s] = true;
            if (counts[rank] == byRank[rank].length) {
                byRank[rank] = Arrays.copyOf(byRank[rank], 2 * counts[rank]);
            }
            byRank[rank][counts[rank]++] = s;
        }
    }

    int count(int rank) {
        return counts[rank];
    }

    int get(int rank, int i) {
        return byRank[rank][i];
    }

    void clear() {
        for (int rank = 0; rank < counts.length; rank++) {
            for (int i = 0; i < counts[rank]; i++) {
                queued[byRank[rank][i]] = false;
            }
            counts[rank] = 0;
        }
    }
}
