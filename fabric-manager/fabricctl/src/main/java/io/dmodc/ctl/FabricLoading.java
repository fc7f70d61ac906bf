package io.dmodc.ctl;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.PlaneNumbers;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Damage;
import java.io.IOException;
import java.util.SplittableRandom;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * How a fabric is loaded: by which node indices, plane numbers and levels, and damaged if asked.
 *
 * <p>Node indices, plane numbers and levels are those of the fabric before the damage, as a running manager would know them: faults
 * must not renumber anything nor turn links around.
 */
final class FabricLoading {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--fail-switches",
            paramLabel = "K",
            defaultValue = "0",
            description = "kill K random switches above the leaves first")
    private int failSwitches;

    @Option(
            names = "--fail-links",
            paramLabel = "K",
            defaultValue = "0",
            description = "then cut K random cables between switches")
    private int failLinks;

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "1",
            description = "which ones: the same seed takes the same (default: ${DEFAULT-VALUE})")
    private long seed;

    @Mixin
    private NodeMap nodeMap = new NodeMap();

    @Mixin
    private PlaneMap planeMap = new PlaneMap();

    @Mixin
    private Design design = new Design();

    /**
     * Loads a fabric.
     *
     * @throws IOException in one line, if the node map cannot be read or written, or levels cannot be read
     * @throws IllegalArgumentException in one line, if an option, the node map or the levels cannot be used
     */
    Fabric load(Source source) throws IOException {
        source.remarks().forEach(spec.commandLine().getErr()::println);
        NodeIndexMap nodes = nodeMap.read();
        int known = nodes.size();
        PlaneNumbers planes = planeMap.read(nodeMap);
        FabricView hops = source.fabric().build(0, nodes, new GuidNumbers());
        FabricView drawn = design.draw(source.fabric(), hops, nodes);
        nodeMap.keep(nodes, known, drawn);
        nodeMap.remarkTypes(nodes, drawn);
        FabricView whole = planeMap.number(planes, drawn);
        Damage damage = Degradation.apply(source.fabric(), failSwitches, failLinks, new SplittableRandom(seed));
        boolean damaged = failSwitches > 0 || failLinks > 0;
        GuidNumbers levels = Inputs.levels(whole);
        FabricView view = damaged ? planes.number(source.fabric().build(0, nodes, levels)) : whole;
        return new Fabric(view, whole, source, design.shape(source), damage, nodes, levels, planes);
    }

    /** For whatever else a command draws. */
    long seed() {
        return seed;
    }
}
