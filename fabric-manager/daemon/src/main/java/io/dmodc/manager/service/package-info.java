/**
 * The running service: wires loop, worker, gatehouse, state directory and northbound doors together.
 *
 * <p>Door: {@link io.dmodc.manager.service.FabricManager}. With the loop, the one place where clocks are read and
 * threads are made. May know every room but the command line and the demonstration.
 */
@NullMarked
package io.dmodc.manager.service;

import org.jspecify.annotations.NullMarked;
