package io.dmodc.manager.app;

import io.dmodc.manager.state.StoredState;
import io.dmodc.manager.store.StateExport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code fabric-manager state export}. */
@Command(
        name = "export",
        description = "Writes the state as JSON lines that later releases can import; docs/state.md names every field.")
final class StateExportCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private StateLocation location = new StateLocation();

    @Option(names = "--out", required = true, paramLabel = "F", description = "the file to write")
    private Path out = Path.of("");

    @Override
    public Integer call() throws IOException {
        StoredState state = location.read();
        StateExport.write(state, out);
        spec.commandLine().getErr().println(state.records().size() + " records written to " + out);
        return 0;
    }
}
