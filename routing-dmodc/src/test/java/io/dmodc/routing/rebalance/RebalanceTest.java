package io.dmodc.routing.rebalance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.routing.LftDelta;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.check.CheckReport;
import io.dmodc.routing.check.TableCheck;
import io.dmodc.routing.dmodc.CostsAndDividers;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.routing.dmodc.RandomFabrics;
import io.dmodc.routing.quality.CongestionRisk;
import io.dmodc.routing.quality.PatternRisk;
import io.dmodc.routing.quality.Progress;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.design.SwitchLevels;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;

class RebalanceTest {
    private static final Parallel HERE = Parallel.sequential();
    private static final int SEEDS = 400;

    /** Levels kept, so many upper switches lost. */
    static FabricView damaged(String shape, int switches, long seed) {
        FabricViewBuilder fabric = PgftGenerator.generate(PgftShape.parse(shape));
        NodeIndexMap nodes = new NodeIndexMap();
        FabricView whole = fabric.build(0, nodes, new GuidNumbers());
        GuidNumbers levels = SwitchLevels.of(whole, new GuidNumbers());
        Degradation.apply(fabric, switches, 0, new SplittableRandom(seed));
        return fabric.build(1, nodes, levels);
    }

    private static LftSet dmodc(FabricView view) {
        return Objects.requireNonNull(Dmodc.standard().route(view, HERE).tables());
    }

    private static Rebalanced rebalanced(FabricView view, LftSet tables, int blocksMost) {
        CostsAndDividers known = Dmodc.standard().costsAndDividers(view, HERE);
        return Rebalance.of(view, tables, known, blocksMost, HERE, Progress.NONE);
    }

    @Test
    void shouldStayLegalAndWithinTheBoundWhateverIsDamaged() {
        int moved = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            FabricView view = RandomFabrics.draw(seed);
            LftSet tables = Dmodc.standard().route(view, HERE).tables();
            if (tables == null) {
                continue;
            }
            int most = new SplittableRandom(seed).nextInt(1, 6);

            Rebalanced rebalanced = rebalanced(view, tables, most);

            String which = "seed " + seed;
            assertSameReach(which, view, tables, rebalanced.tables());
            assertCandidatesOnly(which, view, tables, rebalanced);
            assertThat(rebalanced.blocks()).as(which).isLessThanOrEqualTo(most);
            assertNoRiskRose(which, view, tables, rebalanced);
            moved += rebalanced.entries() > 0 ? 1 : 0;
        }
        assertThat(moved).as("fabrics with an entry moved").isGreaterThan(SEEDS / 10);
    }

    /** Delivered, up–down, without loops and cycles of channels, and no pair more or less. */
    private static void assertSameReach(String which, FabricView view, LftSet before, LftSet after) {
        CheckReport report = TableCheck.check(view, after, HERE);
        assertThat(report.failures()).as(which).isEmpty();
        assertThat(report).as(which).isEqualTo(TableCheck.check(view, before, HERE));
        assertThat(CongestionRisk.unroutedPairs(view, after, HERE))
                .as(which)
                .isEqualTo(CongestionRisk.unroutedPairs(view, before, HERE));
    }

    private static void assertCandidatesOnly(String which, FabricView view, LftSet before, Rebalanced rebalanced) {
        CostsAndDividers known = Dmodc.standard().costsAndDividers(view, HERE);
        int entries = 0;
        int blocks = 0;
        int switches = 0;
        for (int s = 0; s < view.switchCount(); s++) {
            int last = -1;
            for (int d = 0; d < view.nodeCount(); d++) {
                int port = rebalanced.tables().port(s, d);
                if (port != before.port(s, d)) {
                    assertThat(known.alternatives(s, d)).as(which).contains(port);
                    entries++;
                    blocks += d / LftDelta.BLOCK > last ? 1 : 0;
                    switches += last < 0 ? 1 : 0;
                    last = d / LftDelta.BLOCK;
                }
            }
        }
        assertThat(new int[] {entries, blocks, switches})
                .as(which)
                .containsExactly(rebalanced.entries(), rebalanced.blocks(), rebalanced.switches());
    }

    private static void assertNoRiskRose(String which, FabricView view, LftSet tables, Rebalanced rebalanced) {
        assertThat(rebalanced.before()).as(which).isEqualTo(risk(view, tables));
        assertThat(rebalanced.after()).as(which).isEqualTo(risk(view, rebalanced.tables()));
        assertThat(rebalanced.after().allToAll())
                .as(which)
                .isLessThanOrEqualTo(rebalanced.before().allToAll());
        assertThat(rebalanced.after().shiftMax())
                .as(which)
                .isLessThanOrEqualTo(rebalanced.before().shiftMax());
        if (rebalanced.entries() > 0) {
            assertThat(rebalanced.after().shiftMean())
                    .as(which)
                    .isLessThan(rebalanced.before().shiftMean());
        }
    }

    private static Rebalanced.Risk risk(FabricView view, LftSet tables) {
        CongestionRisk risk = CongestionRisk.of(view, tables, HERE, Progress.NONE);
        PatternRisk shifts = risk.shifts(Progress.NONE);
        return new Rebalanced.Risk(
                risk.allToAll(),
                shifts.whole().max(),
                shifts.whole().mean(),
                shifts.least().mean());
    }

    @Test
    void shouldLowerTheShiftsOfADamagedFabricByATenthWithinATwentiethOfItsBlocks() {
        FabricView view = damaged("3;8,8,8;1,8,8;1,1,1", 8, 1);
        LftSet tables = dmodc(view);
        int most = Rebalance.standardBlocks(tables);

        Rebalanced rebalanced = rebalanced(view, tables, most);

        assertThat(most).isEqualTo((view.switchCount() * 8 + 19) / 20);
        assertThat(rebalanced.blocks()).isBetween(1, most);
        assertThat(rebalanced.after().shiftMean())
                .isLessThan(0.9 * rebalanced.before().shiftMean());
    }

    @Test
    void shouldNotDependOnThreads() {
        FabricView view = damaged("3;8,8,8;1,8,8;1,1,1", 8, 2);
        LftSet tables = dmodc(view);
        CostsAndDividers known = Dmodc.standard().costsAndDividers(view, HERE);
        ForkJoinPool pool = new ForkJoinPool(3);

        Rebalanced one = rebalanced(view, tables, 40);
        Rebalanced other = Rebalance.of(view, tables, known, 40, Parallel.on(pool), Progress.NONE);
        pool.shutdown();

        assertThat(one.entries()).isPositive();
        for (int s = 0; s < view.switchCount(); s++) {
            assertThat(other.tables().row(s).toBytes())
                    .isEqualTo(one.tables().row(s).toBytes());
        }
    }

    @Test
    void shouldLeaveAWholeFabricAsItIs() {
        FabricView view = damaged("3;4,4,4;1,4,4;1,1,1", 0, 1);
        LftSet tables = dmodc(view);

        assertThat(rebalanced(view, tables, 1000).tables()).isSameAs(tables);
    }

    @Test
    void shouldLeaveTablesOfWhichNoBlockMayChange() {
        FabricView view = damaged("3;4,4,4;1,4,4;1,1,1", 3, 1);
        LftSet tables = dmodc(view);

        assertThat(rebalanced(view, tables, 0).tables()).isSameAs(tables);
        assertThatThrownBy(() -> rebalanced(view, tables, -1)).hasMessage("-1 blocks may change; expected 0 or more");
    }
}
