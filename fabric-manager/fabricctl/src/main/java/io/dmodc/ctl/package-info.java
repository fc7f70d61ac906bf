/**
 * The operator's command line, {@code fabricctl}.
 *
 * <p>Entry points: {@link io.dmodc.ctl.Main}; {@link io.dmodc.ctl.Inputs} is what commands that work on a fabric share;
 * {@code io.dmodc.ctl.client} asks a running manager. Exit
 * codes are 0 for yes, 1 for no, 2 for bad usage or input, or no answer of a manager, told in one line on standard error. Answers go to standard
 * output, remarks to standard error, and files appear whole or not at all ({@link io.dmodc.ctl.OutputFile}).
 *
 * <p>May depend on topology and routing; must not know the daemon's or an agent's code. A command touches the classes of
 * its work only when it runs, so that {@code --help} is there at once.
 */
@NullMarked
package io.dmodc.ctl;

import org.jspecify.annotations.NullMarked;
