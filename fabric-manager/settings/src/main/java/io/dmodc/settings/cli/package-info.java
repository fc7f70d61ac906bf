/**
 * What the command lines of all programs share: version, refusals in one line, old spellings, completion, manual pages.
 *
 * <p>Entry points: {@link io.dmodc.settings.cli.Program} runs a command line; {@link io.dmodc.settings.cli.CompletionCommand} and
 * {@link io.dmodc.settings.cli.ManCommand} are mounted by each program; {@link io.dmodc.settings.cli.ShareFiles} writes
 * what an installation keeps under {@code share/}; {@link io.dmodc.settings.cli.ConfigProblems} is what {@code
 * check-config} collects; {@link io.dmodc.settings.cli.AddedCommand} is one that another jar brings. May depend on picocli and the settings; knows no program's commands.
 */
@NullMarked
package io.dmodc.settings.cli;

import org.jspecify.annotations.NullMarked;
