package io.dmodc.settings.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * How each of our programs runs a command line: values of lists in any case, whatever cannot be used in one line on
 * standard error with exit code 2.
 */
public final class Program {
    private static final Path STANDARD_OUTPUT = Path.of("/proc/self/fd/1");

    /** Of the mode of a file, by inode(7). */
    private static final int TYPE = 0170000;

    private static final int FIFO = 0010000;
    private static final int SOCKET = 0140000;

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

    /**
     * Runs against the streams of the process; returns the exit code. Output that was not written whole, as on a full disk, is a failure:
     * what is there looks like all of it.
     */
    public static int run(Object root, List<OldSpelling> oldSpellings, String... args) {
        PrintWriter out = writer(FileDescriptor.out);
        PrintWriter err = writer(FileDescriptor.err);
        int code = run(root, oldSpellings, out, err, args);
        boolean lost = out.checkError() || System.out.checkError();
        if (lost && !isPipe(STANDARD_OUTPUT)) {
            err.println(commandLine(root).getCommandName()
                    + ": standard output: not written whole; expected room for all of it");
            err.flush();
            return Math.max(code, CommandLine.ExitCode.USAGE);
        }
        return code;
    }

    /** Who reads a pipe may end when it has what it wants. */
    private static boolean isPipe(Path descriptor) {
        try {
            int type = (int) Files.getAttribute(descriptor, "unix:mode") & TYPE;
            return type == FIFO || type == SOCKET;
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return false;
        }
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
