/**
 * Proves on this machine what the ring promises: the rows A1 to A15 of its acceptance table, each with figure, bound
 * and verdict.
 *
 * <p>Entry points: {@link io.dmodc.detector.acceptance.Acceptance} runs rows and hands out
 * {@link io.dmodc.detector.acceptance.AcceptanceRow}s. Real rings run over loopback UDP, in this process and in
 * children ({@link io.dmodc.detector.acceptance.RingProcess}); large ones in virtual time; what belongs to the manager
 * and to peers runs as programs of their own that print rows themselves.
 *
 * <p>May depend on all of {@code io.dmodc.detector}, and may use clocks, threads and child processes: it measures. Must
 * not know the manager's classes.
 */
@NullMarked
package io.dmodc.detector.acceptance;

import org.jspecify.annotations.NullMarked;
