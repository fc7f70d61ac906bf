package io.dmodc.settings.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * How each of our programs runs a command line: values of lists in any case, whatever cannot be used in one line on
 * standard error with exit code 2.
 */
public final class Program {
    private Program() {}

    /**
     * Prepares a command line.
     *
     * @param root an object of a class that carries {@code @Command}, or the class
     */
    public static CommandLine commandLine(Object root) {
        return new CommandLine(root)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(Failures::badUsage)
                .setExecutionExceptionHandler(Failures::failed);
    }

    /** Runs against the given streams; returns the exit code. */
    public static int run(
            Object root, List<OldSpelling> oldSpellings, PrintWriter out, PrintWriter err, String... args) {
        CommandLine line = commandLine(root).setOut(out).setErr(err);
        int code = execute(line, OldSpelling.rewritten(oldSpellings, args));
        out.flush();
        err.flush();
        return code;
    }

    private static int execute(CommandLine line, String... args) {
        try {
            return line.execute(args);
        } catch (OutOfMemoryError e) {
            return Failures.outOfMemory(line.getCommandName(), line.getErr());
        }
    }

    /** Runs against the streams of the process; returns the exit code. */
    public static int run(Object root, List<OldSpelling> oldSpellings, String... args) {
        return run(root, oldSpellings, writer(FileDescriptor.out), writer(FileDescriptor.err), args);
    }

    /** Says on standard error what ended a program that runs, as a command line would; returns the exit code. */
    public static int failed(Exception e, String program) {
        PrintWriter err = writer(FileDescriptor.err);
        int code = Failures.failed(e, program, err);
        err.flush();
        return code;
    }

    /** What a command does that only has commands below it. */
    public static ParameterException commandMissing(CommandSpec spec) {
        List<String> commands = Suggestions.commands(spec);
        boolean few = spec.parent() != null;
        return new ParameterException(
                spec.commandLine(), few ? "expected one of " + String.join(", ", commands) : "expected a command");
    }

    /** UTF-8 whatever the locale: names of nodes may hold any letter. */
    private static PrintWriter writer(FileDescriptor to) {
        return new PrintWriter(new OutputStreamWriter(new FileOutputStream(to), StandardCharsets.UTF_8), false);
    }
}
