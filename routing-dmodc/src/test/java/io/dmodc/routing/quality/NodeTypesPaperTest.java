package io.dmodc.routing.quality;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.Parallel;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.Guid;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.NodeTypes;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What numbering by type is for (Gliksberg, Quintin, García, arXiv 2211.11818): 1,024 nodes, the one at port 16 of each
 * leaf for input and output. Their numbers are all 15 modulo 16, so they share a sixteenth of the ports up, unless they
 * are numbered for themselves.
 */
class NodeTypesPaperTest {
    private static final FabricViewBuilder FABRIC = PgftGenerator.generate(PgftShape.parse("3;16,8,8;1,16,8;1,1,1"));

    private static List<String> ioAtPort16() {
        FabricView view = FABRIC.build(1, new NodeIndexMap(), new GuidNumbers());
        return IntStream.range(0, view.nodeCount())
                .filter(node -> view.nodePort(node) == 16)
                .mapToObj(node -> Guid.format(view.nodeGuid(node)) + " io")
                .toList();
    }

    private record Studied(CongestionRisk risk, BitSet compute, BitSet io) {}

    private static Studied study(NodeTypes numbering) {
        NodeIndexMap nodes = new NodeIndexMap();
        nodes.numberBy(numbering);
        FabricView view = FABRIC.build(2, nodes, new GuidNumbers());
        BitSet io = new BitSet();
        IntStream.range(0, view.nodeCount())
                .filter(node -> view.nodePort(node) == 16)
                .forEach(io::set);
        BitSet compute = new BitSet();
        compute.set(0, view.nodeCount());
        compute.andNot(io);
        CongestionRisk risk = CongestionRisk.of(
                view,
                Objects.requireNonNull(
                        Dmodc.standard().route(view, Parallel.sequential()).tables()),
                Parallel.sequential(),
                Progress.NONE);
        return new Studied(risk, compute, io);
    }

    @Test
    void shouldSpreadTheTrafficOfATypeThatIsNumberedForItself() {
        Studied alike = study(NodeTypes.NONE);
        Studied typed = study(NodeTypes.parse("types", ioAtPort16()));

        GroupRisk before = alike.risk.between(alike.compute, alike.io, Progress.NONE);
        GroupRisk after = typed.risk.between(typed.compute, typed.io, Progress.NONE);

        assertThat(before.senders()).isEqualTo(960);
        assertThat(before.receivers()).isEqualTo(64);
        assertThat(before.risk()).isEqualTo(15);
        assertThat(before.portsUsed()).isEqualTo(256);
        assertThat(after.risk()).isEqualTo(4);
        assertThat(after.portsUsed()).isEqualTo(1600);
        assertThat(alike.risk.between(alike.io, alike.io, Progress.NONE).risk()).isEqualTo(7);
        assertThat(typed.risk.between(typed.io, typed.io, Progress.NONE).risk()).isEqualTo(1);
    }
}
