package io.dmodc.agent;

import io.dmodc.settings.cli.CompletionCommand;
import io.dmodc.settings.cli.ManCommand;
import io.dmodc.settings.cli.OldSpelling;
import io.dmodc.settings.cli.Program;
import io.dmodc.settings.cli.ProgramVersion;
import io.dmodc.settings.process.HaltOnDefect;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command line of the agent's process. Exit codes: 0 ok, 2 bad usage or input, 70 a defect ended it. */
@Command(
        name = "switch-agent",
        description = "Connects one switch with the fabric manager.",
        versionProvider = ProgramVersion.class,
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        subcommands = {
            RunCommand.class,
            CheckConfigCommand.class,
            NodeCommand.class,
            FlushCommand.class,
            CompletionCommand.class,
            ManCommand.class,
            HelpCommand.class
        },
        footer = {"", "Exit codes: 0 ok, 2 bad usage or input, 70 a defect ended it."})
public final class Main implements Runnable {
    private static final List<OldSpelling> OLD_SPELLINGS =
            List.of(new OldSpelling("run", "--print-settings", "--print-config"));

    @Spec
    private CommandSpec spec = CommandSpec.create();

    Main() {}

    /** Runs the command line; exits with 0 when all is well, 2 for bad usage or input. */
    public static void main(String[] arguments) {
        HaltOnDefect.install("the switch forwards on by the table it has");
        PlainRun plain = PlainRun.of(arguments);
        System.exit(plain == null ? run(arguments) : plain.run());
    }

    static CommandLine commandLine() {
        return Program.commandLine(new Main());
    }

    /** Runs a command; returns its exit code. */
    static int run(String... arguments) {
        return Program.run(new Main(), OLD_SPELLINGS, arguments);
    }

    /** Without a command there is nothing to do. */
    @Override
    public void run() {
        throw Program.commandMissing(spec);
    }
}
