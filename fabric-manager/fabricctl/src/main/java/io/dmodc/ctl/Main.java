package io.dmodc.ctl;

import io.dmodc.settings.cli.OldSpelling;
import io.dmodc.settings.cli.Program;
import io.dmodc.settings.cli.ProgramVersion;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** Entry of {@code fabricctl}: takes the command line apart, runs one command, turns what happened into an exit code. */
@Command(
        name = "fabricctl",
        description = "Looks at fat-tree fabrics, routes them and checks tables; asks a running manager.",
        versionProvider = ProgramVersion.class,
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        modelTransformer = CalledCommand.class,
        footer = {"", "Exit codes: 0 yes, 1 no, 2 bad usage or input, or no answer of a manager."})
public final class Main implements Runnable {
    /** The question was answered with yes, or the work is done. */
    static final int YES = 0;

    /** The question was answered with no. */
    static final int NO = 1;

    private static final List<OldSpelling> OLD_SPELLINGS = List.of(
            new OldSpelling("topology show", "--in", "--topology"),
            new OldSpelling("topology verify", "--in", "--topology"),
            new OldSpelling("topology degrade", "--in", "--topology"),
            new OldSpelling("route", "--stats", "--format"),
            new OldSpelling("switches", "--condition", "--state"));

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final String called;

    /** With all commands. */
    public Main() {
        this("");
    }

    /** @param called name of the command that will run, if it is one: then that of the commands which is needed */
    private Main(String called) {
        this.called = called;
    }

    private static Main of(String... args) {
        return new Main(args.length == 0 ? "" : args[0]);
    }

    String called() {
        return called;
    }

    /** Runs the command line and ends the process. */
    public static void main(String[] args) {
        System.exit(Program.run(of(args), OLD_SPELLINGS, args));
    }

    /** Runs one command line against the given streams; returns the exit code. */
    static int run(PrintWriter out, PrintWriter err, String... args) {
        return Program.run(of(args), OLD_SPELLINGS, out, err, args);
    }

    /** Without a command there is nothing to do. */
    @Override
    public void run() {
        throw Program.commandMissing(spec);
    }
}
