/**
 * Whole rings in virtual time: the production state machine of each node on a simulated network, with faults after a
 * script and checks of what must hold.
 *
 * <p>Entry points: {@link io.dmodc.detector.sim.Trial} runs one {@link io.dmodc.detector.sim.Scenario} under {@link
 * io.dmodc.detector.sim.NetworkConditions} and returns a {@link io.dmodc.detector.sim.TrialReport}; {@link
 * io.dmodc.detector.sim.VirtualRing} is the network itself, for tests that write their own script.
 *
 * <p>May depend on {@code io.dmodc.detector} and the JDK. Must not know clocks, threads, sockets or loggers: the same
 * seed gives the same run, event for event.
 */
@NullMarked
package io.dmodc.detector.sim;

import org.jspecify.annotations.NullMarked;
