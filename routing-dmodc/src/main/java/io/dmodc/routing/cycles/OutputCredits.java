package io.dmodc.routing.cycles;

import java.util.Arrays;

/**
 * How many packets each output may still send on each virtual channel: room in the buffers at the far end that it knows
 * of. Outputs to nodes are always free. A mask for each output says on which channels there is room at all.
 */
final class OutputCredits {
    private final int vcs;
    private final int[] credits;
    private final int[] open;
    /** Virtual channel that an output looks at first: the one after the last it took. */
    private final int[] nextVc;

    OutputCredits(Wiring wiring, int vcs, int buffers) {
        this.vcs = vcs;
        credits = new int[wiring.to.length * vcs];
        open = new int[wiring.to.length];
        nextVc = new int[wiring.to.length];
        Arrays.fill(credits, buffers);
        Arrays.fill(open, PacketRouting.allVcs(vcs));
    }

    /** Virtual channels with room. */
    int open(int output) {
        return open[output];
    }

    /** Takes the next of some virtual channels in turn; {@code of} are some that are open. */
    int takeNext(int output, int of) {
        int later = of >>> nextVc[output] << nextVc[output];
        int vc = Integer.numberOfTrailingZeros(later != 0 ? later : of);
        nextVc[output] = vc + 1 == vcs ? 0 : vc + 1;
        return vc;
    }

    /** A packet leaves for a switch. */
    void spend(int output, int vc) {
        if (--credits[output * vcs + vc] == 0) {
            open[output] &= ~(1 << vc);
        }
    }

    /** A packet left the far end's buffer. */
    void restore(int output, int vc) {
        credits[output * vcs + vc]++;
        open[output] |= 1 << vc;
    }
}
