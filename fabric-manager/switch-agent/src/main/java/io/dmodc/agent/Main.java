package io.dmodc.agent;

import io.dmodc.settings.Settings;
import io.dmodc.settings.SettingsException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command line of the agent's process: {@code switch-agent run --config FILE}. */
@Command(
        name = "switch-agent",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Connects one switch with the fabric manager.")
public final class Main {
    static final String DEFAULT_LOG_SETTINGS = "io/dmodc/agent/logback-default.xml";

    private static final String LOG_SETTINGS = "logback.configurationFile";

    Main() {}

    /** Runs the command line; exits with 0 when all is well, 2 for bad usage or input. */
    public static void main(String[] arguments) {
        if (System.getProperty(LOG_SETTINGS) == null) {
            System.setProperty(LOG_SETTINGS, DEFAULT_LOG_SETTINGS);
        }
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main()).setExecutionExceptionHandler(Main::explain);
    }

    /** Bad settings and refused addresses or files are one line for the operator; everything else is a bug with a trace. */
    private static int explain(Exception failure, CommandLine command, CommandLine.ParseResult parsed)
            throws Exception {
        if (failure instanceof SettingsException || failure instanceof UncheckedIOException) {
            Throwable cause = failure.getCause();
            command.getErr().println("switch-agent: " + (cause == null ? failure : cause).getMessage());
            return CommandLine.ExitCode.USAGE;
        }
        throw failure;
    }

    @Command(name = "run", mixinStandardHelpOptions = true, description = "Runs until it is told to stop (SIGTERM).")
    int run(
            @Option(
                            names = "--config",
                            required = true,
                            paramLabel = "FILE",
                            description = "settings, see conf/switch-agent.yaml")
                    Path config,
            @Option(
                            names = "--set",
                            paramLabel = "KEY=VALUE",
                            description = "overrides one setting, e.g. plane.port-count=40; may be repeated")
                    @Nullable
                    List<String> sets,
            @Option(names = "--print-settings", description = "prints the effective settings as YAML and ends")
                    boolean print)
            throws InterruptedException {
        Map<String, String> overrides = Settings.overrides(sets == null ? List.of() : sets);
        AgentSettings settings = Settings.read(config, AgentSettings.class, overrides);
        if (print) {
            System.out.print(Settings.describe(settings));
        } else {
            new AgentProcess(identified(settings, config), settings, config, overrides).run();
        }
        return CommandLine.ExitCode.OK;
    }

    /** There is no default for an identity: two agents with the same one would fight for the switch. */
    private static long identified(AgentSettings settings, Path config) {
        Long guid = settings.guid();
        if (guid == null) {
            throw new SettingsException(config + ": guid: missing; expected the GUID of the switch, as 0x…");
        }
        return guid;
    }
}
