/**
 * The running service: wires loop, worker, agent server, state directory and northbound server together.
 *
 * <p>Entry point: {@link io.dmodc.manager.service.FabricManager}. With the loop, the one place where clocks are read and
 * threads are made. May know every package but the command line and the demonstration.
 */
@NullMarked
package io.dmodc.manager.service;

import org.jspecify.annotations.NullMarked;
