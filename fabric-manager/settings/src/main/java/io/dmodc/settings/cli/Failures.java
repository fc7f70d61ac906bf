package io.dmodc.settings.cli;

import io.dmodc.settings.Reasons;
import io.dmodc.settings.SettingsException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** What went wrong, in one line. Only a fault of the program itself shows its stack, and ends with a code of its own. */
final class Failures {
    /** Before what the parser says of groups of options. */
    private static final String ERROR = "Error: ";

    private static final Pattern CONSTANTS =
            Pattern.compile("expected one of \\[([^\\]]*)] \\(case-insensitive\\) but was ('.*')");

    /** As sysexits.h has it: neither "no" nor bad input. */
    private static final int DEFECT = 70;

    private Failures() {}

    static int badUsage(ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        PrintWriter err = command.getErr();
        err.println(name + ": " + misused(e) + " (see '" + name + " --help')");
        return CommandLine.ExitCode.USAGE;
    }

    /** A misspelt option may be the one that is missing, so it is told first. */
    private static String misused(ParameterException e) {
        List<String> unmatched = e instanceof UnmatchedArgumentException unknown
                ? unknown.getUnmatched()
                : e.getCommandLine().getUnmatchedArguments();
        return unmatched.isEmpty() ? listed(oneLine(e)) : Suggestions.unknown(e.getCommandLine(), unmatched.get(0));
    }

    /** Values of a list as they are written on a command line, and nothing before that says no more than the exit code. */
    private static String listed(String raw) {
        String message = raw.startsWith(ERROR) ? raw.substring(ERROR.length()) : raw;
        Matcher constants = CONSTANTS.matcher(message);
        if (!constants.find()) {
            return message;
        }
        // A constant whose name has a dash is there by its name in the code, too.
        String values = Stream.of(constants.group(1).split(", "))
                .map(value -> value.toLowerCase(Locale.ROOT).replace('_', '-'))
                .distinct()
                .collect(Collectors.joining(", "));
        return constants.replaceFirst(Matcher.quoteReplacement(constants.group(2) + ", expected one of " + values));
    }

    static int failed(Exception e, CommandLine command, ParseResult parsed) {
        if (e instanceof ParameterException usage) {
            return badUsage(usage, new String[0]);
        }
        return failed(e, name(command.getCommandSpec()), command.getErr());
    }

    static int failed(Exception e, String program, PrintWriter err) {
        Exception told = e instanceof UncheckedIOException unchecked ? Objects.requireNonNull(unchecked.getCause()) : e;
        if (isOutOfMemory(e)) {
            return outOfMemory(program, err);
        }
        err.println(program + ": " + oneLine(told));
        if (isInput(told)) {
            return CommandLine.ExitCode.USAGE;
        }
        e.printStackTrace(err);
        return DEFECT;
    }

    private static boolean isOutOfMemory(Exception e) {
        Throwable cause = e;
        while (cause.getCause() != null && !(cause instanceof OutOfMemoryError)) {
            cause = cause.getCause();
        }
        return cause instanceof OutOfMemoryError;
    }

    /** A fabric, or what is asked of it, is too large for this process. */
    static int outOfMemory(String program, PrintWriter err) {
        long mebibytes = Runtime.getRuntime().maxMemory() >> 20;
        err.println(program + ": out of memory: the heap may have " + mebibytes
                + " MiB; expected more for this, as with JAVA_OPTS=-Xmx" + Math.max(1, (4 * mebibytes) >> 10) + "g");
        return CommandLine.ExitCode.USAGE;
    }

    /** A daemon that runs is the program, whatever its command is called. */
    private static String name(CommandSpec command) {
        return command.name().equals("run") ? command.root().name() : command.qualifiedName();
    }

    /** What users can cause. */
    private static boolean isInput(Exception e) {
        return e instanceof IOException || e instanceof IllegalArgumentException || e instanceof SettingsException;
    }

    private static String oneLine(Exception e) {
        String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        if (e instanceof FileSystemException file && file.getReason() == null) {
            message += ": " + Reasons.of(file);
        }
        return message.strip().replaceAll("\\s*\\R\\s*", " ");
    }
}
