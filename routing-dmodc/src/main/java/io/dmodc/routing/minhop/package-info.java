/**
 * OpenSM's {@code minhop}: shortest paths over any cabling, spread over the least subscribed ports.
 *
 * <p>Entry points: {@link io.dmodc.routing.minhop.MinHop}, {@link io.dmodc.routing.minhop.MinHopTables} and, for small
 * changes, {@link io.dmodc.routing.minhop.IncrementalMinHop}. An engine that limits the paths but spreads them alike is
 * a {@link io.dmodc.routing.minhop.MinHopEngine}. May depend on {@code io.dmodc.topology}, {@code io.dmodc.routing}
 * and the order of GUIDs in {@code io.dmodc.routing.opensm}; must not know other engines.
 */
@NullMarked
package io.dmodc.routing.minhop;

import org.jspecify.annotations.NullMarked;
