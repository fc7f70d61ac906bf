package io.dmodc.ctl;

import io.dmodc.settings.cli.Program;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code fabricctl study …}. */
@Command(
        name = "study",
        description = "Runs a paper's evaluation again: data and plots.",
        subcommands = {DamageStudyCommand.class, VtftrStudyCommand.class})
final class StudyCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw Program.commandMissing(spec);
    }
}
