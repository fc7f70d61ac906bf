/**
 * What outlives the process: the records of {@code manager.state}, and the history of events, in a state directory.
 *
 * <p>Entry points: {@link io.dmodc.manager.store.StateStore}, {@link io.dmodc.manager.store.StateExport} for people, and {@link
 * io.dmodc.manager.store.EventJournal} for the history of events, which may know the event log of the loop. Only this package
 * knows MVStore and the format of records on disk ({@code state.proto}). What a crash tore off is cut off at the next start;
 * what was damaged otherwise is refused, and never read as an older state or none.
 */
@NullMarked
package io.dmodc.manager.store;

import org.jspecify.annotations.NullMarked;
