package io.dmodc.routing.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.check.Fabrics;
import io.dmodc.routing.check.NaiveTables;
import io.dmodc.routing.quality.CongestionSummary.HotPort;
import io.dmodc.routing.quality.CongestionSummary.Sampled;
import io.dmodc.routing.quality.CongestionSummary.Samples;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;

/** The summary is what the whole study says, in a few figures. */
class CongestionSummaryTest {

    /** Two leaves with two nodes each under one spine: see {@link CongestionRiskTest}. */
    @Test
    void shouldSumUpTwoLeavesAndOneSpine() {
        FabricView view = Fabrics.pgft("2;2,2;1,1;1,1");
        LftSet tables = NaiveTables.set(view, NaiveTables.minimal(view, new SplittableRandom(1)));

        CongestionSummary summary = CongestionSummary.of(view, tables, new Samples(0, 10, 1), Parallel.sequential());

        assertThat(summary)
                .isEqualTo(new CongestionSummary(
                        4,
                        0,
                        2,
                        new Sampled(0, 0, 0),
                        new Sampled(3, 4 / 3.0, 2),
                        List.of(
                                new HotPort(0, 3, 2),
                                new HotPort(1, 3, 2),
                                new HotPort(2, 1, 2),
                                new HotPort(2, 2, 2))));
    }

    @Test
    void shouldSayWhatTheStudySaysOnAnyNumberOfThreads() {
        ForkJoinPool pool = new ForkJoinPool(3);
        for (int seed = 1; seed <= 60; seed++) {
            SpoiltFabric fabric = SpoiltFabric.draw(new SplittableRandom(seed));
            Samples samples = new Samples(20, 7, seed);
            CongestionRisk risk =
                    CongestionRisk.of(fabric.view(), fabric.tables(), Parallel.sequential(), Progress.NONE);
            PatternRisk permutations = risk.permutations(20, seed, Progress.NONE);
            PatternRisk shifts = risk.shifts(7, seed, Progress.NONE);
            List<HotPort> hottest = risk.worstPorts(permutations, shifts, Integer.MAX_VALUE).stream()
                    .sorted(Comparator.comparing((PortRisk port) -> -port.allToAll())
                            .thenComparing(PortRisk::stage)
                            .thenComparing(PortRisk::switchIndex)
                            .thenComparing(PortRisk::port))
                    .limit(5)
                    .map(port -> new HotPort(port.switchIndex(), port.port(), port.allToAll()))
                    .toList();

            CongestionSummary summary =
                    CongestionSummary.of(fabric.view(), fabric.tables(), samples, Parallel.on(pool));

            assertThat(summary)
                    .as("seed %s, %s", seed, fabric.engine())
                    .isEqualTo(new CongestionSummary(
                            risk.nodeCount(),
                            risk.unroutedPairs(),
                            risk.allToAll(),
                            new Sampled(
                                    20,
                                    permutations.whole().mean(),
                                    permutations.whole().max()),
                            new Sampled(
                                    shifts.patternCount(),
                                    shifts.whole().mean(),
                                    shifts.whole().max()),
                            hottest));
        }
        pool.shutdown();
    }

    @Test
    void shouldEndWhereItsProgressThrows() {
        FabricView view = Fabrics.pgft("2;2,2;1,1;1,1");
        LftSet tables = NaiveTables.set(view, NaiveTables.minimal(view, new SplittableRandom(1)));
        List<Integer> told = new ArrayList<>();

        assertThatThrownBy(() ->
                        CongestionSummary.of(view, tables, Samples.STANDARD, Parallel.sequential(), (done, total) -> {
                            told.add(done);
                            if (told.size() == 3) {
                                throw new CancellationException();
                            }
                        }))
                .isInstanceOf(CancellationException.class);

        assertThat(told).as("all-to-all is one part").containsExactly(1, 16, 32);
    }

    @Test
    void shouldRefuseASampleOfLessThanNothing() {
        assertThatThrownBy(() -> new Samples(1, -1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("sample of 1 permutations and -1 shifts; expected 0 or more");
    }
}
