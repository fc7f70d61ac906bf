/**
 * Which links are slower than most of their kind, and whether routes lead around them.
 *
 * <p>Entry points: {@link io.dmodc.topology.LinkRates}, {@link io.dmodc.topology.rates.SlowLinks}. May depend on
 * {@code io.dmodc.topology}; must not know files, routing.
 */
@NullMarked
package io.dmodc.topology.rates;

import org.jspecify.annotations.NullMarked;
