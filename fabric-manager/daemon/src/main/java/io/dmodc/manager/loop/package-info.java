/**
 * The one thread that owns the fabric's state, and what it works with: a bounded queue in, effects out, the event log for
 * people, and the worker that computes tables.
 *
 * <p>Entry points: {@link io.dmodc.manager.loop.FabricLoop} (offer an event, take a snapshot),
 * {@link io.dmodc.manager.loop.EventLog}, {@link io.dmodc.manager.loop.RouteWorker}. Reads the clock on behalf of the
 * core; must not know Netty or HTTP.
 */
@NullMarked
package io.dmodc.manager.loop;

import org.jspecify.annotations.NullMarked;
