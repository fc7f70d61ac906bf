package io.dmodc.manager.app;

import io.dmodc.settings.cli.Program;
import io.dmodc.settings.cli.ProgramVersion;
import io.dmodc.settings.process.HaltOnDefect;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** {@code fabric-manager}: the daemon, and the commands other jars add. Exit codes: 0 ok, 1 the answer is no, 2 bad usage or
 * input, 70 a defect ended it. */
@Command(
        name = "fabric-manager",
        description = "Fabric manager for Parallel Generalised Fat-Trees.",
        versionProvider = ProgramVersion.class,
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        subcommands = {RunCommand.class, CheckConfigCommand.class, StateCommand.class},
        modelTransformer = FurtherCommands.class,
        footer = {"", "Exit codes: 0 ok, 1 the answer is no, 2 bad usage or input, 70 a defect ended it."})
public final class Main implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    private Main() {}

    /** Runs a command and exits with its code. */
    public static void main(String[] args) {
        HaltOnDefect.install("the switches keep the tables they have");
        System.exit(run(args));
    }

    /** Runs a command; returns its exit code. */
    public static int run(String... args) {
        return Program.run(root(), List.of(), args);
    }

    static Main root() {
        return new Main();
    }

    /** Without a command there is nothing to do. */
    @Override
    public void run() {
        throw Program.commandMissing(spec);
    }
}
