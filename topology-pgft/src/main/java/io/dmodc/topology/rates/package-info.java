/**
 * How fast links are: their width and speed as a file tells them, and which of them are slower than most of their kind.
 *
 * <p>Entry points: {@link io.dmodc.topology.rates.LinkRates}, {@link io.dmodc.topology.rates.SlowLinks}. May depend on
 * {@code io.dmodc.topology}; must not know files, routing.
 */
@NullMarked
package io.dmodc.topology.rates;

import org.jspecify.annotations.NullMarked;
