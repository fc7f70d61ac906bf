package io.dmodc.routing.cycles;

import java.util.Arrays;

/**
 * The packets at the heads of their queues that know their way: output and virtual channels of each, a mask of ready
 * channels for each input, a bit set of inputs that have any.
 */
final class RoutedHeads {
    /** Output place of a queue's head; −1 while it has no head that knows its way. */
    final int[] output;
    /** Virtual channels it may take there. */
    final int[] outputVcs;
    /** Virtual channels of an input whose heads know their way. */
    final int[] ready;
    /** Inputs with such heads. */
    final long[] active;

    private final int vcs;

    RoutedHeads(int inputs, int vcs) {
        this.vcs = vcs;
        output = new int[inputs * vcs];
        Arrays.fill(output, -1);
        outputVcs = new int[inputs * vcs];
        ready = new int[inputs];
        active = new long[(inputs + 63) / 64];
    }

    void add(int input, int vc, int toOutput, int onVcs) {
        output[input * vcs + vc] = toOutput;
        outputVcs[input * vcs + vc] = onVcs;
        ready[input] |= 1 << vc;
        active[input >> 6] |= 1L << input;
    }

    void remove(int input, int vc) {
        output[input * vcs + vc] = -1;
        ready[input] &= ~(1 << vc);
        if (ready[input] == 0) {
            active[input >> 6] &= ~(1L << input);
        }
    }
}
