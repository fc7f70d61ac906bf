/**
 * Forwarding tables ({@link io.dmodc.routing.LftSet}), what changed between two of them
 * ({@link io.dmodc.routing.LftDelta}), the engines that make them ({@link io.dmodc.routing.RoutingEngine}),
 * and engines that keep what they found for the next view ({@link io.dmodc.routing.Rerouter}).
 *
 * <p>May depend on {@code io.dmodc.topology}; must not know sockets, clocks, logs or the daemon. Threads come in as a
 * {@link io.dmodc.routing.Parallel}.
 */
@NullMarked
package io.dmodc.routing;

import org.jspecify.annotations.NullMarked;
