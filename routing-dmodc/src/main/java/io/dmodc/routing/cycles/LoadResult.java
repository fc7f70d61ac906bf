package io.dmodc.routing.cycles;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What came of the runs of one load, a seed each.
 *
 * @param runs at least one, by seed
 */
public record LoadResult(double load, List<RunResult> runs) {
    /** Nodes that get less than this part of what they make fall behind for ever. */
    private static final double KEEPS_UP = 0.97;

    public LoadResult {
        runs = List.copyOf(runs);
    }

    /** A figure of several runs. */
    public record Spread(double mean, double min, double max) {}

    /** One figure of all runs. */
    public Spread of(ToDoubleFunction<RunResult> figure) {
        return new Spread(
                figures(figure).average().orElse(0),
                figures(figure).min().orElse(0),
                figures(figure).max().orElse(0));
    }

    private DoubleStream figures(ToDoubleFunction<RunResult> figure) {
        return runs.stream().mapToDouble(figure);
    }

    /** True if nodes make more than arrives: latencies then grow with the time that is simulated. */
    public boolean saturated() {
        return of(RunResult::accepted).mean() < KEEPS_UP * load;
    }

    /** The deadlock of the first run that had one. */
    public @Nullable Deadlock deadlock() {
        return runs.stream()
                .flatMap(run -> Stream.ofNullable(run.deadlock()))
                .findFirst()
                .orElse(null);
    }
}
