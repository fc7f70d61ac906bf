package io.dmodc.detector.sim;

import java.util.BitSet;

/**
 * A one-way cut: nothing that a node of one set sends reaches any of another set.
 *
 * @param from  senders
 * @param to    receivers
 * @param split true: the network is really split, and whoever cannot be heard may be held dead; false: it is a fault of
 *     one node or one way, for which nobody else may suffer
 */
public record Cut(BitSet from, BitSet to, boolean split) {
    boolean keeps(int sender, int receiver) {
        return from.get(sender) && to.get(receiver);
    }

    /** True if one of the two does not hear the other: then no question is answered. */
    boolean separates(int one, int other) {
        return keeps(one, other) || keeps(other, one);
    }

    public static BitSet only(int node) {
        BitSet set = new BitSet();
        set.set(node);
        return set;
    }

    public static BitSet allBut(int node, int nodeCount) {
        BitSet set = new BitSet();
        set.set(0, nodeCount);
        set.clear(node);
        return set;
    }
}
