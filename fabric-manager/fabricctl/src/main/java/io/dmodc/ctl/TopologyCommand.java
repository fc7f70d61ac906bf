package io.dmodc.ctl;

import io.dmodc.settings.cli.Program;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code fabricctl topology …}. */
@Command(
        name = "topology",
        description = "Generates, degrades, shows and verifies fabrics; hands numbers on.",
        subcommands = {
            GenerateCommand.class,
            DegradeCommand.class,
            ShowCommand.class,
            VerifyCommand.class,
            ReplaceCommand.class
        })
final class TopologyCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw Program.commandMissing(spec);
    }
}
