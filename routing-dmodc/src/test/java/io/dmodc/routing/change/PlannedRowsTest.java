package io.dmodc.routing.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftRowBuilder;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.PortPattern;
import io.dmodc.routing.Rerouter;
import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.change.ChangePlan.Step;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.pgft.PgftShape;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What switches are given while entries wait, column by column against rows that are written out. */
class PlannedRowsTest {
    /** Two spans of columns. */
    private static final PgftShape SHAPE = PgftShape.parse("3;10,6,18;1,6,6;1,1,1");

    /** Most switches are away at first, as agents come in; each step has more of them, and other cables. */
    @Test
    void shouldGiveTheRowsThatPatternsWrittenOutMake() {
        int partly = 0;
        for (int seed = 1; seed <= 2; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            ChangedFabric fabric = new ChangedFabric(SHAPE, oneRerouter(), random);
            fabric.killSwitches(40);
            fabric.cutCables(40);
            fabric.draw();
            fabric.plan();
            fabric.acknowledge();
            for (int i = 0; i < 3; i++) {
                fabric.wakeSwitches(8);
                fabric.cutCables(10);
                fabric.mendCables(15);
                fabric.draw();
                ChangePlan plan = fabric.plan();

                LftRowBuilder builder = new LftRowBuilder();
                for (int s = 0; s < fabric.works.switchCount(); s++) {
                    List<Step> steps = plan.steps(s, builder);
                    partly += steps.size() > 1 ? 1 : 0;
                    requireTwins("seed " + seed + ", change " + i + ", switch " + s, plan, s, fabric, steps);
                }
                fabric.stopIn(plan.rounds(), plan);
            }
        }
        assertThat(partly).as("switches that were given more than one row").isGreaterThan(100);
    }

    /** All views are routed by what one of them left. */
    private static RoutingEngine oneRerouter() {
        Rerouter rerouter = Dmodc.standard().rerouter();
        return new RoutingEngine() {
            @Override
            public String name() {
                return "dmodc";
            }

            @Override
            public RoutingResult route(FabricView view, Parallel parallel) {
                return rerouter.route(view, parallel);
            }

            @Override
            public LftSet routeSwitches(FabricView view, Parallel parallel) {
                return Dmodc.standard().routeSwitches(view, parallel);
            }
        };
    }

    private static void requireTwins(String what, ChangePlan plan, int s, ChangedFabric fabric, List<Step> steps) {
        LftRow[] held = fabric.inForce.of(s);
        PortPattern[] before = patterns(held.length == 0 ? LftRow.noRoutes(fabric.tables.entryCount()) : held[0]);
        for (Step step : steps) {
            PortPattern[] expected = patterns(fabric.tables.row(s));
            for (int round = step.round() + 1; round <= plan.rounds(); round++) {
                BitSet later = plan.later(s, round);
                for (int d = later.nextSetBit(0); d >= 0; d = later.nextSetBit(d + 1)) {
                    expected[d] = plan.dropped(s).get(d) ? PortPattern.NO_ROUTE : before[d];
                }
            }
            assertThat(Arrays.equals(patterns(step.row()), expected))
                    .as("%s, round %d", what, step.round())
                    .isTrue();
        }
    }

    private static PortPattern[] patterns(LftRow row) {
        PortPattern[] patterns = new PortPattern[row.entryCount()];
        row.forEachRun(0, patterns.length, (from, to, pattern) -> Arrays.fill(patterns, from, to, pattern));
        return patterns;
    }
}
