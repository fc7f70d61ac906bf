/**
 * What reads bytes that somebody else chose, driven by the coverage-guided fuzzer Jazzer: each class {@code …Fuzz} is one
 * such reader, {@link io.dmodc.fuzz.DecoderFuzzTest} runs them all.
 */
@NullMarked
package io.dmodc.fuzz;

import org.jspecify.annotations.NullMarked;
