package io.dmodc.routing.rebalance;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.dmodc.CostsAndDividers;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.routing.dmodc.RandomFabrics;
import io.dmodc.topology.FabricView;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Counters that follow moves, against all flows walked one by one afterwards. */
class ShiftLoadsTwinTest {
    private static final int SEEDS = 300;
    private static final int MOVES = 20;

    @Test
    void shouldCountWhatAWalkOfAllFlowsCounts() {
        int moved = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            FabricView view = RandomFabrics.draw(seed);
            LftSet tables = Dmodc.standard().route(view, Parallel.sequential()).tables();
            if (tables != null) {
                ShiftLoads loads = new ShiftLoads(view, tables, Parallel.sequential());
                moved += moveAtRandom(loads, new SplittableRandom(seed));
                assertThat(weights(loads)).as("seed " + seed).isEqualTo(walked(loads));
            }
        }
        assertThat(moved).isGreaterThan(SEEDS);
    }

    /** Each is weighed beforehand, too, and weighs that afterwards. */
    private static int moveAtRandom(ShiftLoads loads, SplittableRandom random) {
        CostsAndDividers known = Dmodc.standard().costsAndDividers(loads.view, Parallel.sequential());
        DestinationTree tree = new DestinationTree(loads);
        int moved = 0;
        for (int i = 0; i < MOVES && loads.node.length > 0; i++) {
            int d = loads.node[random.nextInt(loads.node.length)];
            tree.follow(d);
            int s = tree.size() == 0 ? loads.home[d] : tree.switchAt(random.nextInt(tree.size()));
            int[] ports = known.alternatives(s, d);
            int port = ports[random.nextInt(ports.length)];
            if (s != loads.home[d] && port != (loads.rows[s][d] & 0xff)) {
                long expected = LongStream.of(weights(loads)).sum() + weightChange(loads, tree, s, d, port);
                loads.move(tree, s, d, port);
                assertThat(LongStream.of(weights(loads)).sum()).isEqualTo(expected);
                moved++;
            }
        }
        return moved;
    }

    private static long weightChange(ShiftLoads loads, DestinationTree tree, int s, int d, int port) {
        int old = loads.channel(s, d);
        int now = loads.channel[s << 8 | port];
        long change = loads.joining(now, tree, s, Long.MAX_VALUE) - loads.leaving(old, tree, s);
        while (loads.peer[old] != loads.peer[now]) {
            old = loads.channel(loads.peer[old], d);
            now = loads.channel(loads.peer[now], d);
            change += loads.joining(now, tree, s, Long.MAX_VALUE) - loads.leaving(old, tree, s);
        }
        return change;
    }

    private static long[] weights(ShiftLoads loads) {
        return IntStream.range(0, loads.place.length).mapToLong(loads::weight).toArray();
    }

    private static long[] walked(ShiftLoads loads) {
        long[] weights = new long[loads.place.length];
        int n = loads.node.length;
        for (int k = 1; k < n; k++) {
            int[] flows = new int[weights.length];
            for (int from = 0; from < n; from++) {
                walk(loads, loads.home[loads.node[from]], loads.node[(from + k) % n], flows);
            }
            for (int c = 0; c < flows.length; c++) {
                weights[c] += IntStream.range(0, flows[c])
                        .mapToLong(i -> (long) Math.pow(8, Math.min(i, 12)))
                        .sum();
            }
        }
        return weights;
    }

    private static void walk(ShiftLoads loads, int source, int d, int[] flows) {
        FabricView view = loads.view;
        Set<Integer> met = new HashSet<>();
        for (int at = source; at != view.nodeSwitch(d) && met.add(at); ) {
            int port = loads.rows[at][d] & 0xff;
            if (port == LftSet.NO_ROUTE) {
                return;
            }
            flows[loads.channel[at << 8 | port]]++;
            at = view.peerSwitch(at, port);
        }
    }
}
