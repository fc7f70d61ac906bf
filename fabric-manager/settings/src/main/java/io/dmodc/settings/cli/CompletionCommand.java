package io.dmodc.settings.cli;

import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code … completion bash|zsh}. */
@Command(
        name = "completion",
        description = {
            "Prints a script that completes commands, options and values in a shell.",
            "For this shell only: source <(${ROOT-COMMAND-NAME} completion bash)"
        })
public final class CompletionCommand implements Runnable {
    /** Shells that can complete. */
    enum Shell {
        BASH,
        ZSH;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "bash|zsh", description = "the shell: ${COMPLETION-CANDIDATES}")
    private Shell shell = Shell.BASH;

    @Override
    public void run() {
        CommandSpec root = spec.root();
        String script = switch (shell) {
            case BASH -> Completion.bash(root);
            case ZSH -> Completion.zsh(root);
        };
        spec.commandLine().getOut().print(script);
    }
}
