/**
 * Moves single entries of Dmodc's tables to other ports that lead closer, where shifts press more than elsewhere.
 *
 * <p>Entry point: {@link io.dmodc.routing.rebalance.Rebalance}. May depend on {@code io.dmodc.routing}, its engine {@code dmodc}, its
 * congestion risk and {@code io.dmodc.topology}; must not know clocks or threads.
 */
@NullMarked
package io.dmodc.routing.rebalance;

import org.jspecify.annotations.NullMarked;
