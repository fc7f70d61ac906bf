package io.dmodc.settings.cli;

import java.util.concurrent.Callable;

/**
 * A command of {@code fabric-manager} that another jar brings; the daemon's own jar brings none. The class carries
 * picocli's {@code @Command} and is named in {@code META-INF/services}, in the order in which help lists it.
 */
public interface AddedCommand extends Callable<Integer> {}
