/**
 * How a daemon's process logs and ends.
 *
 * <p>Entry points: {@link io.dmodc.settings.process.HaltOnDefect}, which ends a process whose thread died of a mistake,
 * {@link io.dmodc.settings.process.QueuedStderr}, the log's way to standard error,
 * {@link io.dmodc.settings.process.StderrLog}, which makes that log without a file,
 * {@link io.dmodc.settings.process.LogQueues}, which waits until it is written, and {@link io.dmodc.settings.process.LogLimit}, which
 * keeps peers from filling it. Knows Logback, which programs without a
 * log need not have; must not know what the processes do.
 */
@NullMarked
package io.dmodc.settings.process;

import org.jspecify.annotations.NullMarked;
