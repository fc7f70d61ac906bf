/**
 * Agents' sessions over TCP. Decodes, stamps the arrival time, queues; sends what the core decided.
 *
 * <p>Entry point: {@link io.dmodc.manager.southbound.AgentServer}. May depend on {@code io.dmodc.southbound}, Netty and the
 * loop; decides nothing about the fabric.
 */
@NullMarked
package io.dmodc.manager.southbound;

import org.jspecify.annotations.NullMarked;
