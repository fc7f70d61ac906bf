package io.dmodc.routing.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.LftRowBuilder;
import io.dmodc.routing.change.ChangePlan.Step;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.topology.pgft.PgftShape;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Where tables are loaded in batches, a switch of which some entries wait is not given its others before, where these mend nothing. */
class JoinedRoundsTest {
    private static final PgftShape SHAPE = PgftShape.parse("3;3,3,3;1,3,3;1,1,1");

    private final LftRowBuilder builder = new LftRowBuilder();

    private static ChangedFabric fabric(int seed) {
        return new ChangedFabric(SHAPE, Dmodc.standard(), new SplittableRandom(seed));
    }

    private static ChangedFabric batched(int seed) {
        ChangedFabric fabric = fabric(seed);
        fabric.loadInBatches();
        return fabric;
    }

    /** A cable that was cut is there again. */
    private static ChangePlan cableBack(ChangedFabric fabric) {
        fabric.cutCables(1);
        fabric.draw();
        fabric.settle();
        fabric.mendCables(1);
        fabric.draw();
        return fabric.plan();
    }

    /** Columns in which the row changes and that need not wait for round 2. */
    private static BitSet free(ChangedFabric fabric, ChangePlan plan, int s) {
        BitSet free = new BitSet();
        fabric.inForce.addChanging(s, fabric.tables.row(s), free);
        free.andNot(plan.later(s, 2));
        return free;
    }

    @Test
    void shouldGiveEachSwitchOneTableWhenACableIsBack() {
        int waiting = 0;
        for (int seed = 0; seed < 20; seed++) {
            ChangedFabric fabric = batched(seed);

            ChangePlan plan = cableBack(fabric);

            for (int s = 0; s < fabric.works.switchCount(); s++) {
                List<Step> steps = plan.steps(s, builder);
                assertThat(steps).as("seed %d, switch %d", seed, s).hasSizeLessThanOrEqualTo(1);
                boolean waits = plan.waiting().get(s);
                assertThat(steps).allMatch(step -> step.round() == (waits ? 2 : 1));
            }
            waiting += plan.waiting().cardinality();
        }
        assertThat(waiting).isGreaterThan(50);
    }

    /** Theorem 2: all else is round 1. An agent's second table costs milliseconds, and a switch that is waited for may be silent. */
    @Test
    void shouldHoldBackOnlyWhatMustWaitWhereEachTableGoesByItself() {
        int both = 0;
        for (int seed = 0; seed < 20; seed++) {
            ChangedFabric fabric = fabric(seed);

            ChangePlan plan = cableBack(fabric);

            for (int s = 0; s < fabric.works.switchCount(); s++) {
                boolean waits = plan.waiting().get(s);
                boolean changesBefore = !free(fabric, plan, s).isEmpty();
                assertThat(plan.steps(s, builder).stream().anyMatch(step -> step.round() == 2))
                        .as("seed %d, switch %d", seed, s)
                        .isEqualTo(waits);
                assertThat(!changesBefore || plan.steps(s, builder).get(0).round() == 1)
                        .as("seed %d, switch %d", seed, s)
                        .isTrue();
                both += waits && changesBefore ? 1 : 0;
            }
        }
        assertThat(both).isGreaterThan(50);
    }

    /** It keeps what waits for it, for as long as nobody can tell it anything, and no more. */
    @Test
    void shouldNotKeepOtherEntriesForASwitchThatCannotBeTold() {
        int held = 0;
        for (int seed = 0; seed < 200; seed++) {
            ChangedFabric fabric = batched(seed);
            fabric.killSwitches(1);
            fabric.draw();
            fabric.settle();
            fabric.wakeSwitches(1);
            fabric.loseAgents(3);
            fabric.draw();

            ChangePlan plan = fabric.plan();

            for (int s = 0; s < fabric.works.switchCount(); s++) {
                if (plan.awaited(s, 2).stream().anyMatch(fabric.inForce::isUntold)) {
                    BitSet free = free(fabric, plan, s);
                    held += free.isEmpty() ? 0 : 1;
                    assertThat(free.isEmpty() || plan.steps(s, builder).get(0).round() == 1)
                            .as("seed %d, switch %d", seed, s)
                            .isTrue();
                }
            }
        }
        assertThat(held).isPositive();
    }
}
