/**
 * The command line of the daemon.
 *
 * <p>Entry point: {@link io.dmodc.manager.app.Main}. Other jars bring commands, too ({@link io.dmodc.settings.cli.AddedCommand}), as the
 * demonstration does. May know every package of the manager; must not know who adds commands, nor the agent.
 */
@NullMarked
package io.dmodc.manager.app;

import org.jspecify.annotations.NullMarked;
