package io.dmodc.routing.vtftr.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.dmodc.routing.throughput.Fraction;
import io.dmodc.routing.throughput.Throughput;
import io.dmodc.routing.vtftr.GridFabric;
import io.dmodc.routing.vtftr.SpareMode;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Exact loads of uniform traffic in the paper's grid of 4,096 nodes (VTFTR paper, section 3), and what follows: the losses
 * it measures at 5 and 10 faults are no matter of capacity.
 */
class TurnRoutesPaperTest {
    private static final String NODES_4096 = "16x16;hosts=16;roots=16,16";

    private static GridFabric faults(String shape, int count, IntUnaryOperator leaf) {
        GridFabric grid = GridFabric.grid(shape);
        for (int i = 0; i < count; i++) {
            grid.kill(leaf.applyAsInt(i));
        }
        return grid;
    }

    private static Throughput uniform(GridFabric grid) {
        return GridTraffic.of(grid, SpareMode.PAPER, DetourChoice.RANDOM).flows("uniform", Fraction.ONE);
    }

    /** Loads are those of full rates whatever is offered; half of it takes no long filling. */
    private static double load(GridFabric grid, SpareMode mode, DetourChoice detours) {
        Throughput found = GridTraffic.of(grid, mode, detours).flows("uniform", Fraction.of(1, 2));
        assertThat(found.unroutedFlows()).isZero();
        return found.maxChannelLoad().toDouble();
    }

    private static double load(GridFabric grid, SpareMode mode) {
        return load(grid, mode, DetourChoice.RANDOM);
    }

    /** A leaf's 16 hosts send to 240 of 4,095 nodes in each other column, over 16 roots: 16 · 15 · 256 / 4,095 / 16. */
    @Test
    void shouldLoadAllChannelsAlikeWithoutFaults() {
        Throughput found = uniform(GridFabric.grid(NODES_4096));

        assertThat(found.maxChannelLoad()).isEqualTo(Fraction.of(16 * 240, 4095));
        assertThat(found.maxChannelLoad().toDouble()).isCloseTo(0.9377, within(5e-5));
        assertThat(found.mean()).isEqualTo(Fraction.ONE);
    }

    /** Faults on the diagonal, the paper's spares: the figures of an independent calculation, to four digits. */
    @ParameterizedTest
    @CsvSource({"1,0.9414", "5,0.9579", "10,0.9820"})
    void shouldStayBelowFullWithFaultsOnTheDiagonal(int count, double expected) {
        assertThat(load(faults(NODES_4096, count, i -> 17 * i), SpareMode.PAPER))
                .isCloseTo(expected, within(5e-5));
    }

    /** A row of one or two columns left: the first load above 1, which costs 0.36 % of max-min fair throughput. */
    @Test
    void shouldOverfillTheLastSpareWithFifteenFaultsOnTheDiagonal() {
        GridFabric grid = faults(NODES_4096, 15, i -> 17 * i);

        Throughput found = uniform(grid);

        assertThat(found.maxChannelLoad().toDouble()).isCloseTo(1.0542, within(5e-5));
        assertThat(1 - found.mean().toDouble()).isCloseTo(0.0036, within(5e-5));
    }

    /** In one line no pair loses both corners: what is sent column first is all that is added. */
    @ParameterizedTest
    @CsvSource({"5,1,0.9564", "10,1,0.9759", "5,16,0.9564", "10,16,0.9759"})
    void shouldStayBelowFullWithFaultsInOneRowOrColumn(int count, int apart, double expected) {
        assertThat(load(faults(NODES_4096, count, i -> apart * i), SpareMode.PAPER))
                .isCloseTo(expected, within(5e-5));
    }

    /** Each pair has spares of its own, so no column bears the detours of all: 0.9820 with the paper's spares. */
    @Test
    void shouldSpreadDetoursFurtherWithPairwiseSpares() {
        assertThat(load(faults(NODES_4096, 10, i -> 17 * i), SpareMode.PAIRWISE))
                .isCloseTo(0.9785, within(5e-5));
    }

    /** One fault, all detours of a row over one spare: that column's channels bear most. */
    @Test
    void shouldLoadOneSpareMostWithFixedDetours() {
        GridFabric grid = faults("8x8;hosts=8;roots=8,8", 1, i -> 0);

        double random = load(grid, SpareMode.PAPER);
        double fixed = load(grid, SpareMode.PAPER, DetourChoice.FIXED);

        assertThat(random).isCloseTo(0.8907, within(5e-5));
        assertThat(fixed).isCloseTo(1.4473, within(5e-5));
    }

    @Test
    void shouldRefuseTablesOfAnotherFabric() {
        GridFabric grid = GridFabric.square(4);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TurnForwarding(
                        grid.view(), GridFabric.square(5).tables(SpareMode.PAPER), DetourChoice.RANDOM))
                .withMessage("tables of 45 switches; expected those of 32");
    }
}
