/**
 * Says how much traffic tables can carry, as flows: the exact load of every channel and the max-min fair throughput of
 * every node under a pattern.
 *
 * <p>Entry point: {@link io.dmodc.routing.throughput.Throughput}. {@link io.dmodc.routing.throughput.FlowRoutes} is the
 * door for tables of any kind, {@link io.dmodc.routing.throughput.TableRoutes} the one for linear forwarding tables. May
 * depend on {@code io.dmodc.routing}, {@code io.dmodc.routing.traffic} and {@code io.dmodc.topology}; must not know any
 * engine, clocks or threads.
 */
@NullMarked
package io.dmodc.routing.throughput;

import org.jspecify.annotations.NullMarked;
