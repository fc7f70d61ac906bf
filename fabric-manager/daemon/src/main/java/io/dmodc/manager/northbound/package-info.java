/**
 * What people and their tools talk to: REST under {@code /api/v1}, server-sent events, {@code /metrics},
 * {@code /health} and the web page. Read only.
 *
 * <p>Entry point: {@link io.dmodc.manager.northbound.NorthboundServer}. Every read is a question to the loop
 * ({@link io.dmodc.manager.loop.FabricLoop#ask}) with a time limit; what is slow (JSON, walks, runs) happens elsewhere
 * on what the question copied. May know the core, the loop, the counters of the agent server and Armeria; nobody but the
 * application knows this package.
 */
@NullMarked
package io.dmodc.manager.northbound;

import org.jspecify.annotations.NullMarked;
