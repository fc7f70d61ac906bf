package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.state.ChangedRows;
import io.dmodc.manager.state.StateRecord.KeptEpoch;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.southbound.TableDigest;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the difference of two epochs takes. */
class EpochDifferenceTest {
    private final FabricViewBuilder fabric = PgftGenerator.generate(PgftShape.parse("2;128,24;1,4;1,1"));
    private final NodeIndexMap nodes = new NodeIndexMap();
    private final GuidNumbers levels = new GuidNumbers();

    private ServedEpoch served(long epoch) {
        FabricView view = fabric.build(epoch, nodes, levels);
        LftSet tables = Objects.requireNonNull(
                Dmodc.standard().route(view, Parallel.sequential()).tables());
        long[] digests = new long[tables.switchCount()];
        for (int s = 0; s < digests.length; s++) {
            levels.put(view.switchGuid(s), view.rank(s));
            digests[s] = TableDigest.of(tables.row(s).toBytes());
        }
        return new ServedEpoch(view, tables, digests);
    }

    /** Each leaf differs for other hosts than all others do, its own, and in the other spans as they do. */
    @Test
    void shouldWriteOnceWhatSwitchesHaveAlikeInOneSpan() {
        ServedEpoch whole = served(1);
        FabricView view = whole.view();
        int top = 0;
        while (view.isLeaf(top)) {
            top++;
        }
        fabric.apply(new SwitchState(view.switchGuid(top), false));
        ServedEpoch without = served(2);
        KeptEpoch head =
                new KeptEpoch(1, "", "", 0, 3072, whole.digest(), 0, List.of(), List.of(), List.of(), List.of());

        KeptEpoch difference = Objects.requireNonNull(EpochDifference.of(head, whole, without, Long.MAX_VALUE));

        long written = 0;
        long meant = 0;
        Set<Long> leaves = new HashSet<>();
        for (ChangedRows rows : difference.rows()) {
            written += rows.entries().length;
            meant += (long) rows.entries().length * rows.switches().length;
            for (long guid : rows.switches()) {
                leaves.add(guid);
            }
        }
        assertThat(leaves).hasSize(24 + 1);
        assertThat(written).isLessThan(meant / 2);
    }
}
