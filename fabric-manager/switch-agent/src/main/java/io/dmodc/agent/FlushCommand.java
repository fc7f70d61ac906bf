package io.dmodc.agent;

import io.dmodc.agent.AgentSettings.Plane.Kind;
import io.dmodc.agent.linux.RouteFlush;
import io.dmodc.agent.plane.PlaneException;
import io.dmodc.settings.SettingsException;
import io.dmodc.settings.cli.ConfigFile;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code switch-agent flush}. */
@Command(
        name = "flush",
        description = {
            "Takes the routes and neighbours of a plane of kind linux away, and nothing else; says how many there were.",
            "Stop the agent first: where one runs nothing is done; one without a state-dir is not noticed, and writes them again.",
            "Nothing is forwarded by this switch afterwards."
        })
final class FlushCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ConfigFile config = new ConfigFile();

    @Override
    public Integer call() {
        AgentSettings settings = config.read(AgentSettings.class);
        if (settings.plane().kind() != Kind.LINUX) {
            throw new SettingsException(config.path() + ": plane.kind is not linux; there is nothing to take away");
        }
        try {
            RouteFlush.Removed removed =
                    RouteFlush.run(PlaneHost.linuxSettings(settings.identity(config.path() + ": "), settings));
            spec.commandLine()
                    .getOut()
                    .printf("taken away: routes %d, neighbours %d%n", removed.routes(), removed.neighbours());
        } catch (PlaneException e) {
            throw new SettingsException(String.valueOf(e.getMessage()));
        }
        return CommandLine.ExitCode.OK;
    }
}
