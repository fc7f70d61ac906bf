/**
 * Notices that a switch agent has fallen silent, and makes every other agent know it.
 *
 * <p>The agents sit on a ring; each sends heartbeats to the next live one and watches the previous live one. Whoever
 * misses its heartbeats closes the ring over the gap and floods the news over a binomial graph. Ring: Bosilca et al.,
 * "Failure Detection and Propagation in HPC Systems", SC16, tasks T1 to T5; flood: Angskun, Bosilca, Dongarra, ISPA
 * 2007. {@code docs/algorithms/detector.md} tells where this differs from both and why.
 *
 * <p>Entry points: {@link io.dmodc.detector.RingDetector} (the state machine), {@link io.dmodc.detector.Membership},
 * {@link io.dmodc.detector.RingRules}, {@link io.dmodc.detector.Overlay}, {@link io.dmodc.detector.RingOrder}, and the
 * two interfaces it speaks through, {@link io.dmodc.detector.RingOutbox} and {@link io.dmodc.detector.RingListener}.
 *
 * <p>May depend on nothing but the JDK. Must not know clocks, sockets, threads, loggers, switches or the manager: time
 * is an argument, messages leave through an interface, so that simulation and production run the same code.
 */
@NullMarked
package io.dmodc.detector;

import org.jspecify.annotations.NullMarked;
