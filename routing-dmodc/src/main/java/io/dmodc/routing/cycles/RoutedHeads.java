package io.dmodc.routing.cycles;

import java.util.Arrays;

/**
 * The packets at the heads of their queues that know their way: output and virtual channels of each in one long, a mask of
 * ready channels for each input, a bit set of inputs that have any.
 */
final class RoutedHeads {
    private static final long NONE = -1;

    /** Virtual channels of an input whose heads know their way. */
    final int[] ready;
    /** Inputs with such heads. */
    final long[] active;

    private final QueueIndex index;
    /** Output place, then the mask of virtual channels. */
    private final long[] way;

    RoutedHeads(int inputs, QueueIndex index) {
        this.index = index;
        way = new long[index.count(inputs)];
        Arrays.fill(way, NONE);
        ready = new int[inputs];
        active = new long[(inputs + 63) / 64];
    }

    /** Way of a queue's head, for {@link #output(long)} and {@link #vcs(long)}. */
    long way(int queue) {
        return way[queue];
    }

    /** Output place; −1 while a queue has no head that knows its way. */
    static int output(long way) {
        return (int) (way >> PacketRouting.VC_MAX);
    }

    /** Virtual channels a head may take there. */
    static int vcs(long way) {
        return (int) way & PacketRouting.allVcs(PacketRouting.VC_MAX);
    }

    void add(int queue, int toOutput, int onVcs) {
        int input = index.place(queue);
        way[queue] = (long) toOutput << PacketRouting.VC_MAX | onVcs;
        ready[input] |= 1 << index.vc(queue);
        active[input >> 6] |= 1L << input;
    }

    void remove(int queue) {
        int input = index.place(queue);
        way[queue] = NONE;
        ready[input] &= ~(1 << index.vc(queue));
        if (ready[input] == 0) {
            active[input >> 6] &= ~(1L << input);
        }
    }
}
