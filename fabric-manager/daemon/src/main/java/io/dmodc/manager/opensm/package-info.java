/**
 * Switches without agents, whose tables OpenSM loads from a file: finds out how the fabric is, writes the file, sends the
 * SIGHUP, reads back what the switches hold. For the core each such switch has an agent; this package is all of them.
 *
 * <p>Entry point: {@link io.dmodc.manager.opensm.OpenSmBridge}. {@link io.dmodc.manager.opensm.FabricWatch} looks,
 * {@link io.dmodc.manager.opensm.TableKeeper} writes, and has {@link io.dmodc.manager.opensm.DumpLoading} compare; each on a thread of its own, and neither waits for the
 * loop's. May depend on the core, the loop, the settings, {@code io.dmodc.routing} and {@code io.dmodc.topology}; must not
 * know Netty, Armeria or the agents' sessions. Not loaded unless {@code southbound.opensm} is set.
 */
@NullMarked
package io.dmodc.manager.opensm;

import org.jspecify.annotations.NullMarked;
