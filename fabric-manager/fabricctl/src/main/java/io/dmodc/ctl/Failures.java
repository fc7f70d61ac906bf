package io.dmodc.ctl;

import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** What went wrong, in one line. Only a fault of the program itself shows its stack. */
final class Failures {
    private Failures() {}

    static int badUsage(ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        PrintWriter err = command.getErr();
        err.println(name + ": " + oneLine(e) + " (see '" + name + " --help')");
        return Main.BAD_INPUT;
    }

    static int failed(Exception e, CommandLine command, ParseResult parsed) {
        if (e instanceof ParameterException usage) {
            return badUsage(usage, new String[0]);
        }
        PrintWriter err = command.getErr();
        err.println(command.getCommandSpec().qualifiedName() + ": " + oneLine(e));
        if (!(e instanceof IOException
                || e instanceof IllegalArgumentException
                || e instanceof IllegalStateException)) {
            e.printStackTrace(err);
        }
        return Main.BAD_INPUT;
    }

    private static String oneLine(Exception e) {
        String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        return message.strip().replaceAll("\\s*\\R\\s*", " ");
    }
}
