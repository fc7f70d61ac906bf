package io.dmodc.routing.cycles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.dmodc.routing.throughput.Fraction;
import io.dmodc.routing.throughput.TableRoutes;
import io.dmodc.routing.throughput.Throughput;
import io.dmodc.routing.traffic.TrafficPattern;
import io.dmodc.topology.FabricView;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What BookSim2 measured of the same fabrics, and laws it keeps; its figures are in docs/algorithms/throughput.md. */
class CycleSimulatorPaperTest {
    private static final String TREE_16_2 = "2;16,16;1,16;1,1";
    private static final String TREE_4_4 = "4;4,4,4,4;1,4,4,4;1,1,1,1";
    private static final String TREE_10_3 = "3;10,10,10;1,10,10;1,1,1";
    private static final String TAPERED = "3;8,8,4;1,8,4;1,1,1";

    private static int switchesOnTheWay(Simulated fabric, int from, int to) {
        FabricView view = fabric.view;
        int at = view.nodeSwitch(from);
        int switches = 1;
        while (at != view.nodeSwitch(to)) {
            at = view.peerSwitch(at, fabric.tables.port(at, to));
            switches++;
        }
        return switches;
    }

    /** Shifts on which nobody meets anybody: each packet takes exactly 4 cycles a switch and 2. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {TREE_16_2 + "|16", TREE_4_4 + "|1", TREE_4_4 + "|64", TREE_10_3 + "|100", "1;8;1;1|3"})
    void shouldTakeFourCyclesASwitchAndTwo(String shape, int distance) {
        Simulated fabric = new Simulated(shape);
        int n = fabric.nodes.count();
        double switches = 0;
        for (int i = 0; i < n; i++) {
            switches += (double) switchesOnTheWay(fabric, i, (i + distance) % n) / n;
        }

        RunResult full = fabric.table("shift:" + distance, 1, 100, 200, 1);

        assertThat(full.meanLatency()).isCloseTo(4 * switches + 2, within(1e-9));
        assertThat(full.acceptedMin()).isEqualTo(1);
    }

    /** The same in uniform traffic so thin that packets do not meet: 3 in 4 of 16 destinations are over the spines. */
    @Test
    void shouldBeLinearInSwitchesWhereNobodyMeets() {
        Simulated fabric = new Simulated("2;4,4;1,4;1,1");

        RunResult thin = fabric.table("uniform", 0.001, 0, 200_000, 1);

        assertThat(thin.medianLatency()).isEqualTo(14);
        assertThat(thin.meanLatency()).isCloseTo(4 * (3.0 * 1 + 12 * 3) / 15 + 2, within(0.1));
    }

    /** The mean of a permutation is what max-min fairness says, within 6 % (BookSim2: within 6 %, half within 0.1 %). */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                TREE_16_2 + "|bit-complement",
                TREE_16_2 + "|shuffle",
                TREE_16_2 + "|transpose",
                TAPERED + "|bit-complement",
                TAPERED + "|shuffle",
                TAPERED + "|transpose"
            })
    void shouldCarryPermutationsAsMaxMinFairnessPredicts(String shape, String pattern) {
        Simulated fabric = new Simulated(shape);
        double predicted = Throughput.of(
                        fabric.nodes,
                        TrafficPattern.named(pattern, 256, 1),
                        new TableRoutes(fabric.view, fabric.tables),
                        Fraction.of(9, 10))
                .mean()
                .toDouble();

        RunResult found = fabric.table(pattern, 0.9, 1500, 2500, 1);

        System.out.printf(
                "%s %s: max-min %.4f, simulated %.4f, min %.4f, latency %.1f%n",
                shape, pattern, predicted, found.accepted(), found.acceptedMin(), found.meanLatency());
        assertThat(found.accepted()).isBetween(0.94 * predicted, 1.06 * predicted);
    }

    /**
     * k-ary n-trees, 4 virtual channels of 16, one iteration, uniform traffic. BookSim2's {@code nca} takes a random way
     * up, and so does what is compared here; Dmodk's tables do not, and come out a little faster.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                TREE_16_2 + "|0.1|13.7",
                TREE_16_2 + "|0.5|18.4",
                TREE_4_4 + "|0.1|27.6",
                TREE_4_4 + "|0.5|33.3",
                TREE_10_3 + "|0.1|21.4",
                TREE_10_3 + "|0.5|29.0"
            })
    void shouldComeWithinATenthOfBookSimsLatency(String shape, double load, double bookSim) {
        Simulated fabric = new Simulated(shape);

        RunResult random = fabric.randomUp("uniform", load, 300, 500, 1);
        RunResult table = fabric.table("uniform", load, 300, 500, 1);

        System.out.printf(
                "%s load %.1f: BookSim2 %.1f, random up %.2f, Dmodk %.2f%n",
                shape, load, bookSim, random.meanLatency(), table.meanLatency());
        assertThat(random.meanLatency()).isBetween(0.9 * bookSim, 1.1 * bookSim);
        assertThat(random.accepted()).isCloseTo(load, within(0.01));
        assertThat(table.meanLatency()).isLessThan(random.meanLatency() + 0.1);
    }

    /** BookSim2 accepts .665, .709 and .652 when 0.9 is offered; another allocator of the kind, .60 to .80. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {TREE_16_2 + "|0.665", TREE_4_4 + "|0.709", TREE_10_3 + "|0.652"})
    void shouldSaturateWhereOneIterationDoes(String shape, double bookSim) {
        Simulated fabric = new Simulated(shape);

        RunResult random = fabric.randomUp("uniform", 0.9, 1000, 1000, 1);

        System.out.printf("%s load 0.9: BookSim2 %.3f, random up %.4f%n", shape, bookSim, random.accepted());
        assertThat(random.accepted()).isBetween(0.60, 0.80).isCloseTo(bookSim, within(0.1 * bookSim));
        assertThat(random.deadlock()).isNull();
    }

    /** Slow: 100,000 cycles of full load on each tree, tables and random ways up. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {TREE_16_2, TREE_4_4, TAPERED})
    @EnabledIfSystemProperty(named = "trials", matches = ".*")
    void shouldNeverStandStillOnLegalRoutes(String shape) {
        Simulated fabric = new Simulated(shape);

        assertThat(fabric.table("uniform", 1, 0, 100_000, 1).deadlock()).isNull();
        assertThat(fabric.randomUp("uniform", 1, 0, 100_000, 2).deadlock()).isNull();
    }
}
