package io.dmodc.ctl;

import io.dmodc.ctl.client.EpochsCommand;
import io.dmodc.ctl.client.EventsCommand;
import io.dmodc.ctl.client.LftCommand;
import io.dmodc.ctl.client.LinksCommand;
import io.dmodc.ctl.client.NodesCommand;
import io.dmodc.ctl.client.PathCommand;
import io.dmodc.ctl.client.StatusCommand;
import io.dmodc.ctl.client.SwitchCommand;
import io.dmodc.ctl.client.SwitchesCommand;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** Entry of {@code fabricctl}: takes the command line apart, runs one command, turns what happened into an exit code. */
@Command(
        name = "fabricctl",
        description = "Looks at fat-tree fabrics, routes them and checks tables; asks a running manager.",
        versionProvider = Version.class,
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        subcommands = {
            TopologyCommand.class,
            RouteCommand.class,
            CheckCommand.class,
            QualityCommand.class,
            BenchCommand.class,
            ExportCommand.class,
            ReportCommand.class,
            DetectorCommand.class,
            StatusCommand.class,
            SwitchesCommand.class,
            SwitchCommand.class,
            LinksCommand.class,
            NodesCommand.class,
            EventsCommand.class,
            LftCommand.class,
            PathCommand.class,
            EpochsCommand.class,
            HelpCommand.class
        },
        footer = {"", "Exit codes: 0 yes, 1 no, 2 bad usage or input."})
public final class Main implements Runnable {
    /** The question was answered with yes, or the work is done. */
    static final int YES = 0;

    /** The question was answered with no. */
    static final int NO = 1;

    /** The command line or an input cannot be used. */
    static final int BAD_INPUT = 2;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Runs the command line and ends the process. */
    public static void main(String[] args) {
        PrintWriter out = writer(FileDescriptor.out);
        PrintWriter err = writer(FileDescriptor.err);
        int code = run(out, err, args);
        out.flush();
        err.flush();
        System.exit(code);
    }

    /** UTF-8 whatever the locale: names of nodes may hold any letter. */
    private static PrintWriter writer(FileDescriptor to) {
        return new PrintWriter(new OutputStreamWriter(new FileOutputStream(to), StandardCharsets.UTF_8), false);
    }

    /** Runs one command line against the given streams; returns the exit code. */
    static int run(PrintWriter out, PrintWriter err, String... args) {
        CommandLine line = new CommandLine(new Main())
                .setOut(out)
                .setErr(err)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(Failures::badUsage)
                .setExecutionExceptionHandler(Failures::failed);
        int code = line.execute(args);
        out.flush();
        err.flush();
        return code;
    }

    /** Without a command there is nothing to do. */
    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "expected a command");
    }
}
