/**
 * Says who sends to whom: the nodes that take part and the patterns of traffic among them.
 *
 * <p>Entry points: {@link io.dmodc.routing.traffic.Endpoints}, {@link io.dmodc.routing.traffic.TrafficPattern}. May
 * depend on {@code io.dmodc.topology}; must not know tables, engines, clocks or threads.
 */
@NullMarked
package io.dmodc.routing.traffic;

import org.jspecify.annotations.NullMarked;
