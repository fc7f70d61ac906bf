package io.dmodc.routing.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.check.Fabrics;
import io.dmodc.routing.check.NaiveTables;
import io.dmodc.routing.quality.PortStage.Direction;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Congestion risk on fabrics small enough to count by hand. */
class CongestionRiskTest {
    private static CongestionRisk minimal(FabricView view) {
        byte[][] rows = NaiveTables.minimal(view, new SplittableRandom(1));
        return CongestionRisk.of(view, NaiveTables.set(view, rows), Parallel.sequential(), Progress.NONE);
    }

    /**
     * Two leaves with two nodes each under one spine: all traffic between them shares one cable.
     *
     * <pre>
     *        spine
     *       /     \
     *    leaf0   leaf1        shift 1:  0→1   1→2   2→3   3→0    one packet up each cable
     *    0   1   2   3        shift 2:  0→2   1→3   2→0   3→1    two
     * </pre>
     */
    @Test
    void shouldCountByHandOnTwoLeavesAndOneSpine() {
        CongestionRisk risk = minimal(Fabrics.pgft("2;2,2;1,1;1,1"));
        PatternRisk shifts = risk.shifts(Progress.NONE);
        PatternRisk permutations = risk.permutations(100, 1, Progress.NONE);

        assertThat(risk.stages())
                .containsExactly(
                        new PortStage(Direction.UP, 0, 1, 2),
                        new PortStage(Direction.DOWN, 1, 0, 2),
                        new PortStage(Direction.TO_HOST, -1, -1, 4));
        assertThat(risk.allToAll()).isEqualTo(2);
        assertThat(risk.unroutedPairs()).isZero();
        assertThat(IntStream.range(0, 3).map(i -> shifts.whole().get(i))).containsExactly(1, 2, 1);
        assertThat(shifts.whole().mean()).isEqualTo(4 / 3.0);
        assertThat(shifts.number(shifts.whole().worst())).isEqualTo(2);
        assertThat(shifts.stage(2).max()).isEqualTo(1);
        assertThat(permutations.whole().max()).isEqualTo(2);
        assertThat(risk.worstPorts(permutations, shifts, Integer.MAX_VALUE))
                .hasSize(4)
                .startsWith(new PortRisk(0, 3, 2, 1, 0, 2, 2, 2, 2));
    }

    /** Three senders to one receiver through a cable cannot disturb each other more than the receiver does. */
    @Test
    void shouldTakeTheSmallerOfSourcesAndDestinations() {
        FabricView view = Fabrics.pgft("2;3,2;1,1;1,1");
        byte[][] rows = NaiveTables.minimal(view, new SplittableRandom(1));
        rows[0][4] = (byte) LftSet.NO_ROUTE;
        rows[0][5] = (byte) LftSet.NO_ROUTE;

        CongestionRisk risk =
                CongestionRisk.of(view, NaiveTables.set(view, rows), Parallel.sequential(), Progress.NONE);

        PatternRisk none = risk.shifts(0, 1, Progress.NONE);
        PortRisk up = risk.worstPorts(none, none, Integer.MAX_VALUE).stream()
                .filter(port -> port.switchIndex() == 0)
                .findFirst()
                .orElseThrow();
        assertThat(up.sources()).isEqualTo(3);
        assertThat(up.destinations()).isEqualTo(1);
        assertThat(up.allToAll()).isEqualTo(1);
        assertThat(risk.allToAll(0)).as("the other leaf sends as before").isEqualTo(3);
        assertThat(risk.unroutedPairs()).isEqualTo(6);
    }

    @Test
    void shouldHaveNothingToSayOfFewerThanTwoNodes() {
        CongestionRisk risk = minimal(Fabrics.pgft("1;1;1;1"));
        PatternRisk shifts = risk.shifts(Progress.NONE);

        assertThat(risk.nodeCount()).isEqualTo(1);
        assertThat(risk.pairs()).isZero();
        assertThat(risk.allToAll()).isZero();
        assertThat(shifts.patternCount()).isZero();
        assertThat(shifts.whole().max()).isZero();
        assertThat(shifts.whole().worst()).isEqualTo(-1);
        assertThat(risk.permutations(3, 1, Progress.NONE).whole().median()).isZero();
    }

    @Test
    void shouldFindRiskOneWhereAllNodesAreOnOneSwitch() {
        CongestionRisk risk = minimal(Fabrics.pgft("1;5;1;1"));

        assertThat(risk.allToAll()).isEqualTo(1);
        assertThat(risk.shifts(Progress.NONE).whole().mean()).isEqualTo(1);
        assertThat(risk.stages()).containsExactly(new PortStage(Direction.TO_HOST, -1, -1, 5));
    }

