/**
 * The command line of the daemon.
 *
 * <p>Entry points: {@link io.dmodc.manager.app.Main}; {@link io.dmodc.manager.app.AddedCommand} for commands that other jars
 * bring, as the demonstration does. May know every package of the manager; must not know who adds commands, nor the agent.
 */
@NullMarked
package io.dmodc.manager.app;

import org.jspecify.annotations.NullMarked;
