package io.dmodc.routing.cycles;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.check.Fabrics;
import io.dmodc.routing.check.NaiveTables;
import io.dmodc.routing.engines.Engines;
import io.dmodc.routing.traffic.Endpoints;
import io.dmodc.routing.traffic.TrafficPattern;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.pgft.PgftShape;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The simulator against its twin of objects, queue by queue and cycle by cycle. */
class CycleSimulatorTwinTest {
    private static final int RUNS = 120;
    private static final int CYCLES = 300;
    private static final int DRAIN_MAX = 4000;
    private static final List<String> SHAPES =
            List.of("2;2,4;1,2;1,1", "2;4,4;1,2;1,1", "2;3,3;1,3;1,2", "3;2,2,3;1,2,2;1,2,1", "3;2,2,2;1,2,1;1,1,2");
    private static final List<String> ENGINES =
            List.of("dmodc", "minhop", "minimal", "shortest", "spoilt", "random up");

    private int deadlocks;
    private int droppers;

    @Test
    void shouldAgreeWithItsLiteralTwinCycleByCycle() {
        long seed = 20_261_125;
        System.out.println("seed " + seed);
        Map<String, Integer> compared = new TreeMap<>();
        for (int run = 0; run < RUNS; run++) {
            SplittableRandom random = new SplittableRandom(seed + run);
            FabricView view = Fabrics.spoiltView(PgftShape.parse(SHAPES.get(random.nextInt(SHAPES.size()))), random);
            Endpoints nodes = new Endpoints(view);
            String engine = ENGINES.get(random.nextInt(ENGINES.size()));
            int vcs = 1 + random.nextInt(4);
            if (nodes.count() > 1) {
                PacketRouting routing = routing(engine, view, vcs, random);
                compare("seed " + (seed + run) + ", " + engine, view, nodes, routing, vcs, random);
                compared.merge(engine, 1, Integer::sum);
            }
        }
        System.out.println(compared + ", with drops " + droppers + ", with deadlocks " + deadlocks);
        assertThat(compared).containsOnlyKeys(ENGINES);
        assertThat(droppers).isGreaterThan(RUNS / 10);
        assertThat(deadlocks).isBetween(1, RUNS / 2);
    }

    private static PacketRouting routing(String engine, FabricView view, int vcs, SplittableRandom random) {
        byte[][] rows =
                engine.equals("shortest") ? NaiveTables.shortest(view, random) : NaiveTables.minimal(view, random);
        if (engine.equals("spoilt")) {
            NaiveTables.spoil(view, rows, 1 + random.nextInt(view.switchCount() * 2), random);
        }
        LftSet naive = NaiveTables.set(view, rows);
        LftSet made = engine.equals("dmodc") || engine.equals("minhop")
                ? Engines.named(engine, null).route(view, Parallel.sequential()).tables()
                : naive;
        PacketRouting routing = engine.equals("random up")
                ? new RandomUpRouting(view, naive, vcs)
                : new TableRouting(view, made == null ? naive : made, vcs);
        return random.nextBoolean() ? routing : classes(routing, vcs);
    }

    /** Which virtual channels may follow depends on port, channel and destination; nodes have one only. */
    private static PacketRouting classes(PacketRouting routing, int vcs) {
        return new PacketRouting() {
            @Override
            public int injectionVcs() {
                return 1 << (vcs - 1);
            }

            @Override
            public int route(int s, int inputPort, int vc, int node, int random) {
                int answer = routing.route(s, inputPort, vc, node, random);
                int some = 1 << (inputPort + vc + node) % vcs | 1 << (random & 1) % vcs;
                return answer == DROP ? DROP : PacketRouting.answer(answer >>> VC_MAX, some);
            }
        };
    }

    private void compare(
            String what, FabricView view, Endpoints nodes, PacketRouting routing, int vcs, SplittableRandom random) {
        String name = random.nextBoolean() ? "uniform" : "permutation";
        TrafficPattern pattern = TrafficPattern.named(name, nodes.count(), random.nextLong());
        SimulationSettings settings =
                new SimulationSettings(vcs, 1 + random.nextInt(5), random.nextInt(100), CYCLES - 100);
        double load = (1 + random.nextInt(10)) / 10.0;
        long seed = random.nextLong();
        CycleSimulator fast = new CycleSimulator(view, nodes, pattern, routing, settings, load, seed);
        NodeTraffic traffic = new NodeTraffic(nodes, pattern, load, seed);
        LiteralSimulator twin = new LiteralSimulator(view, nodes, routing, settings, traffic, seed);

        for (int cycle = 0; cycle < settings.cycles(); cycle++) {
            fast.step(true);
            twin.step(true);
            compareState(what + ", cycle " + cycle, view, vcs, fast, twin);
        }
        compareResult(what, fast.run(cycles -> {}), twin, nodes, settings.measured());
        drain(what, view, vcs, fast, twin);
        droppers += twin.dropped > 0 ? 1 : 0;
    }

    private static void compareState(
            String what, FabricView view, int vcs, CycleSimulator fast, LiteralSimulator twin) {
        boolean same = fast.moves() == twin.moves && fast.dropped() == twin.dropped;
        for (int s = 0; s < view.switchCount(); s++) {
            for (int port = 1; port <= view.portCount(s); port++) {
                for (int vc = 0; vc < vcs; vc++) {
                    same &= fast.waiting(s, port, vc) == twin.waiting(s, port, vc);
                }
            }
        }
        assertThat(same).as(what).isTrue();
    }

    private static void compareResult(
            String what, RunResult found, LiteralSimulator twin, Endpoints nodes, int measured) {
        List<Integer> sorted = twin.latencies.stream().sorted().toList();
        int count = sorted.size();
        int min = Integer.MAX_VALUE;
        for (int i = 0; i < nodes.count(); i++) {
            min = Math.min(min, twin.arrived.getOrDefault(nodes.node(i), 0));
        }
        assertThat(found.delivered()).as(what).isEqualTo(count);
        assertThat(found.accepted()).as(what).isEqualTo((double) count / measured / nodes.count());
        assertThat(found.acceptedMin()).as(what).isEqualTo((double) min / measured);
        assertThat(found.meanLatency())
                .as(what)
                .isEqualTo(sorted.stream().mapToInt(i -> i).average().orElse(0));
        assertThat(found.medianLatency()).as(what).isEqualTo(count == 0 ? 0 : sorted.get((count + 1) / 2 - 1));
        assertThat(found.p99Latency()).as(what).isEqualTo(count == 0 ? 0 : sorted.get((count * 99 + 99) / 100 - 1));
    }

    /**
     * When nodes only take, what is left in the end is what can never move again, and nothing else; what was said to
     * stand still for ever before is among it.
     */
    private void drain(String what, FabricView view, int vcs, CycleSimulator fast, LiteralSimulator twin) {
        Deadlock early = fast.deadlock();
        long before = -1;
        for (int cycle = 0; cycle < DRAIN_MAX && before != twin.inside() + twin.moves; cycle += 100) {
            before = twin.inside() + twin.moves;
            for (int i = 0; i < 100; i++) {
                fast.step(false);
                twin.step(false);
                compareState(what + ", " + i + " cycles of drain " + cycle, view, vcs, fast, twin);
            }
        }
        Deadlock deadlock = fast.deadlock();
        assertThat(deadlock == null ? 0 : deadlock.packets()).as(what).isEqualTo(twin.inside());
        assertThat(early == null ? 0 : early.packets()).as(what).isLessThanOrEqualTo(twin.inside());
        deadlocks += deadlock == null ? 0 : 1;
    }
}
