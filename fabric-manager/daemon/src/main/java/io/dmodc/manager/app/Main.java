package io.dmodc.manager.app;

import io.dmodc.manager.demo.DemoCommand;
import io.dmodc.manager.demo.TrialCommand;
import io.dmodc.settings.SettingsException;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/** {@code fabric-manager}: the daemon and its demonstration. Exit codes: 0 ok, 1 the answer is no, 2 bad usage or input. */
@Command(
        name = "fabric-manager",
        description = "Fabric manager for Parallel Generalised Fat-Trees.",
        mixinStandardHelpOptions = true,
        version = "fabric-manager 0.1.0",
        subcommands = {RunCommand.class, DemoCommand.class, TrialCommand.class})
public final class Main {
    private Main() {}

    /** Runs a command and exits with its code. */
    public static void main(String[] args) {
        System.exit(run(args));
    }

    /** Runs a command; returns its exit code. */
    public static int run(String... args) {
        CommandLine line = new CommandLine(new Main());
        line.setParameterExceptionHandler((e, given) -> usage(e));
        line.setExecutionExceptionHandler((e, failed, parsed) -> failure(e));
        if (args.length == 0) {
            line.usage(System.err);
            return 2;
        }
        return line.execute(args);
    }

    private static int usage(ParameterException e) {
        System.err.println("fabric-manager: " + e.getMessage() + " (see --help)");
        return 2;
    }

    /** What users can cause is one line; anything else is a defect and shows where. */
    private static int failure(Exception e) throws Exception {
        if (e instanceof IOException || e instanceof IllegalArgumentException || e instanceof SettingsException) {
            System.err.println("fabric-manager: " + e.getMessage());
            return 2;
        }
        throw e;
    }
}
