package io.dmodc.southbound;

import static io.dmodc.southbound.SouthboundProtocol.BLOCK_ENTRIES;

import java.util.Arrays;

/**
 * The runs of a row, cut to the stretches of consecutive changed blocks.
 *
 * <p>Two arrays of equal length, a run each: where it ends and the source of its ports, as on the wire except that
 * patterns have the ids of the {@link PushPatterns}. The first run of a stretch starts where the stretch does, every
 * other one where the one before it ends. Runs of one or two steps become runs of one port: shorter than a new pattern,
 * and it keeps dividers below the number of entries.
 */
final class StretchRuns {
    private static final int FEW_STEPS = 2;

    private final int entryCount;
    private final int[] stretches;
    private final int[] firstRuns;
    private final PushPatterns patterns = new PushPatterns();

    private int[] ends = new int[16];
    private int[] sources = new int[16];
    private int runs;
    private int stretch;
    private int next;

    /** @param stretches first block and the block after the last, for each stretch; ascending */
    StretchRuns(int entryCount, int[] stretches) {
        this.entryCount = entryCount;
        this.stretches = stretches;
        this.firstRuns = new int[count() + 1];
        this.next = count() == 0 ? entryCount : from(0);
    }

    int count() {
        return stretches.length / 2;
    }

    int firstBlock(int stretch) {
        return stretches[2 * stretch];
    }

    int endBlock(int stretch) {
        return stretches[2 * stretch + 1];
    }

    int from(int stretch) {
        return firstBlock(stretch) * BLOCK_ENTRIES;
    }

    int to(int stretch) {
        return Math.min(entryCount, endBlock(stretch) * BLOCK_ENTRIES);
    }

    int firstRun(int stretch) {
        return firstRuns[stretch];
    }

    int endRun(int stretch) {
        return firstRuns[stretch + 1];
    }

    int end(int run) {
        return ends[run];
    }

    int source(int run) {
        return sources[run];
    }

    PushPatterns patterns() {
        return patterns;
    }

    /** Adds what lies in the stretches of a run that starts where the last one ended, or later. */
    void add(int from, int to, Pattern pattern) {
        while (stretch < count() && next < to) {
            if (from > next) {
                throw new IllegalArgumentException(
                        "columns " + next + ".." + (from - 1) + " are in no run, expected all of a changed block");
            }
            int end = Math.min(to, to(stretch));
            cut(next, end, pattern);
            next = end;
            if (end == to(stretch)) {
                firstRuns[++stretch] = runs;
                next = stretch < count() ? from(stretch) : entryCount;
            }
        }
    }

    void requireAll() {
        if (stretch < count()) {
            throw new IllegalStateException("the runs end at column " + next + ", expected " + to(count() - 1)
                    + " with the last changed block");
        }
    }

    private void cut(int from, int to, Pattern pattern) {
        int steps = pattern.steps(from, to);
        if (pattern.ports().length == 1) {
            append(from, to, constant(pattern, from));
        } else if (steps <= FEW_STEPS) {
            int middle = (int) Math.min(to, pattern.nextStep(from));
            append(from, middle, constant(pattern, from));
            if (middle < to) {
                append(middle, to, constant(pattern, middle));
            }
        } else {
            append(from, to, 2 * patterns.use(pattern, steps));
        }
    }

    private static int constant(Pattern pattern, int column) {
        return 2 * (pattern.port(column) & 0xff) + 1;
    }

    private void append(int from, int to, int source) {
        boolean joins = from > from(stretch) && sources[runs - 1] == source;
        if (joins) {
            ends[runs - 1] = to;
            return;
        }
        if (runs == ends.length) {
            ends = Arrays.copyOf(ends, 2 * runs);
            sources = Arrays.copyOf(sources, 2 * runs);
        }
        ends[runs] = to;
        sources[runs++] = source;
    }
}
