package io.dmodc.manager.app;

import io.dmodc.manager.state.StoredState;
import io.dmodc.manager.store.StateExport;
import io.dmodc.manager.store.StateStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fabric-manager state import}. */
@Command(
        name = "import",
        description = {
            "Puts an exported state into a state directory that holds none.",
            "A file with a bad line is refused, and nothing is changed."
        })
final class StateImportCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private StateLocation location = new StateLocation();

    @Parameters(paramLabel = "FILE", description = "what 'state export' wrote")
    private Path file = Path.of("");

    @Option(names = "--replace", description = "replaces a state that is there, damaged or not, and keeps it as *.old")
    private boolean replace;

    @Override
    public Integer call() throws IOException {
        StoredState state = StateExport.read(file);
        Path directory = location.directory();
        StateStore.write(directory, state, replace);
        spec.commandLine().getErr().println(state.records().size() + " records imported into " + directory);
        return 0;
    }
}
