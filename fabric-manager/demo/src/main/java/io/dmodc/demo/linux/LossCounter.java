package io.dmodc.demo.linux;

import io.dmodc.demo.linux.Outages.Pair;
import org.jspecify.annotations.Nullable;

/** Compares what one host sent with what another received. Bits are slots, the lowest bit of a word first in time. Stateless. */
final class LossCounter {
    private LossCounter() {}

    /**
     * What was lost of the slots first..last, which are counted from the first bit of the words.
     *
     * @param slotNanos when slot 0 of the words was sent
     * @return null when nothing was
     */
    static @Nullable Pair count(int from, int to, long[] sent, long[] came, int first, int last, long slotNanos) {
        int lost = 0;
        int longest = 0;
        int longestBegin = -1;
        int begin = -1;
        for (int slot = first; slot <= last; slot++) {
            boolean here = bit(came, slot);
            if (here && begin >= 0) {
                if (slot - begin > longest) {
                    longest = slot - begin;
                    longestBegin = begin;
                }
                begin = -1;
            } else if (!here && bit(sent, slot)) {
                lost++;
                begin = begin < 0 ? slot : begin;
            }
        }
        boolean open = begin >= 0 && last + 1 - begin > longest;
        if (open) {
            longest = last + 1 - begin;
            longestBegin = begin;
        }
        return lost == 0
                ? null
                : new Pair(
                        from,
                        to,
                        lost,
                        longest * Probes.PERIOD_NANOS,
                        slotNanos + longestBegin * Probes.PERIOD_NANOS,
                        open);
    }

    static boolean bit(long[] words, int slot) {
        return (words[slot / Long.SIZE] >>> slot & 1) != 0;
    }
}
