/**
 * The command line of the daemon.
 *
 * <p>Entry point: {@link io.dmodc.manager.app.Main}. May know every package.
 */
@NullMarked
package io.dmodc.manager.app;

import org.jspecify.annotations.NullMarked;
