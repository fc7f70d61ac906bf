package io.dmodc.agent;

import io.dmodc.settings.Settings;
import io.dmodc.settings.cli.ConfigFile;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code switch-agent run}. */
@Command(
        name = "run",
        description = {
            "Runs until it is told to stop (SIGTERM).",
            "Exit code 70: a defect ended it, its stack is in the log. The switch keeps its table; start it again."
        })
final class RunCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ConfigFile config = new ConfigFile();

    @Option(names = "--print-config", description = "prints the settings in force and ends")
    private boolean print;

    @Override
    public Integer call() throws InterruptedException {
        AgentSettings settings = config.read(AgentSettings.class);
        if (print) {
            spec.commandLine().getOut().print(Settings.describe(settings));
        } else {
            AgentProcess.run(settings, config.path(), config.overrides());
        }
        return CommandLine.ExitCode.OK;
    }
}
