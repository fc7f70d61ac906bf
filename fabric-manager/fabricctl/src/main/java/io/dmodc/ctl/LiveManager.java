package io.dmodc.ctl;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that names the manager to ask, of commands that can do without one. */
final class LiveManager {
    @Option(
            names = "--manager",
            paramLabel = "URL",
            description = "running manager (default: FABRIC_MANAGER in the environment, or http://127.0.0.1:7480)")
    private @Nullable String manager;

    boolean given() {
        return manager != null;
    }

    /** The usual one where none was given. Not a default of the option, which could not be told from a choice. */
    String url() {
        return manager == null ? System.getenv().getOrDefault("FABRIC_MANAGER", "http://127.0.0.1:7480") : manager;
    }
}
