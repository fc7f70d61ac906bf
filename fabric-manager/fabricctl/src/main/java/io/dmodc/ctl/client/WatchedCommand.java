package io.dmodc.ctl.client;

import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A command that can go on showing what it shows. */
abstract class WatchedCommand extends ManagerCommand {
    private static final double SECONDS_MIN = 0.1;
    private static final double SECONDS_MAX = 86_400;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--watch",
            arity = "0..1",
            fallbackValue = "2",
            paramLabel = "SECONDS",
            description = "asks again every so many seconds until it is interrupted, redrawing a terminal (without a"
                    + " number: ${FALLBACK-VALUE})")
    private @Nullable Double watch;

    @Override
    final int run(ManagerClient client) throws IOException, NoAnswerException {
        if (watch == null) {
            return show(client, out());
        }
        if (!(watch >= SECONDS_MIN && watch <= SECONDS_MAX)) {
            throw new IllegalArgumentException(
                    "--watch " + watch + "; expected " + SECONDS_MIN + ".." + (int) SECONDS_MAX + " seconds");
        }
        Duration pause = Duration.ofMillis(Math.round(watch * 1000));
        boolean headed = format() == Format.TEXT;
        return new WatchLoop(spec.qualifiedName(), pause, headed, out(), err()).run(out -> show(client, out));
    }
}
