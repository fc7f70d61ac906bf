package io.dmodc.routing.check;

import java.util.Arrays;

/**
 * Where minimal legal paths to one switch turn.
 *
 * <p>A legal path climbs by adjacent ranks and then descends. One from {@code s} that turns at rank {@code t} has
 * {@code (t − rank(s)) + (t − rank(home))} hops, so the lowest possible turn makes the shortest path, and all shortest
 * paths turn at the same rank. That rank is found by a search from the home upwards (switches that reach it by
 * descending turn at themselves), then from the top downwards (all others turn where their best upper neighbour does).
 * O(links) per home.
 */
final class TurnRanks {
    /** No legal path. */
    static final short NONE = Short.MAX_VALUE;

    private final Wiring wiring;
    private final int[] queue;

    TurnRanks(Wiring wiring) {
        this.wiring = wiring;
        this.queue = new int[wiring.none];
    }

    /**
     * Turn rank of every switch towards {@code home}.
     *
     * @param home a switch index, or −1 for a destination that is nowhere
     * @return by switch index, {@link #NONE} without legal path; one more entry, −1, at {@link Wiring#none}
     */
    short[] to(int home) {
        short[] turn = new short[wiring.none + 1];
        Arrays.fill(turn, NONE);
        turn[wiring.none] = -1;
        if (home >= 0 && wiring.view.alive(home) && wiring.view.rank(home) >= 0) {
            climb(turn, home);
            lookUp(turn);
        }
        return turn;
    }

    private void climb(short[] turn, int home) {
        int end = 0;
        queue[end++] = home;
        turn[home] = (short) wiring.view.rank(home);
        for (int next = 0; next < end; next++) {
            int s = queue[next];
            for (int at = wiring.upBase[s]; at < wiring.upBase[s + 1]; at++) {
                int above = wiring.upRemote[at];
                if (turn[above] == NONE) {
                    turn[above] = (short) (turn[s] + 1);
                    queue[end++] = above;
                }
            }
        }
    }

    private void lookUp(short[] turn) {
        for (int s : wiring.fromTop) {
            if (turn[s] == NONE) {
                short best = NONE;
                for (int at = wiring.upBase[s]; at < wiring.upBase[s + 1]; at++) {
                    best = (short) Math.min(best, turn[wiring.upRemote[at]]);
                }
                turn[s] = best;
            }
        }
    }
}
