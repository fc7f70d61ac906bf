package io.dmodc.routing.cycles;

import io.dmodc.routing.Bits64;
import io.dmodc.routing.traffic.Endpoints;
import io.dmodc.routing.traffic.TrafficPattern;

/**
 * What nodes want to send: in each cycle a node makes a packet with probability {@code load}, whatever happened before.
 *
 * <p>Each node has a random generator of its own, and only its oldest packet that is not sent yet is kept: the next one
 * is drawn when that is sent, as many cycles later as it takes until a coin of that probability falls well. So the
 * queues of nodes have no bound and take no memory. 16 bytes a node.
 */
final class NodeTraffic {
    /** No packet of a later birth is made: simulations end before. */
    static final int NEVER = 1 << 30;

    private final Endpoints nodes;
    private final TrafficPattern pattern;
    private final double logOfSilence;
    private final long[] state;
    /** When the oldest packet not sent was made. */
    private final int[] birth;
    /** Where it goes to, a node index. */
    private final int[] destination;

    NodeTraffic(Endpoints nodes, TrafficPattern pattern, double load, long seed) {
        this.nodes = nodes;
        this.pattern = pattern;
        logOfSilence = StrictMath.log(1 - load);
        state = new long[nodes.count()];
        birth = new int[state.length];
        destination = new int[state.length];
        for (int i = 0; i < state.length; i++) {
            state[i] = Bits64.mix(Bits64.mix(seed) + i * Bits64.STEP);
            birth[i] = -1;
            next(i);
        }
    }

    int count() {
        return birth.length;
    }

    int birth(int position) {
        return birth[position];
    }

    int destination(int position) {
        return destination[position];
    }

    /** The oldest packet of a node was sent; draws the next one. */
    void next(int position) {
        double silence = StrictMath.floor(StrictMath.log(unit(position)) / logOfSilence);
        birth[position] = (int) Math.min(NEVER, birth[position] + 1 + silence);
        destination[position] = nodes.node(pattern.isUniform() ? other(position) : pattern.destination(position));
    }

    /** Any position but one, each as likely. */
    private int other(int position) {
        int drawn = Bits64.below(bits(position), birth.length - 1);
        return drawn < position ? drawn : drawn + 1;
    }

    /** In (0, 1]. */
    private double unit(int position) {
        return ((bits(position) >>> 11) + 1) * 0x1p-53;
    }

    private long bits(int position) {
        state[position] += Bits64.STEP;
        return Bits64.mix(state[position]);
    }
}
