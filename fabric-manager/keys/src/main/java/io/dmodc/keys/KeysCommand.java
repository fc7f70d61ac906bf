package io.dmodc.keys;

import io.dmodc.settings.cli.AddedCommand;
import io.dmodc.settings.cli.Program;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code fabric-manager keys}. */
@Command(
        name = "keys",
        description = {
            "Makes the keys with which manager and agents know each other, for a site that has no authority of its own.",
            "keys init, then keys bundle: a directory for each switch and one for the manager, to be copied to"
                    + " /etc/fabric-manager/keys there."
        },
        subcommands = {KeysInitCommand.class, KeysIssueCommand.class, KeysBundleCommand.class})
public final class KeysCommand implements AddedCommand {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        throw Program.commandMissing(spec);
    }
}
