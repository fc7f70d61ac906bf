package io.dmodc.ctl;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The option that names the manager to ask, of commands that can do without one. */
final class LiveManager {
    private static final String NAME = "--manager";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = NAME,
            paramLabel = "URL",
            description = "running manager (default: FABRIC_MANAGER in the environment, or http://127.0.0.1:7480)")
    private @Nullable String manager;

    /** The usual one where none was given. Not a default of the option, which could not be told from a choice. */
    String url() {
        return manager == null ? System.getenv().getOrDefault("FABRIC_MANAGER", "http://127.0.0.1:7480") : manager;
    }

    /** @throws IllegalArgumentException in one line, if one was named beside another origin of the fabric */
    void requireNone() {
        if (manager != null) {
            throw new IllegalArgumentException(
                    "expected only one of --topology, --pgft, --grid, --opensm and --manager");
        }
    }

    /**
     * Called where the manager is asked: it has its own engine, design and the like.
     *
     * @param asked names of the options that make sense then, beside {@value #NAME}
     * @throws IllegalArgumentException in one line, if any other was given
     */
    void requireOnly(Set<String> asked) {
        for (OptionSpec option : spec.commandLine().getParseResult().matchedOptions()) {
            String name = option.longestName();
            if (!name.equals(NAME) && !asked.contains(name)) {
                throw new IllegalArgumentException(
                        name + " is for --topology, --pgft, --grid and --opensm; a running manager has its own");
            }
        }
    }
}
