package io.dmodc.routing.cycles;

import io.dmodc.routing.Parallel;
import io.dmodc.routing.traffic.Endpoints;
import io.dmodc.routing.traffic.TrafficPattern;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/**
 * Runs of several loads, several seeds each, side by side. They share what is only read; each has its own queues, so as
 * many as there are threads take memory at a time.
 */
public final class LoadSweep {
    private final FabricView view;
    private final Endpoints nodes;
    private final TrafficPattern pattern;
    private final PacketRouting routing;
    private final SimulationSettings settings;

    /** @param nodes those of the view, which {@code pattern} is of */
    public LoadSweep(
            FabricView view,
            Endpoints nodes,
            TrafficPattern pattern,
            PacketRouting routing,
            SimulationSettings settings) {
        this.view = view;
        this.nodes = nodes;
        this.pattern = pattern;
        this.routing = routing;
        this.settings = settings;
    }

    /**
     * Runs them all.
     *
     * @param loads each in (0, 1]
     * @param seeds of the runs of each load, at least one
     * @param parallel where runs are worked on, each a piece; no answer depends on it
     * @param cyclesDone hears, never twice at a time, how many cycles of all runs are done; runs that end early leave
     *     some out
     * @return one for each load, in their order
     */
    public List<LoadResult> run(double[] loads, long[] seeds, Parallel parallel, LongConsumer cyclesDone) {
        RunResult[] results = new RunResult[loads.length * seeds.length];
        long[] done = {0};
        parallel.forEach(results.length, i -> {
            double load = loads[i / seeds.length];
            long seed = seeds[i % seeds.length];
            results[i] = new CycleSimulator(view, nodes, pattern, routing, settings, load, seed).run(cycles -> {
                synchronized (done) {
                    done[0] += cycles;
                    cyclesDone.accept(done[0]);
                }
            });
        });
        List<LoadResult> answers = new ArrayList<>();
        IntStream.range(0, loads.length)
                .forEach(i -> answers.add(new LoadResult(
                        loads[i], Arrays.asList(results).subList(i * seeds.length, (i + 1) * seeds.length))));
        return answers;
    }
}
