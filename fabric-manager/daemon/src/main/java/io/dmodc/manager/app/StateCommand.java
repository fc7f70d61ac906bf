package io.dmodc.manager.app;

import io.dmodc.settings.cli.Program;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code fabric-manager state}: what a manager keeps over a restart, for people. */
@Command(
        name = "state",
        description = {
            "Shows, exports and imports what the manager keeps over a restart, while no manager runs there.",
            "Replays recordings of what it was told."
        },
        subcommands = {
            StateShowCommand.class,
            StateExportCommand.class,
            StateImportCommand.class,
            StateReplayCommand.class
        })
final class StateCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw Program.commandMissing(spec);
    }
}
