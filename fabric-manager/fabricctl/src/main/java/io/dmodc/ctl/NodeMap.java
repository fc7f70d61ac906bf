package io.dmodc.ctl;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.NodeIndexMap;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The option that names the file which keeps node indices from one command to the next. */
final class NodeMap {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--node-map",
            paramLabel = "F",
            description = "node indices, lines 'guid index': read if it exists, written again when nodes are new")
    private @Nullable String file;

    /**
     * Reads it; empty indices if there is none yet.
     *
     * @throws IOException in one line, if it cannot be read
     * @throws IllegalArgumentException in one line, if a line is no 'guid index'
     */
    NodeIndexMap read() throws IOException {
        return NodeIndexMap.parse(String.valueOf(file), MapFile.lines(file, "guid index"));
    }

    /**
     * Keeps the indices if some are new, and says so if the file was not this fabric's.
     *
     * @param known how many there were when they were read
     */
    void keep(NodeIndexMap nodes, int known, FabricView fabric) throws IOException {
        if (known > 0 && NodeMapRemark.noneIn(fabric, known)) {
            spec.commandLine().getErr().println(NodeMapRemark.text(String.valueOf(file), fabric, known));
        }
        if (file != null && nodes.size() > known) {
            MapFile.write(file, nodes.lines(), spec.commandLine().getOut());
        }
    }
}
