/**
 * Shows that the tests of the laws can fail: for each law one change to the code that takes its mend out, and the test and
 * the seeds of the simulator that notice. {@code run-tests -Dmutate=laws} runs it; see docs/reliability.md.
 *
 * <p>Changed sources are compiled into a directory of their own that goes before the others on the class path; nothing in the
 * checkout is touched.
 */
@NullMarked
package io.dmodc.mutants;

import org.jspecify.annotations.NullMarked;
