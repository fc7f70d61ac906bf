package io.dmodc.routing;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Rows of 27,648 columns: writing patterns out, putting runs into a row, and telling two rows apart. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RowBenchmark {
    private static final int COLUMNS = 27_648;

    /** Columns of a leaf. */
    private static final int LEAF = 24;

    private final PortPattern changing = pattern(1, 24);
    private final PortPattern stepping = pattern(24, 24);
    private final PortPattern[] some = some();
    private final byte[] entries = new byte[COLUMNS];
    private final LftRowBuilder builder = new LftRowBuilder();
    private final LftRow empty = LftRow.noRoutes(COLUMNS);
    private final LftRow whole = row(empty, 0, COLUMNS, changing);
    private final LftRow scattered = everyLeaf(empty);
    private final LftRow oneLeafOff = row(scattered, COLUMNS / 2, COLUMNS / 2 + LEAF, stepping);
    private final LftRow allLeavesOff = row(empty, 0, COLUMNS, pattern(1, 23));

    private static PortPattern pattern(int divider, int count) {
        byte[] ports = new byte[count];
        for (int i = 0; i < count; i++) {
            ports[i] = (byte) (25 + i);
        }
        return new PortPattern(divider, 0, ports);
    }

    /** As leaves have them that lost some uplinks. */
    private static PortPattern[] some() {
        PortPattern[] some = new PortPattern[16];
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < some.length; i++) {
            some[i] = pattern(1, random.nextInt(20, 24));
        }
        return some;
    }

    private LftRow row(LftRow base, int from, int to, PortPattern pattern) {
        builder.begin(base);
        builder.put(from, to, pattern);
        return builder.build();
    }

    private LftRow everyLeaf(LftRow base) {
        builder.begin(base);
        for (int from = 0; from < COLUMNS; from += LEAF) {
            builder.put(from, from + LEAF, some[from / LEAF * 7 % some.length]);
        }
        return builder.build();
    }

    /** One leaf's columns. */
    @Benchmark
    public byte[] copyShortRun() {
        changing.copyTo(1_200, 1_200 + LEAF, entries, 1_200);
        return entries;
    }

    @Benchmark
    public byte[] copyLongRun() {
        changing.copyTo(0, COLUMNS, entries, 0);
        return entries;
    }

    @Benchmark
    public byte[] copyLongRunThatKeepsPorts() {
        stepping.copyTo(0, COLUMNS, entries, 0);
        return entries;
    }

    /** 1,152 runs. */
    @Benchmark
    public byte[] copyRowOfScatteredRuns() {
        scattered.copyTo(entries);
        return entries;
    }

    /** What most rows of a whole fabric are: one run below put into the row above. */
    @Benchmark
    public LftRow putOneRun() {
        return row(whole, COLUMNS / 2, COLUMNS / 2 + LEAF, stepping);
    }

    /** 1,152 runs. */
    @Benchmark
    public LftRow putScatteredRuns() {
        return everyLeaf(empty);
    }

    /** Most spans are shared. */
    @Benchmark
    public int[] changedBlocksOfOneLeaf() {
        return LftDelta.changedBlocks(scattered, oneLeafOff);
    }

    @Benchmark
    public int[] changedBlocksOfScatteredRuns() {
        return LftDelta.changedBlocks(scattered, allLeavesOff);
    }
}
