package io.dmodc.ctl.client;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
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
            PlanRollbackCommand.class
        })
public final class ActPlanCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        CommandLine line = spec.commandLine();
        throw new ParameterException(line, "an act is missing");
    }
}
