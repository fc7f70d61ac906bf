package io.dmodc.routing.dmodc;

import io.dmodc.routing.PortPattern;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Words of 64 targets made into runs: a time is for one word. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CandidateBenchmark {
    private static final int WORDS = 16;

    /** Groups that are candidates: 24 and 32 take the short transposition, 48 the long one. */
    @Param({"24", "32", "48"})
    public int groups;

    private final CandidateRuns runs = new CandidateRuns(targetColumns());
    private PortLayout layout = PortLayout.NONE;
    private final long[][] missing = new long[WORDS][];
    private final long[][] onlyOne = new long[WORDS][];
    private long written;

    private static TargetColumns targetColumns() {
        FabricView view = PgftGenerator.generate(PgftShape.parse("2;24,64;1,24;1,1"))
                .build(1, new NodeIndexMap(), new GuidNumbers());
        return TargetColumns.nodes(view);
    }

    @Setup
    public void draw() {
        SplittableRandom random = new SplittableRandom(1);
        layout = new RandomLayout(random, groups, 1).layout;
        for (int w = 0; w < WORDS; w++) {
            missing[w] = new long[groups];
            onlyOne[w] = new long[groups];
            for (int t = 0; t < 64; t++) {
                onlyOne[w][random.nextInt(groups)] |= 1L << t;
            }
            for (int i = 0; i < groups; i++) {
                missing[w][i] = -1;
                for (int lost = 0; lost < 4; lost++) {
                    missing[w][i] &= ~(1L << random.nextInt(64));
                }
            }
        }
    }

    private void count(int from, int to, PortPattern pattern) {
        written += to - from + pattern.portCount();
    }

    /** A whole fabric: every group leads to every target. */
    @Benchmark
    @OperationsPerInvocation(WORDS)
    public long allAgree() {
        for (int w = 0; w < WORDS; w++) {
            runs.begin(layout);
            Arrays.fill(runs.candidates(), 0, groups, -1);
            runs.add(0, -1);
            runs.end(this::count);
        }
        return written;
    }

    /** Cables lost one by one: each group misses one target in 16. */
    @Benchmark
    @OperationsPerInvocation(WORDS)
    public long someAreMissing() {
        return runsOf(missing);
    }

    /** On the way down: each target is below one neighbour. */
    @Benchmark
    @OperationsPerInvocation(WORDS)
    public long oneForEachTarget() {
        return runsOf(onlyOne);
    }

    private long runsOf(long[][] candidates) {
        for (long[] word : candidates) {
            runs.begin(layout);
            System.arraycopy(word, 0, runs.candidates(), 0, groups);
            runs.add(0, -1);
            runs.end(this::count);
        }
        return written;
    }
}
