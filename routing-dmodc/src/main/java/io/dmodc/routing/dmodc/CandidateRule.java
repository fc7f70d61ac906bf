package io.dmodc.routing.dmodc;

/**
 * Which neighbours are candidates (C_{s,λ}, equation (1)), said in turn ranks instead of costs.
 *
 * <p>A path from s to t that climbs to rank k and then descends has {@code 2k − rank(s) − rank(t)} hops, so comparing
 * the costs of two switches to one target is comparing their turn ranks: a neighbour is a candidate exactly when it
 * reaches the target turning no higher than some rank, which depends on the two switches' ranks alone. That makes C a
 * matter of whole bit sets.
 */
enum CandidateRule {
    /** Descend where a path that only descends exists, else climb to where the cost is lower. */
    STRICT {
        @Override
        int turnLimit(int turn, int rank, int remoteRank, int rankMax) {
            if (turn == rank) {
                return remoteRank == rank - 1 ? remoteRank : NONE;
            }
            return remoteRank == rank + 1 && turn <= rankMax ? turn : NONE;
        }
    },

    /**
     * Any neighbour with a lower cost, as printed: also across ranks, and also where the switch's own cost is infinite.
     *
     * <p>{@code 2k' − remoteRank < 2k − rank} holds for {@code k' < k + (remoteRank − rank) / 2}.
     */
    PLAIN {
        @Override
        int turnLimit(int turn, int rank, int remoteRank, int rankMax) {
            int limit = turn > rankMax ? rankMax : turn - 1 + Math.floorDiv(remoteRank - rank + 1, 2);
            return limit >= remoteRank ? Math.min(limit, rankMax) : NONE;
        }
    };

    /** The neighbour is never a candidate. */
    static final int NONE = -1;

    /**
     * Highest turn rank with which a neighbour is a candidate, or {@link #NONE}.
     *
     * @param turn lowest turn rank of the switch itself to the target; {@code rankMax + 1} if it has no path
     * @param rank of the switch
     * @param remoteRank of the neighbour, not negative
     */
    abstract int turnLimit(int turn, int rank, int remoteRank, int rankMax);
}