    @Test
    void shouldRefuseTablesOfAnotherFabric() {
        FabricView view = Fabrics.pgft("1;5;1;1");
        LftSet other = new LftSet(1, 4, new byte[1][4]);

        assertThatThrownBy(() -> CongestionRisk.of(view, other, Parallel.sequential(), Progress.NONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("tables of 1 switches x 4 nodes; expected 1 x 5");
    }

    @Test
    void shouldSampleDifferentShiftsAndMeasureThemAsAmongAll() {
        CongestionRisk risk = minimal(Fabrics.pgft("2;8,3;1,2;1,1"));
        PatternRisk all = risk.shifts(Progress.NONE);

        for (int count = 0; count <= risk.nodeCount() + 1; count++) {
            PatternRisk some = risk.shifts(count, 5, Progress.NONE);

            assertThat(some.patternCount()).isEqualTo(Math.min(count, risk.nodeCount() - 1));
            int[] numbers =
                    IntStream.range(0, some.patternCount()).map(some::number).toArray();
            assertThat(numbers).isSorted().doesNotHaveDuplicates();
            for (int i = 0; i < numbers.length; i++) {
                assertThat(all.number(numbers[i] - 1)).isEqualTo(numbers[i]);
                assertThat(some.whole().get(i)).isEqualTo(all.whole().get(numbers[i] - 1));
            }
        }
    }

    /** Each sample of 3 of 11 shifts must be as likely as the others: 6,000 draws hit every shift about 1,636 times. */
    @Test
    void shouldSampleEveryShiftEquallyOften() {
        FabricView view = Fabrics.pgft("3;2,3,2;1,2,3;1,1,1");
        ArrivingRoutes routes = ArrivingRoutes.of(
                view, NaiveTables.set(view, NaiveTables.empty(view, view.nodeCount())), Parallel.sequential());
        int[] hits = new int[view.nodeCount()];

        for (int seed = 0; seed < 6_000; seed++) {
            Shifts shifts = Shifts.sample(routes, 3, seed);
            IntStream.range(0, 3).forEach(i -> hits[shifts.number(i)]++);
        }

        assertThat(hits[0]).isZero();
        assertThat(Arrays.copyOfRange(hits, 1, hits.length))
                .satisfies(each -> assertThat(Arrays.stream(each)).allMatch(count -> Math.abs(count - 1_636) < 160));
    }

    @Test
    void shouldDrawEveryPermutationEquallyOftenAndTheSameBySeed() {
        FabricView view = Fabrics.pgft("1;3;1;1");
        ArrivingRoutes routes = ArrivingRoutes.of(
                view, NaiveTables.set(view, NaiveTables.empty(view, view.nodeCount())), Parallel.sequential());
        Permutations drawn = new Permutations(routes, 6_000, 1);
        Map<String, Integer> times = new TreeMap<>();

        IntStream.range(0, 6_000).forEach(i -> times.merge(Arrays.toString(drawn.order(i)), 1, Integer::sum));

        assertThat(times).hasSize(6);
        assertThat(times.values()).allMatch(count -> Math.abs(count - 1_000) < 120);
        assertThat(new Permutations(routes, 10, 1).order(9)).isEqualTo(drawn.order(9));
        assertThat(IntStream.range(0, 9)
                        .filter(i -> Arrays.equals(new Permutations(routes, 10, 2).order(i), drawn.order(i))))
                .hasSizeLessThan(9);
    }

    @Test
    void shouldTellItsProgressInOrderUpToTheEnd() {
        CongestionRisk risk = minimal(Fabrics.pgft("2;2,2;1,1;1,1"));
        List<String> told = new ArrayList<>();

        risk.permutations(40, 1, (done, total) -> told.add(done + "/" + total));

        assertThat(told).containsExactly("16/40", "32/40", "40/40");
    }

    @Test
    void shouldTellItsProgressThroughAllToAllTraffic() {
        FabricView view = Fabrics.pgft("2;32,65;1,2;1,1");
        LftSet tables = NaiveTables.set(view, NaiveTables.minimal(view, new SplittableRandom(1)));
        List<String> told = new ArrayList<>();

        CongestionRisk.of(view, tables, Parallel.sequential(), (done, total) -> told.add(done + "/" + total));

        assertThat(told).as("2,080 nodes, 1,024 a part").containsExactly("1/3", "2/3", "3/3");
    }

    @Test
    void shouldTakeTheLowerMiddleAsMedian() {
        assertThat(new RiskSeries(new int[] {5, 1, 4, 2}).median()).isEqualTo(2);
        assertThat(new RiskSeries(new int[] {5, 1, 4}).median()).isEqualTo(4);
        assertThat(new RiskSeries(new int[] {5, 1, 4, 2}).mean()).isEqualTo(3);
    }
}
