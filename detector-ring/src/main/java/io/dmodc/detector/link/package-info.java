/**
 * Is this cable alive? A small hello over each cable, after BFD (RFC 5880), says when it no longer carries both ways.
 *
 * <p>Entry points: {@link io.dmodc.detector.link.LinkLiveness} (one end of a cable),
 * {@link io.dmodc.detector.link.LinkRules}, {@link io.dmodc.detector.link.LinkHello} (what travels). Depends on nothing
 * but the JDK; time, chance and cables are arguments; must not know the ring, sockets, threads or clocks.
 */
@NullMarked
package io.dmodc.detector.link;

import org.jspecify.annotations.NullMarked;
