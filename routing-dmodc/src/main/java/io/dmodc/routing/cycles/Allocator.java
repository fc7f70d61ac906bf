package io.dmodc.routing.cycles;

/**
 * Gives outputs to inputs, one iteration, inputs first: each input asks for the output of one of its heads that could
 * move now, each output takes one of the inputs that ask. Both take turns (round robin), and one's turn is over only
 * when it was served.
 *
 * <p>All switches in one pass over the inputs that have heads: an input's output is in its own switch, so each output
 * keeps the asking input next in turn while they pass by.
 *
 * <p>Source: W. Dally, B. Towles, <i>Principles and Practices of Interconnection Networks</i>, section 19.3.
 */
final class Allocator {
    private static final int NONE = -1;

    private final Wiring wiring;
    private final RoutedHeads heads;
    private final OutputCredits credits;
    private final QueueIndex index;
    /** Virtual channel whose turn it is at an input. */
    private final int[] nextVc;
    /** Input whose turn it is at an output. */
    private final int[] nextInput;
    /** Input that an output will take, and how far from its turn it is. */
    private final int[] taken;

    private final int[] distance;
    private final int[] askedVc;
    private final int[] asked;
    private int askedCount;

    Allocator(Wiring wiring, RoutedHeads heads, OutputCredits credits, QueueIndex index) {
        this.wiring = wiring;
        this.heads = heads;
        this.credits = credits;
        this.index = index;
        int places = wiring.switchPlaces;
        nextVc = new int[places];
        nextInput = new int[places];
        taken = new int[places];
        distance = new int[places];
        askedVc = new int[places];
        asked = new int[places];
        for (int place = 0; place < places; place++) {
            nextInput[place] = wiring.base[wiring.switchOf[place]];
            taken[place] = NONE;
        }
    }

    /** Finds who may leave in this cycle; {@link #output} and so on tell of each of as many as it says. */
    int allocate() {
        askedCount = 0;
        long[] active = heads.active;
        for (int word = 0; word < active.length; word++) {
            for (long bits = active[word]; bits != 0; bits &= bits - 1) {
                ask((word << 6) + Long.numberOfTrailingZeros(bits));
            }
        }
        return askedCount;
    }

    private void ask(int input) {
        int ready = heads.ready[input];
        int turn = nextVc[input];
        int later = ready >>> turn << turn;
        if (!askAmong(input, later)) {
            askAmong(input, ready ^ later);
        }
    }

    private boolean askAmong(int input, int of) {
        for (int left = of; left != 0; left &= left - 1) {
            int vc = Integer.numberOfTrailingZeros(left);
            long way = heads.way(index.of(input, vc));
            int output = RoutedHeads.output(way);
            if ((RoutedHeads.vcs(way) & credits.open(output)) != 0) {
                askedVc[input] = vc;
                consider(output, input);
                return true;
            }
        }
        return false;
    }

    private void consider(int output, int input) {
        int s = wiring.switchOf[output];
        int ahead = input - nextInput[output];
        ahead = ahead < 0 ? ahead + wiring.base[s + 1] - wiring.base[s] : ahead;
        if (taken[output] == NONE) {
            asked[askedCount++] = output;
        } else if (ahead >= distance[output]) {
            return;
        }
        taken[output] = input;
        distance[output] = ahead;
    }

    /** Output of the i-th who may leave. */
    int output(int i) {
        return asked[i];
    }

    /** Input that an output takes. */
    int input(int output) {
        return taken[output];
    }

    /** Virtual channel of the head that an input asked for. */
    int vc(int input) {
        return askedVc[input];
    }

    /** An output's packet left: the next ones are in turn. */
    void served(int output) {
        int input = taken[output];
        int s = wiring.switchOf[output];
        taken[output] = NONE;
        nextInput[output] = input + 1 == wiring.base[s + 1] ? wiring.base[s] : input + 1;
        nextVc[input] = askedVc[input] + 1 == index.vcs ? 0 : askedVc[input] + 1;
    }
}
