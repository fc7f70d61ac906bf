package io.dmodc.ctl;

import io.dmodc.topology.Guid;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.PlaneNumbers;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fabricctl topology replace}. */
@Command(
        name = "replace",
        description = {
            "Hands the number of what is gone to what is there instead: the node index of an adapter's port (--node-map), so"
                    + " that no route changes for it; the plane number of a switch (--plane-map), so that its plane is counted"
                    + " where it was.",
            "A number that the new one had is given up. Files are written whole or not at all. A running manager does the same with"
                    + " 'plan replace'."
        })
final class ReplaceCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "OLD", description = "0x… GUID of the port or switch that is gone")
    private String oldText = "";

    @Parameters(index = "1", paramLabel = "NEW", description = "0x… GUID of the one in its place")
    private String newText = "";

    @Option(names = "--node-map", paramLabel = "F", description = "file of node indices, lines 'guid index'")
    private @Nullable String nodeMap;

    @Option(names = "--plane-map", paramLabel = "F", description = "file of plane numbers, lines 'guid number'")
    private @Nullable String planeMap;

    @Override
    public Integer call() throws IOException {
        long oldGuid = guid("OLD", oldText);
        long newGuid = guid("NEW", newText);
        if (oldGuid == newGuid) {
            throw new IllegalArgumentException(Guid.format(oldGuid) + " does not replace itself");
        }
        if (nodeMap == null && planeMap == null) {
            throw new IllegalArgumentException("expected --node-map, --plane-map or both");
        }
        MapFile.requireTwo(nodeMap, planeMap);
        List<String> done = new ArrayList<>();
        PrintWriter out = spec.commandLine().getOut();
        // Both are read before one is written.
        NodeIndexMap nodes = NodeIndexMap.parse(String.valueOf(nodeMap), lines(nodeMap, "guid index"));
        PlaneNumbers planes = PlaneNumbers.parse(String.valueOf(planeMap), lines(planeMap, "guid number"));
        if (nodeMap != null && nodes.handOver(oldGuid, newGuid)) {
            MapFile.write(nodeMap, nodes.lines(), out);
            done.add("node index " + nodes.indexOf(newGuid));
        }
        if (planeMap != null && planes.handOver(oldGuid, newGuid)) {
            planes.forget(oldGuid);
            MapFile.write(planeMap, planes.lines(), out);
            done.add("plane number " + planes.of(newGuid));
        }
        if (done.isEmpty()) {
            throw new IllegalArgumentException(Guid.format(oldGuid) + " has no number in "
                    + (nodeMap == null ? planeMap : planeMap == null ? nodeMap : nodeMap + " or " + planeMap));
        }
        out.println(Guid.format(newGuid) + " has " + String.join(" and ", done) + " of " + Guid.format(oldGuid));
        return Main.YES;
    }

    /** None of a file that was not named; one that was is there. */
    private static List<String> lines(@Nullable String file, String expected) throws IOException {
        return file == null ? List.of() : MapFile.existing(file, expected);
    }

    private static long guid(String what, String text) {
        long guid;
        try {
            guid = Guid.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    what + " '" + text + "' is no GUID; expected 0x and hexadecimal digits", e);
        }
        if (guid == 0) {
            throw new IllegalArgumentException(
                    what + " '" + text + "' is nobody's GUID; expected that of a port or switch");
        }
        return guid;
    }
}
