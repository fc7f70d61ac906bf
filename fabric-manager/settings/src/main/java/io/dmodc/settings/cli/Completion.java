package io.dmodc.settings.cli;

import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Scripts that let a shell complete commands, options and values of lists. */
final class Completion {
    private Completion() {}

    /** For bash: to be read with {@code source}, or from a directory of completions. */
    static String bash(CommandSpec root) {
        return AutoComplete.bash(root.name(), fresh(root));
    }

    /**
     * For zsh: to be read with {@code source}, or as {@code _NAME} in a directory of {@code fpath}. Read the second way,
     * it runs for the first time in the middle of a completion, and must answer that one, too.
     */
    static String zsh(CommandSpec root) {
        String name = root.name();
        // Bash's compopt is not needed there, and how aliases are completed is for the user to set.
        String script = bash(root).replaceAll("(?m)^ *(alias compopt|setopt COMPLETE_ALIASES|# Make alias).*\\R", "");
        return "#compdef " + name + "\n" + script + "\nif [ \"$funcstack[1]\" = \"_" + name
                + "\" ]; then\n  _bash_complete -o default -F _complete_" + name + "\nfi\n";
    }

    /** A command line that is being executed is half parsed; the generator wants its own. */
    private static CommandLine fresh(CommandSpec root) {
        return Program.commandLine(root.userObject().getClass());
    }
}
