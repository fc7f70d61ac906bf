/**
 * The engines by name. Entry point: {@link io.dmodc.routing.engines.Engines}. A package of its own, because it knows
 * every engine and no engine may know another.
 */
@NullMarked
package io.dmodc.routing.engines;

import org.jspecify.annotations.NullMarked;
