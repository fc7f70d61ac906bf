/**
 * What the sources promise of a ring before it runs: bounds, expectations and the risk that a bound does not hold.
 *
 * <p>Entry points: {@link io.dmodc.detector.theory.RingBounds} (times for one ring),
 * {@link io.dmodc.detector.theory.BinomialGraph} (its overlay), {@link io.dmodc.detector.theory.SimultaneousFaultRisk}
 * (independent faults), {@link io.dmodc.detector.theory.RandomPinging} (what one gets without a ring).
 *
 * <p>May depend on {@code io.dmodc.detector} and the JDK. Must not know clocks, sockets or the simulator: formulas
 * only.
 */
@NullMarked
package io.dmodc.detector.theory;

import org.jspecify.annotations.NullMarked;
