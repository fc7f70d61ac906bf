package io.dmodc.routing.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftRowBuilder;
import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.change.ChangePlan.Verdict;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Plans of random changes against every mix of entries that they allow. */
class ChangePlanTwinTest {
    static final String[] SHAPES = {
        "2;2,4;1,2;1,1", "2;3,3;1,3;1,2", "3;2,2,3;1,2,2;1,2,1", "3;2,3,2;1,2,3;1,1,1", "3;1,2,4;1,2,2;1,1,2"
    };
    private static final int RUNS = 100 * Integer.getInteger("more", 1);
    private static final int CHANGES = 4;

    @Test
    void shouldKeepEveryPairThroughEveryMixOfAPgft() {
        PlanJudge tally = run(20_261_123, false, false);

        assertThat(tally.notProvable).isZero();
        assertThat(tally.drained).isZero();
        assertThat(tally.mostRounds).isEqualTo(2);
        assertThat(tally.unorderedUnsafe).isGreaterThan(tally.plans / 20);
    }

    @Test
    void shouldKeepEveryPairThroughEveryMixOfAnyCabling() {
        PlanJudge tally = run(20_261_124, true, false);

        assertThat(tally.withSuspects).isGreaterThan(tally.plans / 20);
        assertThat(tally.drained).isPositive();
    }

    /** A fault comes in the middle of a round: of each switch either row may be in force. */
    @Test
    void shouldKeepEveryPairWhereAChangeIsOvertaken() {
        PlanJudge tally = run(20_261_126, false, true);

        assertThat(tally.notProvable).isZero();
        assertThat(tally.inRounds).isGreaterThan(tally.plans / 20);
    }

    /** Equation (1) as printed makes entries off its own ways, which a mix can use. */
    @Test
    void shouldKeepEveryPairOfTablesWithEntriesThatTurn() {
        PlanJudge tally = run(20_261_128, Dmodc.plain(), false, false);

        assertThat(tally.withSuspects).isGreaterThan(tally.plans / 20);
        assertThat(tally.notProvable).isZero();
    }

    /** Moved hosts are what needs most rounds: by the rules two are enough. */
    @Test
    void shouldMoveAHostInTwoRounds() {
        int ordered = 0;
        int pairs = 0;
        int restored = 0;
        for (int run = 0; run < RUNS; run++) {
            SplittableRandom random = new SplittableRandom(run);
            ChangedFabric fabric =
                    new ChangedFabric(PgftShape.parse(SHAPES[run % SHAPES.length]), Dmodc.standard(), random);
            fabric.moveHost();
            fabric.draw();

            ChangePlan plan = fabric.plan();

            MixTwin twin = new MixTwin(fabric.works, fabric.inForce, fabric.tables, plan.suspects());
            LftRow[][] held = MixTwin.schedule(fabric.inForce, fabric.tables, plan, random::nextInt);
            assertThat(plan.rounds())
                    .as("seed %d %s", run, PlanJudge.waiting(plan, twin, held))
                    .isLessThanOrEqualTo(2);
            ordered += plan.rounds() == 2 ? 1 : 0;
            for (int d = plan.suspects().nextSetBit(0);
                    d >= 0;
                    d = plan.suspects().nextSetBit(d + 1)) {
                for (int target = 0; target < fabric.works.targetCount(); target++) {
                    int s = fabric.works.targetSwitch(target);
                    boolean served = twin.arrives(s, d, held[plan.rounds()]);
                    pairs += served ? 1 : 0;
                    restored += served && twin.arrives(s, d, held[1]) ? 1 : 0;
                }
            }
        }
        System.out.println(pairs + " pairs, " + restored + " after round 1, " + ordered + " in two rounds");
        assertThat(ordered).isGreaterThan(RUNS / 2);
        assertThat(restored).isGreaterThan(pairs / 6);
    }

    /** Hosts that come, go and are exchanged, among faults: every pair is kept, and what is known from before changes no plan. */
    @Test
    void shouldPlanWhatBecomesOfHostsAsIfNothingWereKnown() {
        PlanJudge tally = new PlanJudge();
        for (int run = 0; run < RUNS / 2; run++) {
            SplittableRandom random = new SplittableRandom(20_261_129 + run);
            PgftShape shape = PgftShape.parse(SHAPES[run % SHAPES.length]);
            ChangedFabric fabric = new ChangedFabric(shape, Dmodc.standard(), random);
            for (int i = 0; i < 2 * CHANGES; i++) {
                if (random.nextInt(3) == 0) {
                    happen(fabric, random, false);
                }
                for (int j = random.nextInt(3); j >= 0; j--) {
                    fabric.changeHosts();
                }
                fabric.draw();
                ChangePlan anew = fabric.planAnew();
                ChangePlan plan = fabric.plan();
                String what = "seed " + (20_261_129 + run) + ", change " + i;
                tally.judge(fabric, plan, random, what);
                assertThat(plan.suspects()).as(what).isEqualTo(anew.suspects());
                assertThat(steps(plan, fabric)).as(what).isEqualTo(steps(anew, fabric));
                assertThat(plan.restoring()).as(what).isEqualTo(anew.restoring());
                fabric.acknowledge();
            }
        }
        System.out.println(tally);
        assertThat(tally.notProvable).isZero();
        assertThat(tally.withSuspects).isGreaterThan(tally.plans / 20);
        assertThat(tally.inRounds).isGreaterThan(tally.plans / 100);
    }

