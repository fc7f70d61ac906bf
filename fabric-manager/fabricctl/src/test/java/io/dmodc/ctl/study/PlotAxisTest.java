package io.dmodc.ctl.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.dmodc.ctl.study.PlotAxis.Tick;
import org.junit.jupiter.api.Test;

class PlotAxisTest {
    @Test
    void shouldEndAtRoundValuesAroundTheData() {
        PlotAxis axis = PlotAxis.linear("load", 0.5811, 0.6833);

        assertThat(axis.min()).isCloseTo(0.55, within(1e-9));
        assertThat(axis.max()).isCloseTo(0.70, within(1e-9));
        assertThat(axis.ticks().stream().map(Tick::text)).containsExactly("0.55", "0.60", "0.65", "0.70");
        assertThat(axis.at(0.625)).isCloseTo(0.5, within(1e-9));
    }

    @Test
    void shouldHaveRoomAroundOneValue() {
        assertThat(PlotAxis.linear("load", 0.5, 0.5).at(0.5)).isBetween(0.0, 1.0);
        assertThat(PlotAxis.linear("load", 0, 0).at(0)).isZero();
    }

    @Test
    void shouldSpaceFactorsEvenlyOnLogarithmicScale() {
        PlotAxis latency = PlotAxis.logarithmic("cycles", 21.3, 170);
        PlotAxis probability = PlotAxis.logarithmic("probability", 1e-25, 1);

        assertThat(latency.ticks().stream().map(Tick::text)).containsExactly("20", "50", "100", "200");
        assertThat(latency.at(Math.sqrt(20 * 200))).isCloseTo(0.5, within(1e-9));
        assertThat(probability.at(1e-25)).isZero();
        assertThat(probability.ticks()).hasSizeBetween(5, 9);
    }
}
