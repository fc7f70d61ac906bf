/**
 * What outlives the process: node indices, learnt levels and the leader epoch, in a state directory.
 *
 * <p>Entry points: {@link io.dmodc.manager.store.StateDirectory}, and {@link io.dmodc.manager.store.EventJournal} for the
 * history of events, which may know the event log of the loop. Files are replaced whole and atomically, so a crash or a full
 * disk leaves the old ones; journals are added to, and what a crash tore off is cut off at the next start.
 */
@NullMarked
package io.dmodc.manager.store;

import org.jspecify.annotations.NullMarked;
