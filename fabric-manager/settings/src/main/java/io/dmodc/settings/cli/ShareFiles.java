package io.dmodc.settings.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Writes manual pages and completions of our programs as an installation keeps them under {@code share/}: {@code
 * man/man1}, {@code bash-completion/completions}, {@code zsh/site-functions}. For the build; ends without ending the
 * virtual machine.
 */
public final class ShareFiles {
    private ShareFiles() {}

    /**
     * Writes the files.
     *
     * @param args the directory, then the class of each program's root command
     * @throws IOException in one line, when one cannot be written
     * @throws ClassNotFoundException when there is no such class
     */
    public static void main(String[] args) throws IOException, ClassNotFoundException {
        if (args.length < 2) {
            throw new IllegalArgumentException("expected DIRECTORY CLASS...");
        }
        for (String program : Arrays.asList(args).subList(1, args.length)) {
            CommandSpec root = Program.commandLine(Class.forName(program)).getCommandSpec();
            write(root, Path.of(args[0]));
        }
    }

    private static void write(CommandSpec root, Path share) throws IOException {
        ManCommand.write(root, share.resolve("man/man1"));
        ManCommand.put(share.resolve("bash-completion/completions").resolve(root.name()), Completion.bash(root));
        ManCommand.put(share.resolve("zsh/site-functions").resolve("_" + root.name()), Completion.zsh(root));
    }
}
