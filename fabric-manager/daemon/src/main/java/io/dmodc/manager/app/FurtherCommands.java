package io.dmodc.manager.app;

import io.dmodc.settings.cli.AddedCommand;
import io.dmodc.settings.cli.CompletionCommand;
import io.dmodc.settings.cli.ManCommand;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Puts behind the daemon's own commands every {@link AddedCommand} of the class path, then those that all programs have,
 * which help lists last. A jar that names a class it does not have ends it with a {@link java.util.ServiceConfigurationError}.
 */
final class FurtherCommands implements IModelTransformer {
    @Override
    public CommandSpec transform(CommandSpec root) {
        if (root.parent() != null) {
            return root; // commands inherit the transformer with all else from the root
        }
        // By their types: an instance is made only of the command that runs.
        ServiceLoader.load(AddedCommand.class, AddedCommand.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::type)
                .forEach(command -> add(root, command));
        add(root, CompletionCommand.class);
        add(root, ManCommand.class);
        add(root, HelpCommand.class);
        return root;
    }

    /** Under the name that the class's {@code @Command} says. */
    private static void add(CommandSpec root, Class<?> command) {
        root.addSubcommand(null, new CommandLine(command));
    }
}
