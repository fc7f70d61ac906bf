package io.dmodc.routing.cycles;

import io.dmodc.routing.traffic.TrafficPattern;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Packets past switches a second on one core, in the state that a load leads to; the bound is 3,000,000. */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@State(Scope.Benchmark)
public class SimulatorBenchmark {
    private static final int WARM_UP = 1000;

    @Param({"2;16,16;1,16;1,1", "3;10,10,10;1,10,10;1,1,1", "3;16,16,16;1,16,16;1,1,1"})
    private String shape = "";

    @Param({"0.1", "0.5", "0.9"})
    private double load;

    private CycleSimulator simulator = simulator("1;2;1;1", 0.5);

    /** What is counted beside cycles. */
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    @State(Scope.Thread)
    public static class Passed {
        public long moves;
    }

    private static CycleSimulator simulator(String shape, double load) {
        Simulated fabric = new Simulated(shape);
        return new CycleSimulator(
                fabric.view,
                fabric.nodes,
                TrafficPattern.named("uniform", fabric.nodes.count(), 1),
                new TableRouting(fabric.view, fabric.tables, 4),
                SimulationSettings.USUAL,
                load,
                1);
    }

    @Setup(Level.Trial)
    public void fill() {
        simulator = simulator(shape, load);
        for (int i = 0; i < WARM_UP; i++) {
            simulator.step(true);
        }
    }

    @Benchmark
    public void cycles(Passed passed) {
        long before = simulator.moves();
        simulator.step(true);
        passed.moves += simulator.moves() - before;
    }
}
