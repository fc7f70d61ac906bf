package io.dmodc.ctl.study;

/**
 * One claim of the specification, and what was found.
 *
 * @param row its name, S1 to S8
 * @param figure what was measured
 * @param bound what was asked for
 */
public record StudyRow(String row, String claim, String figure, String bound, boolean holds) {
    /** As tables of acceptance have it. */
    public String verdict() {
        return holds ? "holds" : "missed";
    }
}
