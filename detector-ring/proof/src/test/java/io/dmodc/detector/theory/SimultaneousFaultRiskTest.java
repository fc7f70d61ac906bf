package io.dmodc.detector.theory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.SplittableRandom;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** The tail of the Poisson distribution against 1 - sum in 400 decimal digits, which shares nothing with it. */
class SimultaneousFaultRiskTest {
    private static final MathContext DIGITS = new MathContext(400);
    private static final Percentage NEARLY = Percentage.withPercentage(1e-9);

    @Test
    void shouldAgreeWithFourHundredDigitsHoweverSmallTheTailIs() {
        long seed = 20_161_115;
        System.out.println("seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        double least = 1;
        for (int i = 0; i < 200; i++) {
            int count = 1 + random.nextInt(25);
            double lambda = Math.pow(10, -9 + 11 * random.nextDouble());

            double tail = SimultaneousFaultRisk.atLeast(count, lambda);

            assertThat(tail).as("P(N >= %d), lambda %s", count, lambda).isCloseTo(slowTail(count, lambda), NEARLY);
            least = Math.min(least, tail);
        }
        assertThat(least).isLessThan(1e-150);
    }

    @Test
    void shouldAgreeOnBothSidesOfTheMean() {
        for (double lambda : new double[] {4.5, 4.999, 5, 5.001, 6, 20, 150}) {
            assertThat(SimultaneousFaultRisk.atLeast(5, lambda)).isCloseTo(slowTail(5, lambda), NEARLY);
        }
    }

    @Test
    void shouldBeCertainAtTheEnds() {
        assertThat(SimultaneousFaultRisk.atLeast(0, 0)).isEqualTo(1);
        assertThat(SimultaneousFaultRisk.atLeast(3, 0)).isZero();
        assertThat(SimultaneousFaultRisk.atLeast(3, 1e6)).isEqualTo(1);
    }

    /** The longest δ is where the risk passes the bound: a little less keeps it, a little more does not. */
    @Test
    void shouldFindTheDeltaAtWhichTheRiskPassesTheBound() {
        for (int nodes : new int[] {16, 1_000, 100_000}) {
            double mean = 45 * SimultaneousFaultRisk.yearNanos();
            double largest = SimultaneousFaultRisk.largestSuspicionNanos(nodes, 1e6, mean, 1e-9);
            RingBounds shorter = new RingBounds(nodes, 1, (long) (largest * 0.999), 1_000_000);
            RingBounds longer = new RingBounds(nodes, 1, (long) (largest * 1.001), 1_000_000);

            assertThat(SimultaneousFaultRisk.probability(shorter, mean)).isLessThan(1e-9);
            assertThat(SimultaneousFaultRisk.probability(longer, mean)).isGreaterThan(1e-9);
        }
    }

    @Test
    void shouldFindNoDeltaWhenBroadcastsAloneTakeTooLong() {
        assertThat(SimultaneousFaultRisk.largestSuspicionNanos(1024, 1e9, 3_600e9, 1e-9))
                .isZero();
    }

    @Test
    void shouldRefuseRingsWithoutATheorem() {
        RingBounds three = new RingBounds(3, 1, 2, 1);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> SimultaneousFaultRisk.probability(three, 1))
                .withMessage("risk: 3 nodes, expected at least 4");
    }

    private static double slowTail(int count, double lambda) {
        BigDecimal mean = new BigDecimal(lambda);
        BigDecimal term = BigDecimal.ONE.divide(exp(mean), DIGITS);
        BigDecimal below = BigDecimal.ZERO;
        for (int j = 0; j < count; j++) {
            below = below.add(term, DIGITS);
            term = term.multiply(mean, DIGITS).divide(BigDecimal.valueOf(j + 1), DIGITS);
        }
        return BigDecimal.ONE.subtract(below).doubleValue();
    }

    private static BigDecimal exp(BigDecimal x) {
        BigDecimal sum = BigDecimal.ZERO;
        BigDecimal term = BigDecimal.ONE;
        for (int j = 1; term.compareTo(sum.movePointLeft(DIGITS.getPrecision())) > 0; j++) {
            sum = sum.add(term, DIGITS);
            term = term.multiply(x, DIGITS).divide(BigDecimal.valueOf(j), DIGITS);
        }
        return sum;
    }
}
