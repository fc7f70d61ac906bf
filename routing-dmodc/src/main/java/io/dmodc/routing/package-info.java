/**
 * The mill's door: forwarding tables ({@link io.dmodc.routing.LftSet}), what changed between two of them
 * ({@link io.dmodc.routing.LftDelta}), and the engines that make them ({@link io.dmodc.routing.RoutingEngine}).
 *
 * <p>May depend on {@code io.dmodc.topology}; must not know sockets, clocks, logs or the daemon. Threads come in as a
 * {@link io.dmodc.routing.Parallel}.
 */
@NullMarked
package io.dmodc.routing;

import org.jspecify.annotations.NullMarked;
