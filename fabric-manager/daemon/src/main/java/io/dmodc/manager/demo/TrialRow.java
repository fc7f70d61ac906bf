package io.dmodc.manager.demo;

/**
 * One line of an acceptance table.
 *
 * @param row number in the table
 * @param claim what should hold
 * @param figure what was measured
 * @param bound what was allowed
 * @param verdict {@code pass} or {@code fail}
 */
record TrialRow(String row, String claim, String figure, String bound, String verdict) {
    static TrialRow of(String row, String claim, String figure, String bound, boolean held) {
        return new TrialRow(row, claim, figure, bound, held ? "pass" : "fail");
    }

    boolean passed() {
        return verdict.equals("pass");
    }
}
