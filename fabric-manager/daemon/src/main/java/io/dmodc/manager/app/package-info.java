/**
 * The command line of the daemon.
 *
 * <p>Door: {@link io.dmodc.manager.app.Main}. May know every room.
 */
@NullMarked
package io.dmodc.manager.app;

import org.jspecify.annotations.NullMarked;
