/**
 * Carries the ring of {@link io.dmodc.detector} over UDP: one socket per agent, on an event loop of the caller.
 *
 * <p>Door types: {@link io.dmodc.detector.net.RingEndpoint}, {@link io.dmodc.detector.net.RingCounters}. {@link
 * io.dmodc.detector.net.Datagram} is the wire format.
 *
 * <p>May depend on {@code io.dmodc.detector}, Netty and SLF4J. Must not know the manager, the southbound session or
 * what an agent does with a death.
 */
@NullMarked
package io.dmodc.detector.net;

import org.jspecify.annotations.NullMarked;
