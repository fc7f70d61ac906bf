/**
 * OpenSM's {@code updn}: shortest paths that never climb after they descended, counted from root switches.
 *
 * <p>Entry points: {@link io.dmodc.routing.updown.UpDown} and {@link io.dmodc.routing.updown.RootGuids}. Builds on
 * {@code io.dmodc.routing.minhop}, which holds and spreads the paths; may depend on {@code io.dmodc.topology} and
 * {@code io.dmodc.routing}; must not know other engines.
 */
@NullMarked
package io.dmodc.routing.updown;

import org.jspecify.annotations.NullMarked;
