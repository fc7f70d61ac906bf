package io.dmodc.routing.vtftr;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;

/**
 * How likely it is that so many dead leaves hit every row and every column, if any of them is as likely to die as any
 * other. Until then paper mode serves all live pairs; with fewer than {@code 2n − 1} faults in an n x n grid it serves them
 * only until then.
 *
 * <p>Exact, by inclusion and exclusion over the rows and columns that are spared: the sum over i, j of
 * {@code (−1)^(i+j) C(rows, i) C(columns, j) C((rows − i)(columns − j), faults)}, over {@code C(rows · columns, faults)}.
 */
public final class CoverageProbability {
    private CoverageProbability() {}

    /** In how many ways faults can hit every row and every column. */
    public static BigInteger coverings(int rows, int columns, int faults) {
        BigInteger sum = BigInteger.ZERO;
        for (int i = 0; i <= rows; i++) {
            for (int j = 0; j <= columns; j++) {
                BigInteger term = choose(rows, i)
                        .multiply(choose(columns, j))
                        .multiply(choose((rows - i) * (columns - j), faults));
                sum = (i + j) % 2 == 0 ? sum.add(term) : sum.subtract(term);
            }
        }
        return sum;
    }

    /**
     * The probability, to ten digits.
     *
     * @throws IllegalArgumentException if there are more faults than leaves, or fewer than none
     */
    public static double of(int rows, int columns, int faults) {
        if (faults < 0 || faults > rows * columns) {
            throw new IllegalArgumentException(faults + " faults; expected 0.." + rows * columns);
        }
        return new BigDecimal(coverings(rows, columns, faults))
                .divide(new BigDecimal(choose(rows * columns, faults)), new MathContext(10))
                .doubleValue();
    }

    /**
     * What the paper's formula gives (VTFTR paper, section 2.1): {@code C(n² − n, faults − n) / C(n², faults)}, for comparison.
     * It counts the placements that hit one given diagonal of n leaves, of n! there are, and none without any diagonal; so it is
     * far too small.
     *
     * @param size n, rows and columns
     * @throws IllegalArgumentException if there are fewer faults than n, or more than leaves
     */
    public static double ofOneDiagonal(int size, int faults) {
        if (faults < size || faults > size * size) {
            throw new IllegalArgumentException(faults + " faults; expected " + size + ".." + size * size);
        }
        return new BigDecimal(choose(size * size - size, faults - size))
                .divide(new BigDecimal(choose(size * size, faults)), new MathContext(10))
                .doubleValue();
    }

    /** 0 for more than there are. */
    static BigInteger choose(int from, int count) {
        BigInteger ways = count > from ? BigInteger.ZERO : BigInteger.ONE;
        for (int i = 1; i <= count && count <= from; i++) {
            ways = ways.multiply(BigInteger.valueOf(from - count + i)).divide(BigInteger.valueOf(i));
        }
        return ways;
    }
}
