package io.dmodc.routing.dmodc;

import java.util.Arrays;

/**
 * Turns the candidates of 64 targets at a time into column runs of patterns.
 *
 * <p><b>Idea.</b> The candidates come as one word a group, bit t for target t. On a whole PGFT all groups agree, and a
 * word of targets is one run. Where they do not, the words are transposed, which gives each target its set of groups at
 * once; successive targets with equal sets are one run.
 *
 * <p>For one row or part of a row: for words in ascending order fill {@link #candidates} and {@link #add}, then {@link
 * #end}. One thread.
 */
final class CandidateRuns {
    private static final int GROUPS_MAX = 256;

    private final Destinations destinations;
    private final RunList runs = new RunList();
    private final long[] candidates = new long[GROUPS_MAX];

    /** After {@link #transpose}: {@code sets[64 · i + t]} has the groups 64 i .. 64 i + 63 of target t. */
    private final long[] sets = new long[GROUPS_MAX];

    private final PortLayout layout;
    private final CandidateSet all;
    private CandidateSet pending = CandidateSet.NONE;
    private int from;
    private int to;

    CandidateRuns(Destinations destinations, PortLayout layout) {
        this.destinations = destinations;
        this.layout = layout;
        all = CandidateSet.firstOf(layout.groupCount());
    }

    /** To be filled before each {@link #add}: bit t of long i says that group i is a candidate for target t of the word. */
    long[] candidates() {
        return candidates;
    }

    /** Targets of word {@code w} for which one of the groups is a candidate. */
    long routed() {
        long routed = 0;
        for (int i = 0; i < layout.groupCount(); i++) {
            routed |= candidates[i];
        }
        return routed;
    }

    /**
     * Adds the runs of some targets of a word.
     *
     * @param targets bits; those without a candidate get "no route"
     */
    void add(int w, long targets) {
        long routed = routed() & targets;
        if (allAgree(routed)) {
            addAgreed(w, targets, routed);
        } else {
            transpose();
            addEach(w, targets);
        }
    }

    private boolean allAgree(long routed) {
        long agreed = routed;
        for (int i = 0; i < layout.groupCount(); i++) {
            agreed &= candidates[i];
        }
        return agreed == routed;
    }

    private void addAgreed(int w, long targets, long routed) {
        for (long rest = targets; rest != 0; ) {
            int first = Long.numberOfTrailingZeros(rest);
            boolean in = (routed >>> first & 1) != 0;
            long same = (in ? routed : ~routed) & targets & destinations.adjoins[w];
            int more = Long.numberOfTrailingZeros(~(same >>> 1 >>> first));
            add((w << 6) + first, more, in ? all : CandidateSet.NONE);
            rest &= -2L << (first + more);
        }
    }

    private void addEach(int w, long targets) {
        long adjoining = targets & destinations.adjoins[w];
        for (long rest = targets; rest != 0; ) {
            int first = Long.numberOfTrailingZeros(rest);
            int last = first;
            while (last < 63 && (adjoining >>> (last + 1) & 1) != 0 && sameSets(first, last + 1)) {
                last++;
            }
            CandidateSet set = pending.sameAs(sets[first], sets[64 + first], sets[128 + first], sets[192 + first])
                    ? pending
                    : new CandidateSet(sets[first], sets[64 + first], sets[128 + first], sets[192 + first]);
            add((w << 6) + first, last - first, set);
            rest &= -2L << last;
        }
    }

    private boolean sameSets(int t, int u) {
        return sets[t] == sets[u]
                && sets[64 + t] == sets[64 + u]
                && sets[128 + t] == sets[128 + u]
                && sets[192 + t] == sets[192 + u];
    }

    /** Adds a target, and as many right after it whose columns follow on each other's. */
    private void add(int target, int more, CandidateSet set) {
        for (int r = destinations.runBase[target]; r < destinations.runBase[target + 1]; r++) {
            if (destinations.runFrom[r] != to || !set.equals(pending)) {
                flush();
                from = destinations.runFrom[r];
                pending = set;
            }
            to = destinations.runTo[r];
        }
        if (more > 0) {
            to = destinations.runTo[destinations.runBase[target + more]];
        }
    }

    private void flush() {
        if (from < to) {
            runs.add(from, to, layout.pattern(pending, from, to));
        }
        from = to;
    }

    /** All runs, in ascending order. */
    RunList end() {
        flush();
        return runs.sorted();
    }

    /** All runs and some more, in ascending order. */
    RunList endWith(RunList others) {
        flush();
        runs.addAll(others);
        return runs.sorted();
    }

    private void transpose() {
        int groupCount = layout.groupCount();
        for (int base = 0; base < GROUPS_MAX; base += 64) {
            int count = Math.max(0, Math.min(groupCount - base, 64));
            System.arraycopy(candidates, base, sets, base, count);
            Arrays.fill(sets, base + count, base + 64, 0);
            if (count > 0) {
                transpose(base);
            }
        }
    }

    /** A matrix of 64 × 64 bits, in six rounds that swap ever smaller squares. */
    private void transpose(int base) {
        long mask = 0x0000_0000_FFFF_FFFFL;
        for (int side = 32; side != 0; side >>= 1) {
            for (int i = 0; i < 64; i = ((i | side) + 1) & ~side) {
                int at = base + i;
                long swapped = (sets[at] >>> side ^ sets[at + side]) & mask;
                sets[at] ^= swapped << side;
                sets[at + side] ^= swapped;
            }
            mask ^= mask << (side >> 1);
        }
    }
}
