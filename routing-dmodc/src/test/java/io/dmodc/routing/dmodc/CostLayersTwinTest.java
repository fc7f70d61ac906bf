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
        assertThat(shared).isPositive();
    }

    private Parallel counting(Parallel parallel) {
        return (count, body) -> {
            shared++;
            parallel.forEach(count, body);
        };
    }

    private static void compare(String what, FabricView view, CostLayers costs) {
        SlowDmodc slow = new SlowDmodc(view, SlowDmodc.Form.STRICT);
        for (int s = 0; s < view.switchCount(); s++) {
            for (int target = 0; target < view.targetCount(); target++) {
                int expected = Math.min(slow.cost(s, view.targetSwitch(target)), CostLayers.UNREACHABLE);
                if (costs.cost(s, target) != expected) {
                    assertThat(costs.cost(s, target))
                            .as("%s: cost of switch %d to target %d", what, s, target)
                            .isEqualTo(expected);
                }
            }
        }
    }
}
