package io.dmodc.routing.dmodc;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.Parallel;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GroupOrder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;

/** Costs brought up to date fault by fault, against a search of each view, where layers and targets are more than a few. */
class CostLayersTwinTest {
    /** 192 leaves: three words of targets, three layers above a leaf, and more unlike leaves than one thread looks at alone. */
    private static final PgftShape SHAPE = PgftShape.parse("4;1,4,4,12;1,4,2,1;1,1,1,1");

    private static final int FAULTS = 5;
    private static final int CABLES_A_FAULT = 5;

    private final SplittableRandom random = new SplittableRandom(5);
    private final FabricViewBuilder fabric = PgftGenerator.generate(SHAPE);
    private final NodeIndexMap nodes = new NodeIndexMap();
    private final GuidNumbers levels = new GuidNumbers();
    private int shared;

    @Test
    void shouldMatchASearchAfterFaultsThatThreadsShare() {
        FabricView whole = fabric.build(0, nodes, levels);
        for (int s = 0; s < whole.switchCount(); s++) {
            levels.put(whole.switchGuid(s), whole.rank(s));
        }
        Degradation.apply(fabric, 8, whole.linkCount() / 4, random);
        FabricView view = fabric.build(1, nodes, levels);
        ForkJoinPool pool = new ForkJoinPool(3);
        try {
            CostLayers costs = new CostLayers(view, TargetColumns.nodes(view), GroupOrder.GUID);
            costs.update(view, DmodcRerouter.allSwitches(view), Parallel.on(pool));
            for (int fault = 0; fault < FAULTS; fault++) {
                Degradation.apply(fabric, 0, CABLES_A_FAULT, random);
                FabricView next = fabric.build(2 + fault, nodes, levels);
                int[] relinked = Objects.requireNonNull(next.switchesRelinkedSince(view));
                assertThat(relinked).hasSizeBetween(1, 2 * CABLES_A_FAULT);
                costs.update(next, relinked, counting(Parallel.on(pool)));
                compare("fault " + fault, next, costs);
                view = next;
            }
        } finally {
            pool.shutdown();
        }
        System.out.println("threads shared the sides of a rank " + shared + " times in " + FAULTS + " faults");
        assertThat(shared).isPositive();
    }

    private Parallel counting(Parallel parallel) {
        return (count, body) -> {
            shared++;
            parallel.forEach(count, body);
        };
    }

    private static void compare(String what, FabricView view, CostLayers costs) {
        for (int s = 0; s < view.switchCount(); s++) {
            int[] hops = search(view, s);
            for (int target = 0; target < view.targetCount(); target++) {
                if (costs.cost(s, target) != hops[view.targetSwitch(target)]) {
                    assertThat(costs.cost(s, target))
                            .as("%s: cost of switch %d to target %d", what, s, target)
                            .isEqualTo(hops[view.targetSwitch(target)]);
                }
            }
        }
    }

    /** Breadth first over (switch, whether it may still climb): hops to each switch. */
    private static int[] search(FabricView view, int start) {
        int count = view.switchCount();
        int[] hops = new int[2 * count];
        Arrays.fill(hops, CostLayers.UNREACHABLE);
        int[] queue = new int[2 * count];
        int queued = 0;
        if (view.alive(start)) {
            hops[start] = 0;
            queue[queued++] = start;
        }
        for (int next = 0; next < queued; next++) {
            int s = queue[next] % count;
            boolean climbing = queue[next] < count;
            for (int port = 1; port <= view.portCount(s); port++) {
                int remote = view.peerSwitch(s, port);
                boolean up = remote >= 0 && view.rank(remote) > view.rank(s);
                int state = up ? remote : count + remote;
                if (remote >= 0 && (climbing || !up) && hops[state] == CostLayers.UNREACHABLE) {
                    hops[state] = hops[queue[next]] + 1;
                    queue[queued++] = state;
                }
            }
        }
        int[] least = new int[count];
        Arrays.setAll(least, s -> Math.min(hops[s], hops[count + s]));
        return least;
    }
}
