package io.dmodc.routing.cycles;

import java.util.Arrays;

/**
 * How many packets each output may still send on each virtual channel: room in the buffers at the far end that it knows
 * of. Outputs to nodes are always free. A mask for each output says on which channels there is room at all.
 */
final class OutputCredits {
    private final QueueIndex index;
    private final int[] credits;
    private final int[] open;
    /** Virtual channel that an output looks at first: the one after the last it took. */
    private final int[] nextVc;

    OutputCredits(Wiring wiring, QueueIndex index, int buffers) {
        this.index = index;
        credits = new int[index.count(wiring.to.length)];
        open = new int[wiring.to.length];
        nextVc = new int[wiring.to.length];
        Arrays.fill(credits, buffers);
        Arrays.fill(open, PacketRouting.allVcs(index.vcs));
    }

    /** Virtual channels with room. */
    int open(int output) {
        return open[output];
    }

    /** Takes the next of some virtual channels in turn; {@code of} are some that are open. */
    int takeNext(int output, int of) {
        int later = of >>> nextVc[output] << nextVc[output];
        int vc = Integer.numberOfTrailingZeros(later != 0 ? later : of);
        nextVc[output] = vc + 1 == index.vcs ? 0 : vc + 1;
        return vc;
    }

    /** A packet leaves for a switch. */
    void spend(int output, int vc) {
        if (--credits[index.of(output, vc)] == 0) {
            open[output] &= ~(1 << vc);
        }
    }

    /**
     * A packet left the far end's buffer.
     *
     * @param credit output and virtual channel, by {@link QueueIndex}
     */
    void restore(int credit) {
        credits[credit]++;
        open[index.place(credit)] |= 1 << index.vc(credit);
    }
}
