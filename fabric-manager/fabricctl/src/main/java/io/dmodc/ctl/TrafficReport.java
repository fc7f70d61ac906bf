package io.dmodc.ctl;

import io.dmodc.ctl.client.TextTable;
import io.dmodc.routing.cycles.Deadlock;
import io.dmodc.routing.cycles.LoadResult;
import io.dmodc.routing.cycles.LoadResult.Spread;
import io.dmodc.routing.cycles.RunResult;
import io.dmodc.routing.cycles.SimulationSettings;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What came of simulated traffic; the JSON of {@code simulate --format json}. Rates are packets a node and cycle, times
 * are cycles.
 *
 * @param engine who made the tables: an engine, or the file they came from, and whether ways up are random
 * @param nodes that take part: they have a host on a live switch
 * @param failedSwitches taken out of the fabric before, as asked
 * @param failedLinks taken out of the fabric before, as asked
 * @param warmUp cycles before anything was measured
 * @param cycles that were measured
 * @param loads in the order asked for
 * @param movesPerSecond packets past a switch a second of wall time, on all threads together
 */
record TrafficReport(
        String engine,
        int switches,
        int nodes,
        int failedSwitches,
        int failedLinks,
        String pattern,
        int vcs,
        int buffers,
        int warmUp,
        int cycles,
        List<Load> loads,
        long moves,
        double movesPerSecond,
        double seconds,
        int threads) {

    /** How long all runs took together. */
    record Speed(long nanos, int threads) {}

    /**
     * One offered load.
     *
     * @param saturated nodes make more than arrives: latencies then are those of so long a run, and no more
     * @param accepted packets that arrived, mean of all nodes
     * @param acceptedMin at the node where fewest arrived
     * @param dropped packets that switches knew no way for, of all runs
     * @param deadlock of the first run that had one; absent if none had
     */
    record Load(
            double load,
            int seeds,
            boolean saturated,
            Figure accepted,
            Figure acceptedMin,
            Figure meanLatency,
            Figure medianLatency,
            Figure p99Latency,
            long dropped,
            @Nullable Standstill deadlock) {
        private static Load of(FabricView view, LoadResult result) {
            Deadlock deadlock = result.deadlock();
            return new Load(
                    result.load(),
                    result.runs().size(),
                    result.saturated(),
                    Figure.of(result.of(RunResult::accepted)),
                    Figure.of(result.of(RunResult::acceptedMin)),
                    Figure.of(result.of(RunResult::meanLatency)),
                    Figure.of(result.of(RunResult::medianLatency)),
                    Figure.of(result.of(RunResult::p99Latency)),
                    result.runs().stream().mapToLong(RunResult::dropped).sum(),
                    deadlock == null ? null : Standstill.of(view, deadlock));
        }
    }

    /** A figure of several seeds. */
    record Figure(double mean, double min, double max) {
        private static Figure of(Spread spread) {
            return new Figure(spread.mean(), spread.min(), spread.max());
        }

        private String print(String format) {
            String middle = String.format(Locale.ROOT, format, mean);
            return String.format(Locale.ROOT, "%s ±" + format, middle, (max - min) / 2);
        }
    }

    /**
     * Packets that can never move again.
     *
     * @param cycle when it was found
     * @param ring inputs that wait for each other in a ring, each for the next
     */
    record Standstill(int cycle, long packets, List<Input> ring) {
        private static Standstill of(FabricView view, Deadlock deadlock) {
            return new Standstill(
                    deadlock.cycle(),
                    deadlock.packets(),
                    deadlock.ring().stream()
                            .map(stuck -> new Input(
                                    Guid.format(view.switchGuid(stuck.switchIndex())),
                                    view.switchName(stuck.switchIndex()),
                                    stuck.port(),
                                    stuck.vc()))
                            .toList());
        }
    }

    /** Where a packet came in that waits. */
    record Input(String guid, String name, int port, int vc) {
        private String place() {
            return (name.isBlank() ? guid : name) + " port " + port;
        }
    }

    static TrafficReport of(
            Fabric fabric,
            String engine,
            int nodes,
            String pattern,
            SimulationSettings settings,
            List<LoadResult> results,
            Speed speed) {
        FabricView view = fabric.view();
        long moves = results.stream()
                .flatMap(result -> result.runs().stream())
                .mapToLong(RunResult::moves)
                .sum();
        return new TrafficReport(
                engine,
                view.switchCount(),
                nodes,
                fabric.damage().switches().size(),
                fabric.damage().cables().size(),
                pattern,
                settings.vcs(),
                settings.buffers(),
                settings.warmUp(),
                settings.measured(),
                results.stream().map(result -> Load.of(view, result)).toList(),
                moves,
                Math.round(moves / (speed.nanos / 1e9)),
                Math.round(speed.nanos / 1e6) / 1e3,
                speed.threads);
    }

    /** True if packets stood still for ever in some run. */
    boolean deadlock() {
        return loads.stream().anyMatch(load -> load.deadlock != null);
    }

    void print(PrintWriter out) {
        out.println(String.format(
                Locale.ROOT,
                "%s: %,d switches, %,d nodes, %s, %d virtual channels of %d packets, %,d cycles after %,d",
                engine,
                switches,
                nodes,
                pattern,
                vcs,
                buffers,
                cycles,
                warmUp));
        out.println();
        table().print(out);
        loads.forEach(load -> printTroubles(load, out));
        out.println();
        out.println(String.format(
                Locale.ROOT,
                "%,d packets past a switch in %.1f s, %.1f million a second on %d threads; ± is half of what seeds differ by",
                moves,
                seconds,
                movesPerSecond / 1e6,
                threads));
    }

    private TextTable table() {
        TextTable table =
                new TextTable("load", "accepted", "at the least node", "latency", "median", "p99", "seeds", "remark");
        for (Load load : loads) {
            table.row(
                    String.format(Locale.ROOT, "%.3f", load.load),
                    load.accepted.print("%.4f"),
                    load.acceptedMin.print("%.4f"),
                    load.meanLatency.print("%.2f"),
                    load.medianLatency.print("%.0f"),
                    load.p99Latency.print("%.0f"),
                    load.seeds,
                    remark(load));
        }
        return table;
    }

    private static String remark(Load load) {
        if (load.deadlock != null) {
            return "deadlock";
        }
        return load.saturated ? "saturated" : "";
    }

    private static void printTroubles(Load load, PrintWriter out) {
        if (load.dropped > 0) {
            out.println(String.format(
                    Locale.ROOT, "load %.3f: %,d packets were dropped: no route", load.load, load.dropped));
        }
        Standstill deadlock = load.deadlock;
        if (deadlock != null) {
            out.println(String.format(
                    Locale.ROOT,
                    "load %.3f: deadlock, found in cycle %,d: %,d packets stand still for ever; in a ring: %s",
                    load.load,
                    deadlock.cycle,
                    deadlock.packets,
                    String.join(", ", deadlock.ring.stream().map(Input::place).toList())));
        }
    }
}