    /** A host that came is in another span of columns than the others of its leaf: what is below a switch is more than it was. */
    @Test
    void shouldKnowAfterwardsWhereHostsAreThatCame() {
        int restoring = 0;
        for (int run = 0; run < 8; run++) {
            SplittableRandom random = new SplittableRandom(run);
            ChangedFabric fabric =
                    new ChangedFabric(PgftShape.parse("3;2,4,128;1,2,2;1,1,1"), Dmodc.standard(), random);
            int count = fabric.works.nodeCount();
            while (fabric.works.nodeCount() == count) {
                fabric.changeHosts();
                fabric.draw();
                fabric.plan();
                fabric.acknowledge();
            }
            fabric.cutAboveTheLastHost();
            fabric.draw();

            ChangePlan anew = fabric.planAnew();
            ChangePlan plan = fabric.plan();

            assertThat(steps(plan, fabric)).as("seed " + run).isEqualTo(steps(anew, fabric));
            assertThat(plan.restoring()).as("seed " + run).isEqualTo(anew.restoring());
            restoring += plan.restoring().cardinality();
        }
        assertThat(restoring).isPositive();
    }

    private static List<String> steps(ChangePlan plan, ChangedFabric fabric) {
        List<String> steps = new ArrayList<>();
        LftRowBuilder builder = new LftRowBuilder();
        for (int s = 0; s < fabric.works.switchCount(); s++) {
            for (ChangePlan.Step step : plan.steps(s, builder)) {
                steps.add(s + " in round " + step.round() + ": "
                        + Arrays.toString(step.row().toBytes()));
            }
        }
        return steps;
    }

    /** On any cabling such a fault may leave turns behind that no order avoids: then the plan says so. */
    @Test
    void shouldProveOnlyWhatHoldsWhereAnyChangeIsOvertaken() {
        PlanJudge tally = run(20_261_127, true, true);

        assertThat(tally.notProvable).isLessThan(tally.plans / 10);
        assertThat(tally.drained).isPositive();
    }

    /** Tables of which many columns are suspect do not wait for them to be ordered; the others keep their rounds. */
    @Test
    void shouldOrderNoSuspectColumnWhereTheyAreTooMany() {
        int ordered = 0;
        for (int run = 0; run < 40; run++) {
            SplittableRandom random = new SplittableRandom(run);
            ChangedFabric fabric =
                    new ChangedFabric(PgftShape.parse(SHAPES[run % SHAPES.length]), Dmodc.standard(), random);
            fabric.cutCables(3);
            fabric.draw();
            fabric.settle();
            fabric.moveHost();
            fabric.mendCables(3);
            fabric.draw();

            ChangePlan plan = fabric.plan(new ChangeTerms(0, 0, true, false));

            assertThat(plan.verdict() == Verdict.NOT_PROVABLE)
                    .isEqualTo(!plan.suspects().isEmpty());
            for (int s = 0; s < fabric.works.switchCount(); s++) {
                assertThat(plan.later(s, 2).intersects(plan.suspects())).isFalse();
            }
            ordered += plan.waitingEntries() > 0 && !plan.suspects().isEmpty() ? 1 : 0;
        }
        assertThat(ordered).isPositive();
    }

    private static PlanJudge run(long seed, boolean anything, boolean overtaken) {
        return run(seed, Dmodc.standard(), anything, overtaken);
    }

    private static PlanJudge run(long seed, RoutingEngine engine, boolean anything, boolean overtaken) {
        System.out.println("seed " + seed);
        PlanJudge tally = new PlanJudge();
        for (int run = 0; run < RUNS; run++) {
            SplittableRandom random = new SplittableRandom(seed + run);
            ChangedFabric fabric = new ChangedFabric(PgftShape.parse(SHAPES[run % SHAPES.length]), engine, random);
            if (run % 2 == 1) {
                fabric.loadInBatches();
            }
            if (anything) {
                fabric.swapCables(random.nextInt(3));
            }
            fabric.cutCables(random.nextInt(4));
            fabric.killSwitches(random.nextInt(2));
            fabric.draw();
            fabric.settle();
            for (int i = 0; i < CHANGES; i++) {
                happen(fabric, random, anything);
                fabric.draw();
                ChangePlan plan = fabric.plan();
                tally.judge(fabric, plan, random, "seed " + (seed + run) + ", change " + i);
                if (!overtaken) {
                    fabric.settle();
                } else if (plan.rounds() > 0) {
                    fabric.stopIn(1 + random.nextInt(plan.rounds() + 1), plan);
                }
            }
        }
        System.out.println(tally);
        return tally;
    }

    static void happen(ChangedFabric fabric, SplittableRandom random, boolean anything) {
        switch (random.nextInt(anything ? 7 : 5)) {
            case 0 -> fabric.cutCables(1 + random.nextInt(3));
            case 1 -> fabric.mendCables(1 + random.nextInt(3));
            case 2 -> fabric.killSwitches(1);
            case 3 -> fabric.wakeSwitches(2);
            case 4 -> {
                fabric.cutCables(random.nextInt(3));
                fabric.mendCables(random.nextInt(3));
                fabric.killSwitches(random.nextInt(2));
                fabric.wakeSwitches(random.nextInt(2));
            }
            case 5 -> fabric.moveHost();
            default -> fabric.swapCables(1);
        }
    }
}
