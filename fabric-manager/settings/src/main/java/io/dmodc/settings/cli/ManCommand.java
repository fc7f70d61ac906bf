package io.dmodc.settings.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code … man}. */
@Command(
        name = "man",
        description = {
            "Prints the manual page of a command, or writes all pages to a directory.",
            "To read one: ${ROOT-COMMAND-NAME} man | man -l -"
        })
public final class ManCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "its words (default: the program)")
    private List<String> words = List.of();

    @Option(names = "--out", paramLabel = "DIR", description = "write the pages of all commands there, as NAME.1")
    private @Nullable Path directory;

    @Override
    public Integer call() throws IOException {
        if (directory == null) {
            spec.commandLine().getOut().print(ManPage.of(named()));
        } else {
            write(spec.root(), directory);
        }
        return CommandLine.ExitCode.OK;
    }

    private CommandSpec named() {
        CommandSpec command = spec.root();
        for (String word : words) {
            CommandLine child = command.subcommands().get(word);
            if (child == null) {
                throw new ParameterException(
                        spec.commandLine(), Suggestions.unknown(command.commandLine(), word.replaceFirst("^-+", "")));
            }
            command = child.getCommandSpec();
        }
        return command;
    }

    /** Writes the page of the command and of all below it. */
    static void write(CommandSpec command, Path directory) throws IOException {
        for (CommandSpec each : ManPage.tree(command)) {
            put(directory.resolve(ManPage.name(each) + ".1"), ManPage.of(each));
        }
    }

    /** @throws IOException in one line that names the file */
    static void put(Path file, String text) throws IOException {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(file, text, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IOException(file + ": cannot be written (" + e + "); expected a writable directory", e);
        }
    }
}
