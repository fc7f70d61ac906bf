package io.dmodc.ctl.client;

import io.dmodc.settings.cli.Program;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code fabricctl plan}. */
@Command(
        name = "plan",
        description = {
            "Plans an act: shows what it would do, before 'fabricctl apply' has it done.",
            "Exit code 1 if it would leave no tables that pass the check."
        },
        subcommands = {
            PlanDrainCommand.class,
            PlanUndrainCommand.class,
            PlanEngineCommand.class,
            PlanRollbackCommand.class,
            PlanRebalanceCommand.class,
            PlanReplaceCommand.class,
            PlanForgetCommand.class
        })
public final class ActPlanCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw Program.commandMissing(spec);
    }
}
