package io.dmodc.ctl;

import io.dmodc.ctl.client.LiveFabric;
import io.dmodc.ctl.export.ExportedFabric;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.LinkRates;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.ibnet.LidMap;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Where an exported fabric comes from: a file, a shape, or else a running manager. */
final class ExportSource {
    @Option(
            names = "--topology",
            paramLabel = "F",
            description = "ibnetdiscover text; - reads standard input (default: ask the manager)")
    private @Nullable String topology;

    @Option(
            names = "--pgft",
            paramLabel = "SPEC",
            description = "generated PGFT, h;m1,..,mh;w1,..,wh;p1,..,ph (default: ask the manager)")
    private @Nullable String pgft;

    @Option(
            names = "--grid",
            paramLabel = "SHAPE",
            description = "generated grid of leaves, ROWSxCOLUMNS;hosts=H;roots=OF_A_ROW,OF_A_COLUMN (default: ask the"
                    + " manager)")
    private @Nullable String grid;

    @Mixin
    private Design design = new Design();

    @Option(
            names = "--manager",
            paramLabel = "URL",
            description = "running manager (default: FABRIC_MANAGER in the environment, or http://127.0.0.1:7480)")
    private @Nullable String manager;

    /**
     * Loads the fabric.
     *
     * @throws IOException in one line, if a file cannot be read or no manager answers
     * @throws IllegalArgumentException in one line, if an option cannot be used
     */
    ExportedFabric load(PrintWriter err) throws IOException {
        if ((topology == null ? 0 : 1) + (pgft == null ? 0 : 1) + (grid == null ? 0 : 1) + (manager == null ? 0 : 1)
                > 1) {
            throw new IllegalArgumentException("expected only one of --topology, --pgft, --grid and --manager");
        }
        if (topology == null && pgft == null && grid == null) {
            if (design.given()) {
                throw new IllegalArgumentException(
                        "--design and --levels are for --topology, --pgft and --grid; a running manager has its own");
            }
            LiveFabric live = LiveFabric.read(manager == null ? usualManager() : manager);
            return new ExportedFabric(live.view(), new LidMap(), new LinkRates(), live.downHosts());
        }
        Source source = FabricOrigin.source(topology, pgft, grid);
        if (source.summary() != null) {
            Remarks.of(source.summary()).forEach(err::println);
        }
        NodeIndexMap nodes = new NodeIndexMap();
        FabricView hops = source.fabric().build(0, nodes, new GuidNumbers());
        return new ExportedFabric(design.draw(source.fabric(), hops, nodes), source.lids(), source.rates(), Set.of());
    }

    /** As the commands that ask a manager have it. Not a default of the option, which could not be told from a choice. */
    private static String usualManager() {
        return System.getenv().getOrDefault("FABRIC_MANAGER", "http://127.0.0.1:7480");
    }
}
