package io.dmodc.routing.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.Host;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import org.junit.jupiter.api.Test;

/** What is kept of where hosts are, from one change to the next. */
class BrokenSpansTest {
    /** It is in another span of columns than the others of its leaf. */
    @Test
    void shouldKnowWhereAHostIsThatCame() {
        FabricViewBuilder fabric = PgftGenerator.generate(PgftShape.parse("3;2,4,128;1,2,2;1,1,1"));
        NodeIndexMap nodes = new NodeIndexMap();
        FabricView before = fabric.build(1, nodes, new GuidNumbers());
        long leaf = before.switchGuid(before.nodeSwitch(7));
        fabric.apply(new PortSeen(leaf, before.nodePort(7), true, new ToHost(new Host(9, 9, 1, "fresh"))));
        FabricView now = fabric.build(2, nodes, new GuidNumbers());
        SuspectHomes homes = new SuspectHomes(before);
        BrokenSpans spans = new BrokenSpans(before, homes, 1025);
        assertThat(now.nodeCount()).isEqualTo(1025);
        assertThat(spans.hasHomesBelow(now.switchOf(leaf), 1)).isFalse();

        spans.findHomes(now, homes);

        BrokenSpans anew = new BrokenSpans(now, new SuspectHomes(now), 1025);
        int more = 0;
        for (int s = 0; s < now.switchCount(); s++) {
            for (int k = 0; k < 2; k++) {
                assertThat(spans.hasHomesBelow(s, k)).isEqualTo(anew.hasHomesBelow(s, k));
            }
            more += spans.hasHomesBelow(s, 1) ? 1 : 0;
        }
        assertThat(more).as("its leaf and all above it").isGreaterThan(1).isLessThan(now.switchCount());
    }
}
