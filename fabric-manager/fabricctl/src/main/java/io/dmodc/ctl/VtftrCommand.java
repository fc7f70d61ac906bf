package io.dmodc.ctl;

import io.dmodc.settings.cli.Program;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code fabricctl vtftr …}. */
@Command(
        name = "vtftr",
        description = "Routes grids of leaf switches with VTFTR, and proves such tables.",
        subcommands = {VtftrDumpCommand.class, VtftrCheckCommand.class})
final class VtftrCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw Program.commandMissing(spec);
    }
}
