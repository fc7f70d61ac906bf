/**
 * Simulates packets in a fabric, cycle by cycle: input-queued switches with virtual channels and credits, nodes that
 * inject at random, and what comes of it in throughput, latency and deadlock.
 *
 * <p>Entry points: {@link io.dmodc.routing.cycles.LoadSweep} for several loads and seeds,
 * {@link io.dmodc.routing.cycles.CycleSimulator} for one run. {@link io.dmodc.routing.cycles.PacketRouting} is the door
 * for tables of any kind. For tools that work offline; no daemon needs it. May depend on {@code io.dmodc.routing},
 * {@code io.dmodc.routing.traffic} and {@code io.dmodc.topology}; must not know any engine, clocks or threads.
 */
@NullMarked
package io.dmodc.routing.cycles;

import org.jspecify.annotations.NullMarked;
