package io.dmodc.ctl;

import io.dmodc.settings.cli.Program;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code fabricctl detector …}. */
@Command(
        name = "detector",
        description = "Plans, simulates and proves the ring that notices silent agents.",
        subcommands = {PlanCommand.class, SimulateCommand.class, AcceptanceCommand.class})
final class DetectorCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw Program.commandMissing(spec);
    }
}
