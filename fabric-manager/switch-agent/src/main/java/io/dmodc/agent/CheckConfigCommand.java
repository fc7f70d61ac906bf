package io.dmodc.agent;

import io.dmodc.agent.AgentSettings.Plane.Kind;
import io.dmodc.settings.SettingsException;
import io.dmodc.settings.cli.ConfigFile;
import io.dmodc.settings.cli.ConfigProblems;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
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
            "Checks the settings as a start would use them: identity, key file, addresses and port, cables, the plane's"
                    + " program, the state directory.",
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
            problems.check(
                    "plane.command",
                    () -> program("plane.command", settings.plane().command()));
            if (settings.plane().kind() == Kind.LINUX) {
                problems.check("plane.kind", () -> program("plane.kind: linux", List.of("ip")));
            }
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

    /** As a start would look for it; it is not started. */
    private static void program(String key, List<String> command) {
        if (command.isEmpty()) {
            return;
        }
        Path program = Path.of(command.get(0));
        List<Path> places = program.getNameCount() > 1 || program.isAbsolute()
                ? List.of(program)
                : Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                        .map(place -> Path.of(place).resolve(program))
                        .toList();
        if (places.stream().noneMatch(place -> Files.isRegularFile(place) && Files.isExecutable(place))) {
            throw new SettingsException(key + ": " + program + ": no program that this user may run");
        }
    }

    private void cables(AgentSettings settings) {
        long guid = settings.identity("");
        if (settings.plane().kind() != Kind.LINUX) {
            CableList.open(guid, settings, config.path(), config.overrides());
        }
    }
}
