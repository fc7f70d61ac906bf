package io.dmodc.detector.acceptance;

import java.io.IOException;

/** Measures one row of the table. */
@FunctionalInterface
interface RowProbe {
    /**
     * Puts one or more lines of its row.
     *
     * @throws IllegalStateException in one line, if what was measured broke in a way no bound speaks of: the row fails
     */
    void run(ProbeContext context) throws IOException, InterruptedException;
}
