package io.dmodc.ctl.study;

import io.dmodc.routing.vtftr.CoverageProbability;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How likely it is that so many dead leaves of 16x16 hit every row and every column, beside what the paper's formula gives.
 */
final class CoverageTable {
    static final int SIZE = 16;
    private static final int FAULTS_MAX = 60;

    private CoverageTable() {}

    /**
     * @param exact by inclusion and exclusion
     * @param paper by its formula, which counts one diagonal of many
     */
    record Row(int faults, double exact, double paper) {}

    /** From the first number of faults that can. */
    static List<Row> rows() {
        return IntStream.rangeClosed(SIZE, FAULTS_MAX)
                .mapToObj(k ->
                        new Row(k, CoverageProbability.of(SIZE, SIZE, k), CoverageProbability.ofOneDiagonal(SIZE, k)))
                .toList();
    }
}
