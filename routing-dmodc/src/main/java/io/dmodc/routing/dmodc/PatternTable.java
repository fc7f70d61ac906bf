package io.dmodc.routing.dmodc;

import io.dmodc.routing.PortPattern;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Patterns by their candidate sets, while one part of the rows is made: open addressing, no boxes. One thread. */
final class PatternTable {
    private long[] sets = new long[256];
    private @Nullable PortPattern[] patterns = new PortPattern[64];
    private int count;

    /** Longs of a set. */
    private int words = 4;

    /** @param groupCount members a set can have */
    void clear(int groupCount) {
        words = groupCount <= 64 ? 1 : 4;
        if (sets.length < words * patterns.length) {
            sets = new long[words * patterns.length];
        }
        if (count > 0) {
            Arrays.fill(patterns, null);
            count = 0;
        }
    }

    @Nullable
    PortPattern get(CandidateSet set) {
        return patterns[slot(set)];
    }

    void put(CandidateSet set, PortPattern pattern) {
        if (2 * count >= patterns.length) {
            grow();
        }
        int slot = slot(set);
        int at = slot * words;
        sets[at] = set.a;
        if (words > 1) {
            sets[at + 1] = set.b;
            sets[at + 2] = set.c;
            sets[at + 3] = set.d;
        }
        patterns[slot] = pattern;
        count++;
    }

    /** Where the set is, or the free place where it would go. */
    private int slot(CandidateSet set) {
        int mask = patterns.length - 1;
        int slot = set.hash() & mask;
        while (patterns[slot] != null && !isAt(set, slot * words)) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private boolean isAt(CandidateSet set, int at) {
        return words == 1 ? set.a == sets[at] : set.is(sets[at], sets[at + 1], sets[at + 2], sets[at + 3]);
    }

    private void grow() {
        long[] oldSets = sets;
        PortPattern[] oldPatterns = patterns;
        sets = new long[2 * words * oldPatterns.length];
        patterns = new PortPattern[2 * oldPatterns.length];
        count = 0;
        CandidateSet set = new CandidateSet();
        for (int slot = 0; slot < oldPatterns.length; slot++) {
            PortPattern pattern = oldPatterns[slot];
            if (pattern != null) {
                int at = slot * words;
                if (words == 1) {
                    set.become(oldSets[at], 0, 0, 0);
                } else {
                    set.become(oldSets[at], oldSets[at + 1], oldSets[at + 2], oldSets[at + 3]);
                }
                put(set, pattern);
            }
        }
    }
}
