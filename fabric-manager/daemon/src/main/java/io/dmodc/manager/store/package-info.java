/**
 * What outlives the process: node indices, learnt levels and the leader epoch, in a state directory.
 *
 * <p>Entry point: {@link io.dmodc.manager.store.StateDirectory}. Files are replaced whole and atomically, so a crash or a full
 * disk leaves the old ones.
 */
@NullMarked
package io.dmodc.manager.store;

import org.jspecify.annotations.NullMarked;
