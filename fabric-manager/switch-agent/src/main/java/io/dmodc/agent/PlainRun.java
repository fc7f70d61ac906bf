package io.dmodc.agent;

import io.dmodc.settings.Settings;
import io.dmodc.settings.cli.Program;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code run --config FILE [--set KEY=VALUE]...}, as services start an agent, read without picocli: what {@link RunCommand}
 * would leave in memory is as much as an agent's heap at rest. Anything else is for picocli to understand or to refuse.
 */
record PlainRun(Path file, List<String> sets) {
    /** Null: not so plain. */
    static @Nullable PlainRun of(String... arguments) {
        if (arguments.length % 2 == 0 || !arguments[0].equals("run")) {
            return null;
        }
        Path file = null;
        List<String> sets = new ArrayList<>();
        for (int i = 1; i < arguments.length; i += 2) {
            String value = arguments[i + 1];
            if (value.isEmpty() || "-@\"".indexOf(value.charAt(0)) >= 0) {
                return null;
            }
            if (arguments[i].equals("--set")) {
                sets.add(value);
            } else if (arguments[i].equals("--config") && file == null) {
                file = Path.of(value);
            } else {
                return null;
            }
        }
        return file == null ? null : new PlainRun(file, sets);
    }

    /** Runs until the process is asked to end; returns the exit code. */
    int run() {
        try {
            var overrides = Settings.overrides(sets);
            AgentProcess.run(Settings.read(file, AgentSettings.class, overrides), file, overrides);
            return 0;
        } catch (InterruptedException | RuntimeException e) {
            return Program.failed(e, "switch-agent");
        }
    }
}
