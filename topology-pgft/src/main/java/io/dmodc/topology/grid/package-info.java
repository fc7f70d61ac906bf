/**
 * Two-dimensional fat-trees: a grid of leaf switches whose rows and columns have root switches of their own (k = 2 in the
 * VTFTR paper, section 1.2); their shape, a generator, and what is recognised of one in cabling that was discovered.
 *
 * <p>Entry points: {@link io.dmodc.topology.grid.GridShape}, {@link io.dmodc.topology.grid.GridGenerator}, {@link
 * io.dmodc.topology.grid.GridRecognition}. May depend on {@code io.dmodc.topology}; must not know routing.
 */
@NullMarked
package io.dmodc.topology.grid;

import org.jspecify.annotations.NullMarked;
