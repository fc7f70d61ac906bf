/**
 * OpenSM's {@code ftree}: every destination has one way down from the top of the tree, the least used at each step, and
 * all switches lead to it.
 *
 * <p>Entry point: {@link io.dmodc.routing.ftree.Ftree}. May depend on {@code io.dmodc.topology}, {@code io.dmodc.routing},
 * on the order of GUIDs in {@code io.dmodc.routing.opensm} and on the list of roots that {@code io.dmodc.routing.updown}
 * reads; must not know other engines.
 */
@NullMarked
package io.dmodc.routing.ftree;

import org.jspecify.annotations.NullMarked;
