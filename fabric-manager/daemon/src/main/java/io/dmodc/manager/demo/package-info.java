/**
 * The demonstration: a whole fabric on one machine, with real sockets, that loses cables and switches and heals.
 *
 * <p>Entry point: {@link io.dmodc.manager.demo.DemoCommand}. The only part of the manager that may know
 * {@code io.dmodc.agent}: it plays the switches, too.
 */
@NullMarked
package io.dmodc.manager.demo;

import org.jspecify.annotations.NullMarked;
