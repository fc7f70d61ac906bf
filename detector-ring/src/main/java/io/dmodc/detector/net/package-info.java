/**
 * Carries the ring of {@link io.dmodc.detector} over UDP: one socket per agent, on a thread that does nothing
 * else, with datagrams that only holders of the ring's key can make.
 *
 * <p>Entry points: {@link io.dmodc.detector.net.RingEndpoint}, {@link io.dmodc.detector.net.RingKey}, {@link
 * io.dmodc.detector.net.RingLoop}; {@link io.dmodc.detector.net.RingCounters} and {@link
 * io.dmodc.detector.net.RingVitals} tell how it goes, {@link io.dmodc.detector.net.RingMeters} tells Micrometer. {@link
 * io.dmodc.detector.net.Datagram} is the wire format.
 *
 * <p>A datagram comes in through the socket, {@link io.dmodc.detector.net.DatagramFilter} (format, MAC, source, replay) and
 * {@code RingDriver} (time) to the detector; out through {@code DatagramSender}. Format and filter know no socket, and are
 * open to whoever wants to try bytes on them.
 *
 * <p>May depend on {@code io.dmodc.detector}, SLF4J and, in {@code RingMeters} only, Micrometer. Must not know
 * the manager, the southbound session or what an agent does with a death.
 */
@NullMarked
package io.dmodc.detector.net;

import org.jspecify.annotations.NullMarked;
