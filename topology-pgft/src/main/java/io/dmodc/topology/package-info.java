/**
 * What the fabric is, as one immutable {@link io.dmodc.topology.FabricView} per epoch.
 *
 * <p>Entry points: {@link io.dmodc.topology.FabricViewBuilder} takes {@link io.dmodc.topology.FabricChange}s and draws
 * views; {@link io.dmodc.topology.NodeIndexMap} fixes the destination indices. GUIDs are translated to dense
 * {@code int} indices here and nowhere else. May depend on the JDK alone; must not know routing, sockets, clocks or
 * logs.
 */
@NullMarked
package io.dmodc.topology;

import org.jspecify.annotations.NullMarked;
