/**
 * Parallel Generalised Fat-Trees as designed: their shape, a generator with interleaved ports and canonical numbering,
 * and seeded damage.
 *
 * <p>Entry points: {@link io.dmodc.topology.pgft.PgftShape}, {@link io.dmodc.topology.pgft.PgftGenerator},
 * {@link io.dmodc.topology.pgft.Degradation}. May depend on {@code io.dmodc.topology}; must not know routing.
 */
@NullMarked
package io.dmodc.topology.pgft;

import org.jspecify.annotations.NullMarked;
