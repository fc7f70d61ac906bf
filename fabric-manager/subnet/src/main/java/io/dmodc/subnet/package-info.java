/**
 * An InfiniBand subnet as the tools of OpenSM's world show it: how it is cabled, and what its switches hold. Reads, and changes nothing.
 *
 * <p>Entry points: {@link io.dmodc.subnet.DiscoverySource} looks at the fabric, {@link io.dmodc.subnet.SwitchReader} asks
 * switches for their tables; {@link io.dmodc.subnet.OpenSmSettings} say by which commands. The daemon's bridge and {@code fabricctl}
 * read through this one door. May depend on the topology, the routing's words for tables and the settings; must not know the daemon.
 */
@NullMarked
package io.dmodc.subnet;

import org.jspecify.annotations.NullMarked;
