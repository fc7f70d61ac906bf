/**
 * What forwards packets: a switch's ports and table as its agent sees them, and switches in memory with the cables
 * between them.
 *
 * <p>Entry points: {@link io.dmodc.agent.plane.ForwardingPlane}, {@link io.dmodc.agent.plane.MemoryPlane},
 * {@link io.dmodc.agent.plane.HelloChannel} (over a cable to its other end), {@link io.dmodc.agent.plane.PatchPanel}
 * (cables within a process), {@link io.dmodc.agent.plane.TopologyPanel} (cables in a file). May depend on the
 * protocol's constants and the reader of topology texts; knows no session, socket or clock.
 */
@NullMarked
package io.dmodc.agent.plane;

import org.jspecify.annotations.NullMarked;
