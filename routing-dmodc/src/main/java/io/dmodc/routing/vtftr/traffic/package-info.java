/**
 * What tables of VTFTR carry: the packets of grids for the simulator, and their flows for exact loads.
 *
 * <p>Entry points: {@link io.dmodc.routing.vtftr.traffic.TurnForwarding} says what each switch does with a packet, {@link
 * io.dmodc.routing.vtftr.traffic.TurnRouting} does it packet by packet, {@link io.dmodc.routing.vtftr.traffic.TurnRoutes}
 * flow by flow. For tools that work offline. May depend on {@code io.dmodc.routing.vtftr}, {@code
 * io.dmodc.routing.throughput}, {@code io.dmodc.routing.cycles} and {@code io.dmodc.topology}; must not know the check,
 * clocks or threads.
 */
@NullMarked
package io.dmodc.routing.vtftr.traffic;

import org.jspecify.annotations.NullMarked;
