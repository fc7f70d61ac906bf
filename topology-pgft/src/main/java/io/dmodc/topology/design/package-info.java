/**
 * The fabric against its design: which PGFT it is or was meant to be, and where it differs.
 *
 * <p>Entry points: {@link io.dmodc.topology.design.DesignCheck} compares, {@link io.dmodc.topology.design.DesignReport}
 * says what was found and which level each switch has by design. May depend on {@code io.dmodc.topology} and
 * {@code io.dmodc.topology.pgft}; must not know routing.
 */
@NullMarked
package io.dmodc.topology.design;

import org.jspecify.annotations.NullMarked;
