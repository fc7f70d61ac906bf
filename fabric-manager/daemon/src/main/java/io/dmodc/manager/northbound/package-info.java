/**
 * What people and their tools talk to: REST under {@code /api/v1}, server-sent events, {@code /metrics},
 * {@code /health} and the web page. Read only.
 *
 * <p>Entry point: {@link io.dmodc.manager.northbound.NorthboundServer}. Every read is made of one snapshot
 * ({@link io.dmodc.manager.loop.FabricLoop#snapshot}) on a worker thread and never waits for the loop; what changes something is
 * an event, with a time limit. May know the core, the loop, the counters of the agent server and Armeria; nobody but the
 * application knows this package.
 */
@NullMarked
package io.dmodc.manager.northbound;

import org.jspecify.annotations.NullMarked;
