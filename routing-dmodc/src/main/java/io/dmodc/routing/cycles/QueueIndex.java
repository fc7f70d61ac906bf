package io.dmodc.routing.cycles;

/**
 * Numbers of queues: {@code place << shift | vc}, so that place and virtual channel are found without a division, which
 * takes as long as everything else that is done with them. Where the number of channels is no power of two some numbers
 * stand for nothing.
 */
final class QueueIndex {
    final int vcs;
    private final int shift;

    QueueIndex(int vcs) {
        this.vcs = vcs;
        shift = Integer.SIZE - Integer.numberOfLeadingZeros(vcs - 1);
    }

    /** How many numbers there are for so many places. */
    int count(int places) {
        return Math.multiplyExact(places, 1 << shift);
    }

    int of(int place, int vc) {
        return place << shift | vc;
    }

    int place(int queue) {
        return queue >>> shift;
    }

    int vc(int queue) {
        return queue & ((1 << shift) - 1);
    }
}
