/**
 * What a manager's core was told, in files, and told again to another: the same epochs, tables and pushes come of it.
 *
 * <p>Entry points: {@link io.dmodc.manager.recording.EventRecorder} writes while the manager runs, on a thread of its own;
 * {@link io.dmodc.manager.recording.Replay} reads. Knows the core, the loop and the form of records in the store; only this package
 * knows the format of the files ({@code recording.proto}).
 */
@NullMarked
package io.dmodc.manager.recording;

import org.jspecify.annotations.NullMarked;
