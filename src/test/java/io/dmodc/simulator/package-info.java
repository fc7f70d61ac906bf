/**
 * A whole site in one thread: the manager's real step, the agents' real cores, the protocol's bytes between them, disks, and switches
 * that forward packets by the tables they hold now. One seed drives faults and virtual time; the laws of the core are checked at every step.
 *
 * <p>Entry points: {@link io.dmodc.simulator.Simulation} runs one history, {@link io.dmodc.simulator.Law} lists what must hold. May know
 * every package by its entry point; nothing knows this package. No sockets, no clock, no threads.
 */
@NullMarked
package io.dmodc.simulator;

import org.jspecify.annotations.NullMarked;
