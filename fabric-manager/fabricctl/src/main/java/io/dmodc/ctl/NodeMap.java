package io.dmodc.ctl;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.NodeTypes;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options that say how nodes are numbered, and which file keeps their indices from one command to the next. */
final class NodeMap {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--node-map",
            paramLabel = "F",
            description = "node indices, lines 'guid index': read if it exists, written again when nodes are new")
    private @Nullable String file;

    @Option(
            names = "--node-types",
            paramLabel = "F",
            description =
                    "types of hosts, lines 'guid type' or 'name-pattern type' ('io-* storage'): new nodes are numbered"
                            + " type by type, which spreads the traffic of each; hosts without a line are '"
                            + NodeTypes.REST
                            + "'")
    private @Nullable String typesFile;

    /**
     * Reads it; empty indices if there is none yet.
     *
     * @throws IOException in one line, if it cannot be read, or there is no file of types
     * @throws IllegalArgumentException in one line, if a line is none of those expected
     */
    NodeIndexMap read() throws IOException {
        NodeIndexMap nodes = NodeIndexMap.parse(String.valueOf(file), MapFile.lines(file, "guid index"));
        if (typesFile != null) {
            nodes.numberBy(NodeTypes.parse(typesFile, MapFile.existing(typesFile, "guid type")));
        }
        return nodes;
    }

    /**
     * Keeps the indices if some are new, and says so if the file was not this fabric's, and if there are too few of them.
     *
     * @param known how many there were when they were read
     */
    void keep(NodeIndexMap nodes, int known, FabricView fabric) throws IOException {
        if (known > 0 && NodeMapRemark.noneIn(fabric, known)) {
            spec.commandLine().getErr().println(NodeMapRemark.text(String.valueOf(file), fabric, known));
        }
        List<Long> leftOut = nodes.takeLeftOut();
        if (!leftOut.isEmpty()) {
            spec.commandLine()
                    .getErr()
                    .println("no node index up to " + NodeIndexMap.INDEX_MAX + " is left for host port "
                            + Remarks.firstOf(leftOut) + "; no table has a route there");
        }
        if (typesFile != null && known > 0 && nodes.size() == known) {
            spec.commandLine()
                    .getErr()
                    .println("node types: all nodes are numbered in " + file + " and keep their indices");
        }
        if (file != null && nodes.size() > known) {
            MapFile.write(file, nodes.lines(), spec.commandLine().getOut());
        }
    }

    /** Says which types were named in vain. */
    void remarkTypes(NodeIndexMap nodes, FabricView fabric) {
        List<String> unused = nodes.types().unusedIn(fabric);
        if (!unused.isEmpty()) {
            spec.commandLine().getErr().println(typesFile + ": no host is of type " + String.join(", ", unused));
        }
    }

    /** Where it is kept. */
    @Nullable
    String file() {
        return file;
    }
}
