package io.dmodc.agent;

import io.dmodc.settings.cli.ConfigFile;
import io.dmodc.settings.cli.ConfigProblems;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code switch-agent check-config}: what a start would find, without one. */
@Command(
        name = "check-config",
        description = {
            "Checks the settings as a start would use them: identity, key file, addresses and port, cables, the state"
                    + " directory.",
            "Prints ok, or a line for each problem; exit code 2 then."
        })
final class CheckConfigCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ConfigFile config = new ConfigFile();

    @Option(names = "--no-bind", description = "does not try the port, because the agent has it")
    private boolean noBind;

    @Override
    public Integer call() {
        AgentSettings settings = config.read(AgentSettings.class);
        try (ConfigProblems problems = new ConfigProblems(!noBind)) {
            problems.check("guid", () -> cables(settings));
            problems.resolve("manager", settings.manager());
            problems.check("keys", settings::tls);
            if (settings.detector().enabled()) {
                problems.receive("detector.listen", settings.detector().listen());
                problems.check("detector.key-file", () -> settings.detector().key());
            }
            if (settings.stateDir() != null) {
                problems.writable("state-dir", settings.stateDir());
            }
            return problems.print(
                    config.path().toString(),
                    spec.commandLine().getOut(),
                    spec.commandLine().getErr());
        }
    }

    private void cables(AgentSettings settings) {
        CableList.open(settings.identity(config.path()), settings, config.path(), config.overrides());
    }
}
