/**
 * The demonstration: a whole fabric on one machine, with real sockets, that loses cables and switches and heals.
 *
 * <p>Entry points: {@link io.dmodc.demo.DemoCommand} and {@link io.dmodc.demo.TrialCommand}, which {@code fabric-manager}
 * finds through {@link io.dmodc.settings.cli.AddedCommand}. The only package that may know both {@code io.dmodc.manager} and
 * {@code io.dmodc.agent}: it plays the switches, too. Nothing knows it.
 */
@NullMarked
package io.dmodc.demo;

import org.jspecify.annotations.NullMarked;
