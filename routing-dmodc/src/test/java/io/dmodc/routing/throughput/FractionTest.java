package io.dmodc.routing.throughput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

class FractionTest {
    @Test
    void shouldKeepLowestTermsWithAPositiveDenominator() {
        assertThat(Fraction.of(6, -4)).hasToString("-3/2").isEqualTo(Fraction.of(-3, 2));
        assertThat(Fraction.of(0, 7)).isEqualTo(Fraction.ZERO);
        assertThatIllegalArgumentException().isThrownBy(() -> Fraction.of(1, 0));
    }

    @Test
    void shouldReadDecimalsAsTheyAreWritten() {
        assertThat(Fraction.of(new BigDecimal("0.9"))).isEqualTo(Fraction.of(9, 10));
        assertThat(Fraction.of(new BigDecimal("3E+2"))).isEqualTo(Fraction.of(300, 1));
        assertThat(Fraction.of(new BigDecimal("1.00"))).isEqualTo(Fraction.ONE);
    }

    @Test
    void shouldReckonExactly() {
        Fraction third = Fraction.of(1, 3);

        assertThat(third.plus(Fraction.of(1, 6))).isEqualTo(Fraction.of(1, 2));
        assertThat(third.minus(Fraction.of(1, 2))).isEqualTo(Fraction.of(-1, 6));
        assertThat(third.times(6)).isEqualTo(Fraction.of(2, 1));
        assertThat(third.over(3)).isEqualTo(Fraction.of(1, 9));
        assertThat(Fraction.of(-3, 2).inverse()).isEqualTo(Fraction.of(-2, 3));
        assertThat(third.min(Fraction.of(333, 1000))).isEqualTo(Fraction.of(333, 1000));
        assertThat(third.toDouble()).isEqualTo(1.0 / 3);
    }
}
