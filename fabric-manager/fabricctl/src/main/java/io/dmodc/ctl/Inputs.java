package io.dmodc.ctl;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.ibnet.ImportSummary;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Damage;
import io.dmodc.topology.pgft.PgftShape;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The fabric a command works on: read or generated, then damaged if asked.
 *
 * <p>Node indices and levels are those of the fabric before the damage, as a running manager would know them: faults
 * must not renumber nodes nor turn links around.
 */
final class Inputs {
    private static final class Origin {
        @Option(
                names = "--topology",
                paramLabel = "F",
                required = true,
                description = "ibnetdiscover text; - reads standard input")
        private @Nullable String topology;

        @Option(
                names = "--pgft",
                paramLabel = "SPEC",
                required = true,
                description = "generated PGFT, h;m1,..,mh;w1,..,wh;p1,..,ph")
        private @Nullable String pgft;
    }

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @ArgGroup(multiplicity = "1")
    private Origin origin = new Origin();

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

    /**
     * Loads the fabric.
     *
     * @throws IOException in one line, if a file cannot be read or written
     * @throws IllegalArgumentException in one line, if an option or the node map cannot be used
     */
    Fabric load() throws IOException {
        Source source = source();
        warn(source.summary());
        NodeIndexMap nodes = nodeMap.read();
        int known = nodes.size();
        FabricView whole = source.fabric().build(0, nodes, new GuidNumbers());
        nodeMap.keep(nodes, known, whole);
        Damage damage = Degradation.apply(source.fabric(), failSwitches, failLinks, new SplittableRandom(seed));
        boolean damaged = failSwitches > 0 || failLinks > 0;
        GuidNumbers levels = levels(whole);
        FabricView view = damaged ? source.fabric().build(0, nodes, levels) : whole;
        return new Fabric(view, source, damage, nodes, levels);
    }

    /** The fabric as it was named on the command line. */
    String name() {
        return origin.pgft != null ? origin.pgft : String.valueOf(origin.topology);
    }

    /** For whatever else a command draws. */
    long seed() {
        return seed;
    }

    private Source source() throws IOException {
        if (origin.pgft != null) {
            return Source.generated(PgftShape.parse(origin.pgft));
        }
        return Source.read(origin.topology == null ? "" : origin.topology);
    }

    private void warn(@Nullable ImportSummary summary) {
        if (summary != null) {
            PrintWriter err = spec.commandLine().getErr();
            Remarks.of(summary).forEach(err::println);
        }
    }

    /** The ranks of all switches that have one. */
    static GuidNumbers levels(FabricView whole) {
        GuidNumbers levels = new GuidNumbers();
        for (int s = 0; s < whole.switchCount(); s++) {
            if (whole.rank(s) >= 0) {
                levels.put(whole.switchGuid(s), whole.rank(s));
            }
        }
        return levels;
    }
}
