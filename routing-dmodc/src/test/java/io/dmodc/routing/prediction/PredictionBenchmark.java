package io.dmodc.routing.prediction;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.change.ChangeTerms;
import io.dmodc.routing.check.Fabrics;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.routing.explanation.ExplanationReport;
import io.dmodc.routing.explanation.RouteExplainer;
import io.dmodc.routing.quality.CongestionSummary.Samples;
import io.dmodc.topology.FabricView;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** A fabric of 8,640 nodes and 1,296 switches that loses, or is to lose, one of them; and one entry of it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class PredictionBenchmark {
    /** A switch of the middle. */
    private static final int SWITCH = 400;

    private final Parallel parallel = Parallel.on(ForkJoinPool.commonPool());
    private final FabricView view = Fabrics.pgft("3;24,24,15;1,24,24;1,1,1");
    private final BitSet switches = new BitSet();
    private final RoutedFabric before = RoutedFabric.of(view, tables(view));

    /** Names the switch. */
    public PredictionBenchmark() {
        switches.set(SWITCH);
    }

    private LftSet tables(FabricView of) {
        return Objects.requireNonNull(Dmodc.standard().route(of, parallel).tables());
    }

    private RoutedFabric after(boolean drain) {
        FabricView routed = view.without(switches, List.of());
        return new RoutedFabric(drain ? view : routed, routed, tables(routed));
    }

    private Prediction prediction(boolean drain) {
        BitSet untold = drain ? switches : new BitSet();
        return Prediction.of(before, after(drain), before.inForce(view, untold), ChangeTerms.UNBOUNDED, parallel);
    }

    @Benchmark
    public Prediction loss() {
        return prediction(false);
    }

    @Benchmark
    public Prediction drain() {
        return prediction(true);
    }

    @Benchmark
    public CongestionChange congestion() {
        return CongestionChange.of(before, after(false), Samples.STANDARD, parallel);
    }

    @Benchmark
    public ExplanationReport explanation() {
        return ExplanationReport.of(RouteExplainer.of("dmodc", view, Parallel.sequential()), 0, 8000);
    }
}
