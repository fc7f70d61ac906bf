package io.dmodc.manager.app;

import io.dmodc.detector.net.RingKey;
import io.dmodc.manager.config.ManagerConfig;
import io.dmodc.manager.config.ManagerConfig.RingAuthentication;
import io.dmodc.manager.core.SwitchDomains;
import io.dmodc.manager.store.StateStore;
import io.dmodc.routing.updown.RootGuids;
import io.dmodc.settings.Reasons;
import io.dmodc.settings.cli.ConfigFile;
import io.dmodc.settings.cli.ConfigProblems;
import io.dmodc.southbound.tls.Authentication;
import io.dmodc.southbound.tls.TlsKeyReader;
import io.dmodc.southbound.tls.TlsKeyUse;
import io.dmodc.topology.NodeTypes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code fabric-manager check-config}: what a start would find, without one. */
@Command(
        name = "check-config",
        description = {
            "Checks the settings as a start would use them: key file, addresses and ports, the files they name, the state"
                    + " directory.",
            "Prints ok, or a line for each problem; exit code 2 then."
        })
final class CheckConfigCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ConfigFile config = new ConfigFile();

    @Option(names = "--no-bind", description = "does not try ports and state, because the daemon has them")
    private boolean noBind;

    /** Reads a file that a setting names. */
    private interface Reader {
        void read(String source, List<String> lines);
    }

    @Override
    public Integer call() {
        ManagerConfig settings = config.read(ManagerConfig.class);
        try (ConfigProblems problems = new ConfigProblems(!noBind)) {
            problems.listen("southbound.listen", settings.southbound().listen());
            problems.listen("northbound.listen", settings.northbound().listen());
            if (settings.southbound().authentication() == Authentication.CERTIFICATE) {
                problems.check(
                        "southbound.keys",
                        () -> new TlsKeyReader(
                                settings.southbound().keys(),
                                TlsKeyUse.ofManager(),
                                System::nanoTime,
                                InstantSource.system()));
            }
            ring(problems, settings.detector());
            file(problems, "routing.roots", settings.routing().roots(), RootGuids::parse);
            file(problems, "routing.node-types", settings.routing().nodeTypes(), NodeTypes::parse);
            state(problems, settings.stateDir());
            return problems.print(
                    config.path().toString(),
                    spec.commandLine().getOut(),
                    spec.commandLine().getErr());
        }
    }

    private static void ring(ConfigProblems problems, ManagerConfig.Detector detector) {
        file(problems, "detector.domains", detector.domains(), SwitchDomains::parse);
        if (!detector.enabled()) {
            return;
        }
        problems.receive("detector.listen", detector.listen());
        if (detector.authentication() == RingAuthentication.KEY) {
            problems.check("detector.key-file", () -> RingKey.read(detector.keyFile()));
        }
    }

    private static void file(ConfigProblems problems, String key, @Nullable Path file, Reader reader) {
        if (file != null) {
            problems.check(key, () -> reader.read(file.toString(), lines(file)));
        }
    }

    private static List<String> lines(Path file) throws IOException {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new IOException(file + ": cannot be read (" + Reasons.of(e) + ")", e);
        }
    }

    /**
     * A damaged file there stops a start, so it is read like one. Nothing is made there: a file of whoever checks would be in
     * the way of the daemon's own user. A directory in use is the daemon's that runs.
     */
    private void state(ConfigProblems problems, Path directory) {
        problems.writable("state-dir", directory);
        if (!noBind && Files.isDirectory(directory)) {
            problems.check("state-dir", () -> StateStore.read(directory));
        }
    }
}
