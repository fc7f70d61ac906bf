package io.dmodc.routing.dmodc;

import io.dmodc.topology.FabricView;
import java.util.Arrays;

/**
 * Costs c_{s,t} of all switches to all targets, kept as sets instead of numbers (Procedure 1, section 3.2).
 *
 * <p><b>Idea.</b> A legal path climbs from rank(s) to its turn rank k and descends to rank(t), in
 * {@code 2k − rank(s) − rank(t)} hops. So a cost is a lowest turn rank, and "which targets does s reach turning at rank
 * k or below" is one bit set. The minimum of Procedure 1 becomes OR, 64 targets at a time.
 *
 * <p><b>Layout.</b> One {@code long[]} per switch: its layers for turn ranks rank(s), rank(s)+1 .. rankMax, each
 * {@code words} long; each layer contains the one before. The first layer is the targets below s; the last one all
 * that s reaches. Switches that are dead or unranked have no layers.
 *
 * <p><b>Threads.</b> Pull form: {@link #climb} and {@link #descend} of a switch write only that switch's layers and read
 * those of the adjacent rank, so all switches of one rank may run at once, with a barrier between ranks.
 */
final class Reach {
    /** Cost where no legal path exists. */
    static final int UNREACHABLE = 255;

    private final FabricView view;
    private final Destinations destinations;
    private final int rankMax;
    private final int words;
    private final long[][] layers;

    Reach(FabricView view, Destinations destinations) {
        this.view = view;
        this.destinations = destinations;
        rankMax = view.rankMax();
        words = (destinations.targetCount() + 63) / 64;
        layers = new long[view.switchCount()][];
        Arrays.setAll(layers, s -> new long[routes(s) ? (rankMax - view.rank(s) + 1) * words : 0]);
    }

    /** True if the switch is alive and ranked: only such switches are on any path. */
    boolean routes(int s) {
        return view.alive(s) && view.rank(s) >= 0;
    }

    /** Longs of a layer; bit t of a layer is {@code t % 64} of long {@code t / 64}. */
    int words() {
        return words;
    }

    int rankMax() {
        return rankMax;
    }

    /** All layers of a switch: read only. */
    long[] layers(int s) {
        return layers[s];
    }

    /** Where the layer of a turn rank starts in {@link #layers}; {@code turn} is in rank(s)..rankMax. */
    int offset(int s, int turn) {
        return (turn - view.rank(s)) * words;
    }

    /** First layer: the switch itself and what the switches below have below them. */
    void climb(int s) {
        long[] own = layers[s];
        int target = destinations.switchTarget[s];
        if (target >= 0) {
            own[target >> 6] |= 1L << target;
        }
        for (int g = view.groupStart(s); g < view.groupStart(s + 1); g++) {
            int remote = view.groupRemote(g);
            if (view.isDown(s, remote)) {
                or(own, 0, layers[remote], 0, words);
            }
        }
    }

    /** Further layers: what the switches above reach turning no higher. */
    void descend(int s) {
        long[] own = layers[s];
        int length = own.length - words;
        for (int at = words; at <= length; at += words) {
            System.arraycopy(own, 0, own, at, words);
        }
        for (int g = view.groupStart(s); g < view.groupStart(s + 1); g++) {
            int remote = view.groupRemote(g);
            if (view.isUp(s, remote)) {
                or(own, words, layers[remote], 0, length);
            }
        }
    }

    private static void or(long[] into, int intoAt, long[] from, int fromAt, int count) {
        for (int i = 0; i < count; i++) {
            into[intoAt + i] |= from[fromAt + i];
        }
    }

    /** True if s reaches the target turning at this rank or below; {@code turn} is in rank(s)..rankMax. */
    boolean reaches(int s, int turn, int target) {
        return (layers[s][offset(s, turn) + (target >> 6)] >>> target & 1) != 0;
    }

    /** Lowest rank at which a path from s to the target turns; {@code rankMax + 1} if there is none. */
    int turn(int s, int target) {
        int turn = view.rank(s);
        while (turn <= rankMax && !reaches(s, turn, target)) {
            turn++;
        }
        return turn;
    }

    /** Hops of a shortest legal path, or {@link #UNREACHABLE}. */
    int cost(int s, int target) {
        int turn = routes(s) ? turn(s, target) : rankMax + 1;
        return turn > rankMax ? UNREACHABLE : 2 * turn - view.rank(s) - view.rank(destinations.targetSwitch[target]);
    }
}
