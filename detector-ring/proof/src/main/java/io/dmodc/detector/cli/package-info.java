/**
 * The simulator on the command line.
 *
 * <p>Entry points: {@link io.dmodc.detector.cli.Main}, a program of its own;
 * {@link io.dmodc.detector.cli.SimulationOptions}, the same options and answers for a larger program to mount.
 *
 * <p>May depend on {@code io.dmodc.detector}, its {@code sim} and picocli. Knows clock and console only as arguments,
 * but for {@code Main}.
 */
@NullMarked
package io.dmodc.detector.cli;

import org.jspecify.annotations.NullMarked;
