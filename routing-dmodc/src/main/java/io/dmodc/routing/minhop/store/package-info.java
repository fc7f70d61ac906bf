/**
 * Min-hop tables and routes kept between runs, with the cabling they hold for (memo, section 7).
 *
 * <p>Entry points: {@link io.dmodc.routing.minhop.store.StoredRouting}, which routes with what was kept, and
 * {@link io.dmodc.routing.minhop.store.StateFile}, the bytes. May depend on {@code io.dmodc.topology},
 * {@code io.dmodc.routing} and {@code io.dmodc.routing.minhop}; files are opened elsewhere.
 */
@NullMarked
package io.dmodc.routing.minhop.store;

import org.jspecify.annotations.NullMarked;
