package io.dmodc.routing.dmodc;

import io.dmodc.routing.CandidatePorts;
import io.dmodc.routing.LftRow.RunVisitor;
import io.dmodc.routing.LftRowBuilder;
import io.dmodc.routing.PortPattern;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Turns the candidates of 64 targets at a time into column runs of patterns.
 *
 * <p><b>Idea.</b> The candidates come as one word a group, bit t for target t. On a whole PGFT all groups agree, and a
 * word of targets is one run. Where they do not, the words are transposed, which gives each target its set of groups at
 * once; successive targets with equal sets are one run.
 *
 * <p>For each row or part of a row: {@link #begin}, then for words in ascending order fill {@link #candidates} and
 * {@link #add}, then {@link #end}, which gives the targets their columns. One thread.
 */
final class CandidateRuns {
    private static final int GROUPS_MAX = 256;

    /** So many bits are moved one by one in the time of a transposition. */
    private static final int FEW_BITS = 128;

    private final TargetColumns targetColumns;
    private final long[] candidates = new long[GROUPS_MAX];

    /** After {@link #transpose}: {@code sets[64 · i + t]} has the groups 64 i .. 64 i + 63 of target t. */
    private final long[] sets = new long[GROUPS_MAX];

    private final CandidateSetRuns runs = new CandidateSetRuns();
    private PortLayout layout = PortLayout.NONE;
    private int groupCount;

    /** Of the run that is being added. */
    private final CandidateSet set = new CandidateSet();

    CandidateRuns(TargetColumns targetColumns) {
        this.targetColumns = targetColumns;
    }

    /** Starts with the groups of a layout. */
    void begin(PortLayout groups) {
        layout = groups;
        groupCount = groups.groupCount();
        runs.clear(groupCount);
    }

    /**
     * To be filled before each {@link #add}: bit t of long i says that group i is a candidate for target t of the word.
     */
    long[] candidates() {
        return candidates;
    }

    /** Targets of word {@code w} for which one of the groups is a candidate. */
    long routed() {
        long routed = 0;
        for (int i = 0; i < groupCount; i++) {
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
        long routed = 0;
        long agreed = targets;
        int bits = 0;
        for (int i = 0; i < groupCount; i++) {
            long candidate = candidates[i] & targets;
            routed |= candidate;
            agreed &= candidate;
            bits += Long.bitCount(candidate);
        }
        if (agreed == routed) {
            addAgreed(w, targets, routed);
        } else {
            if (bits <= FEW_BITS) {
                scatter(targets);
            } else {
                transpose();
            }
            addEach(w, targets);
        }
    }

    private void addAgreed(int w, long targets, long routed) {
        for (long rest = targets; rest != 0; ) {
            int first = Long.numberOfTrailingZeros(rest);
            boolean in = (routed >>> first & 1) != 0;
            long same = (in ? routed : ~routed) & targets;
            int more = Long.numberOfTrailingZeros(~(same >>> 1 >>> first));
            set.become(in ? layout.all() : CandidateSet.NONE);
            runs.add((w << 6) + first, (w << 6) + first + more + 1, set);
            rest &= -2L << (first + more);
        }
    }

    /** Adds the runs of targets of a word that have one group alone as a candidate. */
    void addAllOf(int group, int w, long targets) {
        set.become(
                group >> 6 == 0 ? 1L << group : 0,
                group >> 6 == 1 ? 1L << group : 0,
                group >> 6 == 2 ? 1L << group : 0,
                group >> 6 == 3 ? 1L << group : 0);
        for (long rest = targets; rest != 0; ) {
            int first = Long.numberOfTrailingZeros(rest);
            int more = Long.numberOfTrailingZeros(~(targets >>> 1 >>> first));
            runs.add((w << 6) + first, (w << 6) + first + more + 1, set);
            rest &= -2L << (first + more);
        }
    }

    private void addEach(int w, long targets) {
        boolean wide = groupCount > 64;
        for (long rest = targets; rest != 0; rest &= rest - 1) {
            int t = Long.numberOfTrailingZeros(rest);
            set.become(sets[t], wide ? sets[64 + t] : 0, wide ? sets[128 + t] : 0, wide ? sets[192 + t] : 0);
            runs.add((w << 6) + t, (w << 6) + t + 1, set);
        }
    }

    /**
     * Writes the runs out.
     *
     * @param sink gets them in ascending order of columns
     */
    void end(RunVisitor sink) {
        @Nullable PortPattern[] patterns = new PortPattern[runs.setCount()];
        for (int number = 0; number < patterns.length; number++) {
            runs.read(number, set);
            patterns[number] = set.isEmpty()
                    ? PortPattern.NO_ROUTE
                    : set.is(layout.all()) ? layout.allGroups() : layout.pattern(set);
        }
        targetColumns.stretches.forEachRun(runs, (number, from, to) -> {
            PortPattern pattern = patterns[number];
            if (pattern == null) {
                runs.read(number, set);
                pattern = layout.writtenOut(set, from, to);
            }
            sink.run(from, to, pattern);
        });
    }

    /** Writes the runs of a layout that is small and single to a row, as candidates. */
    void end(LftRowBuilder row, CandidatePorts ports) {
        long[] candidatesOf = new long[runs.setCount()];
        for (int number = 0; number < candidatesOf.length; number++) {
            candidatesOf[number] = ports.placed(runs.groups(number));
        }
        targetColumns.stretches.forEachRun(runs, (number, from, to) -> row.put(from, to, ports, candidatesOf[number]));
    }

    /** Bit by bit: on the way down each target is below one neighbour, or a few. */
    private void scatter(long targets) {
        Arrays.fill(sets, 0, groupCount <= 64 ? 64 : GROUPS_MAX, 0);
        for (int i = 0; i < groupCount; i++) {
            for (long rest = candidates[i] & targets; rest != 0; rest &= rest - 1) {
                sets[(i & -64) + Long.numberOfTrailingZeros(rest)] |= 1L << i;
            }
        }
    }

    private void transpose() {
        if (groupCount <= 32) {
            transposeHalf();
            return;
        }
        for (int base = 0; base < groupCount; base += 64) {
            int count = Math.min(groupCount - base, 64);
            System.arraycopy(candidates, base, sets, base, count);
            Arrays.fill(sets, base + count, base + 64, 0);
            transpose(base);
        }
        Arrays.fill(sets, (groupCount + 63) / 64 * 64, GROUPS_MAX, 0);
    }

    /** A matrix of 64 × 64 bits, in six rounds that swap ever smaller squares. */
    private void transpose(int base) {
        long mask = 0x0000_0000_FFFF_FFFFL;
        for (int side = 32; side != 0; side >>= 1) {
            swapSquares(base, 64, side, mask);
            mask ^= mask << (side >> 1);
        }
    }

    /** Two matrices of 32 × 32 bits side by side, in five rounds; then they are parted. */
    private void transposeHalf() {
        System.arraycopy(candidates, 0, sets, 0, groupCount);
        Arrays.fill(sets, groupCount, 32, 0);
        long mask = 0x0000_FFFF_0000_FFFFL;
        for (int side = 16; side != 0; side >>= 1) {
            swapSquares(0, 32, side, mask);
            mask ^= mask << (side >> 1);
        }
        for (int t = 0; t < 32; t++) {
            sets[32 + t] = sets[t] >>> 32;
            sets[t] &= 0xFFFF_FFFFL;
        }
    }

    private void swapSquares(int base, int rows, int side, long mask) {
        for (int start = base; start < base + rows; start += 2 * side) {
            for (int at = start; at < start + side; at++) {
                long swapped = (sets[at] >>> side ^ sets[at + side]) & mask;
                sets[at] ^= swapped << side;
                sets[at + side] ^= swapped;
            }
        }
    }
}
