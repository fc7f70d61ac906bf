/**
 * The switch agent: connects a switch's forwarding plane with the manager and with the heartbeat ring.
 *
 * <p>Entry points: {@link io.dmodc.agent.Agent} (runs one agent on an event loop; a thousand share a group),
 * {@link io.dmodc.agent.AgentCore} (all decisions, as a pure step), {@link io.dmodc.agent.Main} (the process of one
 * switch). May depend on the protocol, the detector, the settings reader and {@link io.dmodc.agent.plane} and {@link io.dmodc.agent.exec}; knows
 * nothing of the daemon or routing, and of the fabric no more than its own switch's neighbours.
 */
@NullMarked
package io.dmodc.agent;

import org.jspecify.annotations.NullMarked;
