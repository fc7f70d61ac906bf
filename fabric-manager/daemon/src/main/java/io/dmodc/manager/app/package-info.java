/**
 * Wires the rooms of the manager together: the command line, the service, its shell.
 *
 * <p>Doors: {@link io.dmodc.manager.app.Main}, {@link io.dmodc.manager.app.FabricManager}. The one place, with the
 * loop, where clocks are read and threads are made. May know every room.
 */
@NullMarked
package io.dmodc.manager.app;

import org.jspecify.annotations.NullMarked;
