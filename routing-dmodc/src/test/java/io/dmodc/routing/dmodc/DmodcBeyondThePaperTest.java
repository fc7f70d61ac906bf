package io.dmodc.routing.dmodc;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.quality.CongestionRisk;
import io.dmodc.routing.quality.Progress;
import io.dmodc.routing.quality.RiskSeries;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.PlaneNumbers;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What descents by their own divider and groups by plane are for, and what they leave alone: docs/algorithms/dmodc.md. */
class DmodcBeyondThePaperTest {
    private static final List<PgftShape> SHAPES = List.of(
            PgftShape.parse("2;3,4;1,3;1,1"),
            PgftShape.parse("3;2,2,3;1,2,2;1,2,1"),
            PgftShape.parse("3;3,2,4;1,2,3;1,1,1"),
            PgftShape.parse("4;2,2,2,2;1,2,2,1;1,1,2,3"),
            PgftShape.parse("4;2,2,2,3;1,2,2,2;1,1,1,1"));

    /** GUIDs in cabling order, levels kept: nothing changes. */
    @Test
    void shouldEqualTheStrictFormOnPgftsWholeAndDamaged() {
        for (long seed = 0; seed < 600; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            FabricViewBuilder fabric = PgftGenerator.generate(SHAPES.get((int) seed % SHAPES.size()));
            NodeIndexMap nodes = new NodeIndexMap();
            FabricView whole = fabric.build(0, nodes, new GuidNumbers());
            if (seed >= SHAPES.size()) {
                Degradation.apply(fabric, random.nextInt(3), 0, random);
                int links = fabric.build(1, nodes, levels(whole)).linkCount();
                Degradation.apply(fabric, 0, random.nextInt(links / 2 + 1), random);
            }
            FabricView damaged = fabric.build(2, nodes, levels(whole));

            FabricView numbered = new PlaneNumbers().number(damaged);

            assertSameTables(seed, route(Dmodc.strict(), damaged), route(Dmodc.standard(), numbered));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "3;8,8,16;1,8,8;1,1,1|1",
                "3;8,8,16;1,8,8;1,1,1|2",
                "4;2,2,2,3;1,2,2,2;1,1,1,1|1",
                "4;2,2,2,3;1,2,2,2;1,1,1,1|2",
                "4;2,2,2,3;1,2,2,2;1,1,1,1|3"
            })
    void shouldNotBlockAnyShiftOnShuffledFabricsOfFullBisection(String shape, long seed) {
        FabricView view =
                LineCards.view(PgftGenerator.generateShuffled(PgftShape.parse(shape), new SplittableRandom(seed)));

        assertThat(shifts(Dmodc.standard(), view).max()).isEqualTo(1);
        assertThat(shifts(Dmodc.strict(), view).max())
                .as("what plane order is for")
                .isGreaterThan(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2})
    void shouldNotBlockAnyShiftBetweenLineCards(long shuffled) {
        FabricView view = LineCards.view(LineCards.of("3;6,6,6;1,2,6;1,1,1", new int[] {1, 3, 1}, shuffled));

        assertThat(shifts(Dmodc.standard(), view).max()).isEqualTo(1);
        assertThat(shifts(Dmodc.strict(), view).mean()).isGreaterThan(2.9);
    }

    /** Switches two cables below have made choices, so their divider counts and not 1. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void shouldSpreadDescentsOverLineCardsOfTwoRanks(long shuffled) {
        FabricView view = LineCards.view(LineCards.of("4;4,4,4,4;1,2,1,16;1,1,1,1", new int[] {1, 2, 4, 1}, shuffled));

        assertThat(shifts(Dmodc.standard(), view).mean()).isLessThanOrEqualTo(2);
        assertThat(shifts(Dmodc.strict(), view).mean()).isGreaterThan(7);
    }

    /** 1,512 hosts as a real site has them; a leaf has 9 cables up for 18 hosts, so 2 is the least. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1})
    void shouldSpreadShiftsOverTwoDirectors(long shuffled) {
        FabricView view = LineCards.view(LineCards.twoDirectors(84, shuffled));

        assertThat(shifts(Dmodc.standard(), view).mean()).isLessThanOrEqualTo(3.0);
        assertThat(shifts(Dmodc.strict(), view).mean()).isGreaterThan(8);
    }

    /** Switches that nothing leads to move all indices behind them. */
    @Test
    void shouldHaveTablesThatDoNotDependOnSwitchIndices() {
        for (long seed = 1; seed <= 20; seed++) {
            FabricViewBuilder fabric = LineCards.of("3;2,3,3;1,2,3;1,1,1", new int[] {1, 2, 1}, seed);
            FabricView view = LineCards.view(fabric);
            for (long guid : new long[] {1, 0x101_0000, 0x7fff_ffff_0000_0000L}) {
                fabric.apply(new SwitchSeen(guid, "lone", 4));
            }
            FabricView more = LineCards.view(fabric);

            LftSet tables = route(Dmodc.standard(), view);
            LftSet moved = route(Dmodc.standard(), more);

            for (int s = 0; s < view.switchCount(); s++) {
                assertThat(moved.row(more.switchOf(view.switchGuid(s))).sameEntries(tables.row(s)))
                        .as("seed %d, %s", seed, view.switchName(s))
                        .isTrue();
            }
        }
    }

    private static RiskSeries shifts(Dmodc engine, FabricView view) {
        CongestionRisk risk = CongestionRisk.of(view, route(engine, view), Parallel.sequential(), Progress.NONE);
        return risk.shifts(Progress.NONE).whole();
    }

    private static GuidNumbers levels(FabricView view) {
        GuidNumbers levels = new GuidNumbers();
        IntStream.range(0, view.switchCount()).forEach(s -> levels.put(view.switchGuid(s), view.rank(s)));
        return levels;
    }

    private static LftSet route(Dmodc engine, FabricView view) {
        return Objects.requireNonNull(engine.route(view, Parallel.sequential()).tables());
    }

    private static void assertSameTables(long seed, LftSet one, LftSet other) {
        for (int s = 0; s < one.switchCount(); s++) {
            assertThat(one.row(s).sameEntries(other.row(s)))
                    .as("seed %d row %d", seed, s)
                    .isTrue();
        }
    }
}
