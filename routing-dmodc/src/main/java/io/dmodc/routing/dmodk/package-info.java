/**
 * Dmodk (Zahavi 2010): closed-form routing of whole PGFTs, and the yardstick of Dmodc there.
 *
 * <p>Entry point: {@link io.dmodc.routing.dmodk.Dmodk}. May depend on {@code io.dmodc.topology},
 * {@code io.dmodc.topology.pgft} and {@code io.dmodc.routing}; must not know, nor share code with, other engines.
 */
@NullMarked
package io.dmodc.routing.dmodk;

import org.jspecify.annotations.NullMarked;
