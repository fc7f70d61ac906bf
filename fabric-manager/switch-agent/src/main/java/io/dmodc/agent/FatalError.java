package io.dmodc.agent;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of an {@link Error}: nothing that runs on after it can be trusted, so the process ends at once, the switch
 * keeps its table, and whoever watches the process starts it again. Event loops and timers would swallow it instead.
 */
final class FatalError {
    /** Exit code of a process that met one. */
    static final int EXIT_CODE = 70;

    private static final Logger LOG = LoggerFactory.getLogger(FatalError.class);

    private FatalError() {}

    /** From now on what nobody caught, or what was {@linkplain #raise raised}, ends this process. */
    static void endProcess() {
        Thread.setDefaultUncaughtExceptionHandler((thread, error) -> {
            LOG.error("defect on thread {}: the agent ends, the switch keeps its table", thread.getName(), error);
            Runtime.getRuntime().halt(EXIT_CODE);
        });
    }

    /**
     * Hands an error to whoever ends this process. Returns if nobody does, as where many agents share a process: then it
     * is printed.
     */
    static void raise(Error error) {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, error);
    }

    /** Returns one line that says what was thrown. */
    static String line(Throwable thrown) {
        String message = thrown.getMessage();
        String name = thrown.getClass().getSimpleName();
        return message == null
                ? name
                : name + ": " + message.lines().findFirst().orElse("");
    }
}
