package io.dmodc.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchHeard;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hosts that come, go, move, are renamed and replaced: a builder that patches against one that always draws anew. */
class HostChangeTwinTest {
    private static final int SEEDS = 60;
    private static final int ROUNDS = 40;

    @ParameterizedTest
    @ValueSource(strings = {"1;4;1;1", "2;3,4;1,3;1,2", "3;2,2,3;1,2,2;1,2,1", "3;4,3,3;1,2,3;1,1,2"})
    void shouldPlaceHostsAsIfDrawnAnew(String shape) {
        for (int seed = 0; seed < SEEDS; seed++) {
            new Sequence(shape, seed).run();
        }
    }

    private static final class Sequence {
        private final String what;
        private final SplittableRandom random;
        private final FabricViewBuilder patching;
        private final FabricViewBuilder anew;
        private NodeIndexMap nodes = new NodeIndexMap();
        private NodeIndexMap nodesAnew = new NodeIndexMap();
        private final GuidNumbers levels = new GuidNumbers();
        private FabricView last;
        private long newGuids = 100;

        Sequence(String shape, int seed) {
            what = shape + " seed " + seed;
            random = new SplittableRandom(seed);
            patching = TestFabric.shuffled(shape, seed).builder();
            anew = TestFabric.shuffled(shape, seed).builder();
            last = patching.build(0, nodes, levels);
            anew.build(0, nodesAnew, levels);
            if (seed % 2 == 0) {
                for (int s = 0; s < last.switchCount(); s++) {
                    levels.put(last.switchGuid(s), last.rank(s));
                }
            }
        }

        void run() {
            for (int round = 1; round <= ROUNDS; round++) {
                for (int i = random.nextInt(4); i >= 0; i--) {
                    changeSomething();
                }
                FabricView view = patching.build(round, nodes, levels);
                anew.forgetLastView();
                FabricView fresh = anew.build(round, nodesAnew, levels);
                String when = what + " round " + round;
                ViewPatchTest.assertSameTables(when, view.t, fresh.t);
                assertThat(view.t.aggregation).as(when).isEqualTo(fresh.t.aggregation);
                assertThat(view.t.hostTargetCount).as(when).isEqualTo(fresh.t.hostTargetCount);
                assertThat(nodes.lines()).as(when).isEqualTo(nodesAnew.lines());
                assertThat(nodes.takeDealt()).as(when).isEqualTo(nodesAnew.takeDealt());
                assertThat(patching.recablings() - anew.recablings()).as(when).isEqualTo(-round);
                last = view;
            }
        }

        private void changeSomething() {
            int s = random.nextInt(last.switchCount());
            long guid = last.switchGuid(s);
            int port = 1 + random.nextInt(last.portCount(s));
            Neighbour now = patching.neighbour(guid, port);
            switch (random.nextInt(12)) {
                case 0, 1 -> apply(new PortSeen(guid, port, random.nextBoolean(), now, false));
                case 2 -> apply(new SwitchState(guid, random.nextInt(3) > 0));
                case 3 -> apply(new SwitchHeard(guid, random.nextInt(3) > 0));
                case 4 -> numberOtherwise();
                case 5 -> replaceNode();
                default -> plug(guid, port, now);
            }
        }

        private void plug(long guid, int port, @Nullable Neighbour now) {
            boolean up = random.nextInt(4) > 0;
            if (now instanceof ToSwitch && random.nextInt(8) > 0) {
                return;
            }
            apply(new PortSeen(guid, port, up, random.nextInt(4) == 0 ? null : new ToHost(host())));
        }

        private Host host() {
            long guid = random.nextBoolean() ? newGuids++ : 1 + random.nextLong(newGuids);
            Host.Kind kind = random.nextInt(5) == 0 ? Host.Kind.AGGREGATION : Host.Kind.HOST;
            return new Host(guid, guid, 1, "name " + random.nextInt(3), HostAddresses.NONE, kind);
        }

        private long someNode() {
            return last.nodeGuid(random.nextInt(last.nodeCount()));
        }

        private void replaceNode() {
            long old = someNode();
            long other = random.nextBoolean() ? newGuids++ : someNode();
            if (old != other) {
                nodes.handOver(old, other);
                nodesAnew.handOver(old, other);
            }
        }

        private void numberOtherwise() {
            switch (random.nextInt(4)) {
                case 0 -> {
                    Set<Long> hidden = Set.of(someNode());
                    nodes.close(hidden);
                    nodesAnew.close(hidden);
                }
                case 1 -> {
                    nodes.open();
                    nodesAnew.open();
                }
                case 2 -> {
                    nodes = NodeIndexMap.parse("nodes", nodes.lines());
                    nodesAnew = NodeIndexMap.parse("nodes", nodesAnew.lines());
                }
                default -> {
                    long gone = someNode();
                    nodes.forget(gone);
                    nodesAnew.forget(gone);
                }
            }
        }

        private void apply(FabricChange change) {
            assertThat(patching.apply(change)).as(what).isEqualTo(anew.apply(change));
        }
    }

    @Test
    void shouldLookUpNoNameButThatOfAHostThatIsNew() {
        TestFabric figure1 = TestFabric.fabric("3;2,2,3;1,2,2;1,2,1").keepingLevels();
        FabricView before = figure1.view();
        long leaf = before.switchGuid(before.nodeSwitch(0));

        FabricView after = figure1.apply(
                        new PortSeen(leaf, before.nodePort(0), true, new ToHost(new Host(77, 77, 1, "new"))))
                .view();

        assertThat(after.nodeGuid(before.nodeCount())).isEqualTo(77);
        assertThat(after.nodeSwitch(0)).isEqualTo(-1);
        assertThat(after.t.switchGuid).isSameAs(before.t.switchGuid);
        assertThat(after.t.links).isSameAs(before.t.links);
        assertThat(after.t.targetSwitch).isSameAs(before.t.targetSwitch);
    }

    @Test
    void shouldPlaceAHostLeftOutOnceAnIndexIsFree() {
        NodeIndexMap nodes = NodeIndexMap.parse("nodes", List.of("0x1 " + NodeIndexMap.INDEX_MAX));
        FabricViewBuilder fabric = TestFabric.fabric("1;4;1;1").builder();
        FabricView full = fabric.build(1, nodes, new GuidNumbers());
        long other = TestFabric.fabric("1;4;1;1").view().nodeGuid(0);

        nodes.forget(1);
        FabricView freed = fabric.build(2, nodes, new GuidNumbers());

        assertThat(full.hostCount()).isZero();
        assertThat(freed.hostCount()).isEqualTo(1);
        assertThat(freed.nodeGuid(NodeIndexMap.INDEX_MAX)).isEqualTo(other);
    }
}
