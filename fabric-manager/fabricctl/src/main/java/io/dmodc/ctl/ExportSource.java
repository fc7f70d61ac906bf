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
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;

/** Where an exported fabric comes from: a file, a shape, or else a running manager. */
final class ExportSource {
    @ArgGroup
    private @Nullable FabricOrigin origin;

    @Mixin
    private Design design = new Design();

    @Mixin
    private LiveManager manager = new LiveManager();

    /**
     * Loads the fabric.
     *
     * @throws IOException in one line, if a file cannot be read or no manager answers
     * @throws IllegalArgumentException in one line, if an option cannot be used
     */
    ExportedFabric load(PrintWriter err) throws IOException {
        if (origin == null) {
            manager.requireOnly(Set.of("--out", "--hosts"));
            LiveFabric live = LiveFabric.read(manager.url());
            return new ExportedFabric(live.view(), new LidMap(), new LinkRates(), live.downHosts());
        }
        manager.requireNone();
        Source source = origin.source();
        source.remarks().forEach(err::println);
        NodeIndexMap nodes = new NodeIndexMap();
        FabricView hops = source.fabric().build(0, nodes, new GuidNumbers());
        return new ExportedFabric(design.draw(source.fabric(), hops, nodes), source.lids(), source.rates(), Set.of());
    }
}
