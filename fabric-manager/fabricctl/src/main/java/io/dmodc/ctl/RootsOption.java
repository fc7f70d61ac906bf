package io.dmodc.ctl;

import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.RoutingResult.Unroutable;
import io.dmodc.routing.updown.RootGuids;
import io.dmodc.topology.FabricView;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The option that names root switches, of all commands that make tables by any engine. */
final class RootsOption {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--roots",
            paramLabel = "F",
            description =
                    "engines updn and ftree: GUIDs of the root switches, one a line; found in the fabric if not given,"
                            + " by ftree only if it is regular")
    private @Nullable String file;

    /**
     * Reads them, and says on standard error which of them the fabric does not have; null if none were named.
     *
     * @throws IOException in one line, if the file cannot be read
     * @throws IllegalArgumentException in one line, if it has something else than GUIDs
     */
    @Nullable
    RootGuids read(FabricView view) throws IOException {
        if (file == null) {
            return null;
        }
        RootGuids guids = RootGuids.parse(file, MapFile.existing(file, "guid"));
        List<Long> unknown = guids.unknownIn(view);
        if (!unknown.isEmpty()) {
            spec.commandLine().getErr().println(file + ": nothing in the fabric has GUID " + Remarks.firstOf(unknown));
        }
        return guids;
    }

    /**
     * What an engine came to, if that is not for want of roots.
     *
     * @throws IllegalArgumentException in one line, if it is
     */
    static RoutingResult notForWantOfRoots(String engine, RoutingResult result) {
        if (result instanceof Unroutable no && no.rootsWanted()) {
            throw new IllegalArgumentException("engine " + engine + " needs --roots F, a file with the GUID of a root"
                    + " switch on each line: " + no.reason());
        }
        return result;
    }
}
