package io.dmodc.routing.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.change.ChangePlan.Verdict;
import io.dmodc.routing.check.Fabrics;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.routing.minhop.MinHop;
import io.dmodc.routing.updown.RootGuids;
import io.dmodc.routing.updown.UpDown;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.dmodc.topology.pgft.PgftShape;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Changes from one engine to another, by which packets may turn: what is proven of them, and what it costs where nothing is. */
class EngineChangeTest {
    private static final int RUNS = 200 * Integer.getInteger("more", 1);
    private static final List<String> SHAPES_OF_80 = List.of("3;4,4,4;1,2,2;1,2,1", "3;3,3,9;1,3,3;1,1,1");

    private static final ChangeTerms QUIESCE = ChangeTerms.UNBOUNDED.withQuiesce(true);

    @Test
    void shouldGoFromMinHopToDmodcWithoutADrainWhereLittleIsDegraded() {
        for (int run = 0; run < 80; run++) {
            ChangedFabric fabric = damaged(run, 3, new MinHop());
            fabric.use(Dmodc.standard());
            fabric.draw();

            ChangePlan plan = fabric.plan();

            assertThat(plan.verdict()).as("%d: %s", run, plan.text()).isNotEqualTo(Verdict.NOT_PROVABLE);
            assertThat(plan.drains().isEmpty()).as("%d: %s", run, plan.text()).isTrue();
        }
    }

    @Test
    void shouldFindCirclesBetweenMinHopAndDmodcWhereMuchIsDegraded() {
        int free = 0;
        int circles = 0;
        for (int run = 0; run < 40; run++) {
            ChangedFabric fabric = damaged(run, 10, new MinHop());
            fabric.use(Dmodc.standard());
            fabric.draw();

            ChangePlan plan = fabric.plan();

            boolean circle =
                    plan.verdict() == Verdict.NOT_PROVABLE || !plan.drains().isEmpty();
            circles += circle ? 1 : 0;
            free += plan.free().isEmpty() ? 0 : 1;
        }
        System.out.println(circles + " of 40 have a circle, in " + free + " packets may turn");
        assertThat(circles).isBetween(1, 39);
        assertThat(free).isPositive();
    }

    /** Where both have the same levels: the roots are named, as they are not those that are found where much is degraded. */
    @Test
    void shouldNeverTurnBetweenUpDownAndDmodc() {
        for (int run = 0; run < 80; run++) {
            PgftShape shape = PgftShape.parse(SHAPES_OF_80.get(run % SHAPES_OF_80.size()));
            FabricView whole = Fabrics.pgft(shape.toString());
            List<String> roots = IntStream.range(0, whole.switchCount())
                    .filter(s -> whole.rank(s) == whole.rankMax())
                    .mapToObj(s -> Guid.format(whole.switchGuid(s)))
                    .toList();
            RoutingEngine updn = new UpDown(RootGuids.parse("roots", roots));
            ChangedFabric fabric = damaged(run, 3, run % 2 == 0 ? updn : Dmodc.standard());
            fabric.use(run % 2 == 0 ? Dmodc.standard() : updn);
            fabric.draw();

            ChangePlan plan = fabric.plan();

            assertThat(plan.verdict()).as("%d: %s", run, plan.text()).isNotEqualTo(Verdict.NOT_PROVABLE);
            assertThat(plan.free().isEmpty()).as("%d: %s", run, plan.text()).isTrue();
        }
    }

    private static ChangedFabric damaged(int run, int percent, RoutingEngine engine) {
        SplittableRandom random = new SplittableRandom(run);
        ChangedFabric fabric =
                new ChangedFabric(PgftShape.parse(SHAPES_OF_80.get(run % SHAPES_OF_80.size())), engine, random);
        fabric.cutCables(fabric.cableCount() * percent / 100);
        fabric.draw();
        fabric.settle();
        return fabric;
    }

    @Test
    void shouldKeepEveryPairThroughEveryMixOfTwoEngines() {
        PlanJudge tally = run(20_261_201, ChangeTerms.UNBOUNDED, false);

        assertThat(tally.free).isGreaterThan(tally.plans / 20);
        assertThat(tally.notProvable).isPositive();
        assertThat(tally.kept).isPositive();
        assertThat(tally.quiesced).isZero();
    }

    @Test
    void shouldCloseNoCircleWhileColumnsStandStill() {
        PlanJudge tally = run(20_261_202, QUIESCE, false);

        assertThat(tally.quiesced).isPositive();
        assertThat(tally.notProvable).isLessThan(tally.quiesced);
    }

    /** Who cannot be told to drop packets goes on sending them. */
    @Test
    void shouldProveOnlyWhatHoldsWhereSwitchesCannotBeTold() {
        PlanJudge tally = run(20_261_203, QUIESCE, true);

        assertThat(tally.quiesced).isPositive();
        assertThat(tally.notProvable).isPositive();
    }

    /** Two of 8,000 runs in which a pair was lost that worked, when columns that cannot be proven changed at once. */
    @Test
    void shouldLoseNothingThatWorksInColumnsThatAreNotProvable() {
        assertThat(run(20_261_203, 1071, 1072, QUIESCE, true).kept).isPositive();
        assertThat(run(20_261_202, 2183, 2184, QUIESCE, false).kept).isPositive();
    }

    /**
     * One of 8,000 runs: by the old entries no packet comes to a switch that delivers and loses its entry, but a new one leads to another that sends there as
     * yet. It lost its entry in the first round.
     */
    @Test
    void shouldTakeNothingAwayToWhichOnlyAMixLeads() {
        assertThat(run(20_261_203, 3809, 3810, QUIESCE, true).inRounds).isOne();
    }

    private static PlanJudge run(long seed, ChangeTerms terms, boolean untold) {
        return run(seed, 0, RUNS, terms, untold);
    }

    private static PlanJudge run(long seed, int from, int to, ChangeTerms terms, boolean untold) {
        System.out.println("seed " + seed);
        PlanJudge tally = new PlanJudge();
        for (int run = from; run < to; run++) {
            SplittableRandom random = new SplittableRandom(seed + run);
            RoutingEngine[] engines = {Dmodc.standard(), Dmodc.plain(), new MinHop(), new UpDown(null)};
            String shape = ChangePlanTwinTest.SHAPES[run % ChangePlanTwinTest.SHAPES.length];
            ChangedFabric fabric =
                    new ChangedFabric(PgftShape.parse(shape), engines[random.nextInt(engines.length)], random);
            if (run % 2 == 1) {
                fabric.loadInBatches();
            }
            fabric.swapCables(random.nextInt(4) / 3);
            fabric.cutCables(random.nextInt(6));
            fabric.draw();
            fabric.settle();
            fabric.use(engines[random.nextInt(engines.length)]);
            if (random.nextInt(3) == 0) {
                ChangePlanTwinTest.happen(fabric, random, random.nextBoolean());
            }
            if (random.nextInt(4) == 0) {
                fabric.shiftLevel();
            }
            fabric.loseAgents(untold ? random.nextInt(3) : 0);
            fabric.draw();
            if (!fabric.isRouted()) {
                continue; // nothing would be sent
            }
            ChangePlan plan = fabric.plan(terms);
            if (terms.quiesce() && !untold && plan.verdict() == Verdict.NOT_PROVABLE) {
                assertThat(ChannelTwin.hasCircle(fabric.works, fabric.rows()))
                        .as("seed %d: the new tables alone, %s", seed + run, plan.text())
                        .isTrue();
            }
            tally.judge(fabric, plan, random, "seed " + (seed + run));
        }
        System.out.println(tally);
        return tally;
    }
}
