package io.dmodc.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A view patched from the last one against one drawn by a builder that sees the fabric for the first time. */
class ViewPatchTest {
    private static final int SEEDS = 60;
    private static final int ROUNDS = 60;
    private static final String FIGURE_1 = "3;2,2,3;1,2,2;1,2,1";

    private final TestFabric figure1 = TestFabric.fabric(FIGURE_1).keepingLevels();

    @ParameterizedTest
    @ValueSource(strings = {"1;4;1;1", "2;3,4;1,3;1,2", FIGURE_1, "3;4,3,3;1,2,3;1,1,2", "4;2,2,2,2;1,2,2,2;1,1,2,1"})
    void shouldDrawWhatAnyoneElseWouldDraw(String shape) {
        for (int seed = 0; seed < SEEDS; seed++) {
            new Sequence(shape, seed).run();
        }
    }

    /** One fabric through many small changes, each followed by a view. */
    private static final class Sequence {
        private final String what;
        private final SplittableRandom random;
        private final FabricViewBuilder fabric;
        private final GuidNumbers designed = new GuidNumbers();
        private NodeIndexMap nodes = new NodeIndexMap();
        private GuidNumbers levels = new GuidNumbers();
        private final List<Long> guids = new ArrayList<>();
        private FabricView last;

        Sequence(String shape, int seed) {
            what = shape + " seed " + seed;
            random = new SplittableRandom(seed);
            TestFabric whole = TestFabric.shuffled(shape, seed);
            fabric = whole.builder();
            last = fabric.build(0, nodes, levels);
            for (int s = 0; s < last.switchCount(); s++) {
                guids.add(last.switchGuid(s));
                designed.put(last.switchGuid(s), last.rank(s));
            }
            changeLevels();
        }

        void run() {
            for (int round = 0; round < ROUNDS; round++) {
                for (int i = random.nextInt(4); i >= 0; i--) {
                    changeSomething();
                }
                NodeIndexMap sameNodes = NodeIndexMap.parse("nodes", nodes.lines());
                FabricView fresh = copy().build(round, sameNodes, levels);
                FabricView view = fabric.build(round, nodes, levels);
                assertSameTables(what + " round " + round, view.t, fresh.t);
                assertThat(nodes.lines()).isEqualTo(sameNodes.lines());
                assertChangesSince(what + " round " + round, view, last);
                last = view;
            }
        }

        private void changeSomething() {
            long guid = last.switchGuid(random.nextInt(last.switchCount()));
            int port = 1 + random.nextInt(fabric.portCount(guid));
            Neighbour now = fabric.neighbour(guid, port);
            int kind = random.nextInt(100);
            if (kind < 50) {
                fabric.apply(new PortSeen(guid, port, random.nextBoolean(), now));
            } else if (kind < 80) {
                fabric.apply(new SwitchState(guid, random.nextInt(3) > 0));
            } else if (kind < 85) {
                changeLevels();
            } else if (kind < 88) {
                fabric.apply(new SwitchSeen(guid, "name " + random.nextInt(3), fabric.portCount(guid)));
            } else {
                recable(guid, port);
            }
        }

        private void recable(long guid, int port) {
            switch (random.nextInt(6)) {
                case 0 -> fabric.apply(new PortSeen(guid, port, true, null));
                case 1 ->
                    fabric.apply(new PortSeen(
                            guid, port, true, new ToHost(new Host(1 + random.nextLong(20), 5, 1, "new or moved"))));
                case 2 -> fabric.apply(new SwitchSeen(guid, "replaced", 1 + random.nextInt(9)));
                case 3 -> {
                    guids.add(random.nextLong());
                    fabric.apply(new SwitchSeen(guids.get(guids.size() - 1), "new", 4));
                    cable(guid, port, guids.get(guids.size() - 1), 1 + random.nextInt(4));
                }
                case 4 -> nodes = NodeIndexMap.parse("nodes", nodes.lines());
                default -> {
                    long far = last.switchGuid(random.nextInt(last.switchCount()));
                    cable(guid, port, far, 1 + random.nextInt(fabric.portCount(far)));
                }
            }
        }

        private void cable(long guid, int port, long farGuid, int farPort) {
            fabric.apply(new PortSeen(guid, port, true, new ToSwitch(farGuid, farPort)));
            fabric.apply(new PortSeen(farGuid, farPort, true, new ToSwitch(guid, port)));
        }

        /** All known, some known, or none. */
        private void changeLevels() {
            int share = random.nextInt(3);
            levels = new GuidNumbers();
            designed.forEach((guid, level) -> {
                if (share == 2 || (share == 1 && random.nextInt(4) > 0)) {
                    levels.put(guid, level);
                }
            });
        }

        /** Asks the builder, which must not draw for it: its next view is to be a patch of its last. */
        private FabricViewBuilder copy() {
            FabricViewBuilder copy = new FabricViewBuilder();
            for (long guid : guids) {
                copy.apply(new SwitchSeen(guid, fabric.name(guid), fabric.portCount(guid)));
                copy.apply(new SwitchState(guid, fabric.alive(guid)));
                for (int port = 1; port <= fabric.portCount(guid); port++) {
                    copy.apply(new PortSeen(guid, port, fabric.saysUp(guid, port), fabric.neighbour(guid, port)));
                }
            }
            return copy;
        }
    }

    static void assertSameTables(String what, FabricTables t, FabricTables fresh) {
        assertThat(t.switchGuid).as(what).isEqualTo(fresh.switchGuid);
        assertThat(t.switchName).as(what).isEqualTo(fresh.switchName);
        assertThat(t.alive).as(what).isEqualTo(fresh.alive);
        assertThat(t.portBase).as(what).isEqualTo(fresh.portBase);
        assertThat(t.peerNode).as(what).isEqualTo(fresh.peerNode);
        assertThat(t.links.linkCount).as(what).isEqualTo(fresh.links.linkCount);
        for (int s = 0; s < t.alive.length; s++) {
            assertThat(row(t, s)).as(what).isEqualTo(row(fresh, s));
        }
        assertThat(t.rank).as(what).isEqualTo(fresh.rank);
        assertThat(t.rankMax).as(what).isEqualTo(fresh.rankMax);
        assertThat(t.leafCount).as(what).isEqualTo(fresh.leafCount);
        assertThat(t.targetSwitch).as(what).isEqualTo(fresh.targetSwitch);
        assertThat(t.switchTarget).as(what).isEqualTo(fresh.switchTarget);
        assertThat(t.nodeGuid).as(what).isEqualTo(fresh.nodeGuid);
        assertThat(t.nodeSwitch).as(what).isEqualTo(fresh.nodeSwitch);
        assertThat(t.nodePort).as(what).isEqualTo(fresh.nodePort);
        assertThat(t.nodeHost).as(what).isEqualTo(fresh.nodeHost);
    }

    /** Where each port of a switch leads, then remote switch and ports of each group. */
    static List<List<Integer>> row(FabricTables t, int s) {
        List<List<Integer>> row = new ArrayList<>();
        LinkRows links = t.links;
        for (int port = 1; port <= t.portBase[s + 1] - t.portBase[s]; port++) {
            int slot = links.base[s] + port - 1;
            row.add(List.of(links.peerSwitch[slot], links.peerPort[slot] & 0xff));
        }
        for (int g = links.base[s]; g < links.groupEnd[s]; g++) {
            List<Integer> group = new ArrayList<>(List.of(links.groupRemote[g]));
            for (int at = links.groupPortBase[g]; at < links.groupPortBase[g + 1]; at++) {
                group.add(links.groupPort[at] & 0xff);
            }
            row.add(group);
        }
        return row;
    }

    private static void assertChangesSince(String what, FabricView view, FabricView older) {
        boolean alike = spaces(view).equals(spaces(older));
        assertThat(view.comparableTo(older)).as(what).isEqualTo(alike);
        if (!alike) {
            assertThatThrownBy(() -> view.switchesChangedSince(older)).hasMessageContaining("number different things");
            return;
        }
        List<Integer> changed = new ArrayList<>();
        for (int s = 0; s < view.switchCount(); s++) {
            if (!said(view, s).equals(said(older, s))) {
                changed.add(s);
            }
        }
        assertThat(view.switchesChangedSince(older))
                .as(what)
                .containsExactly(changed.stream().mapToInt(Integer::intValue).toArray());
    }

    /** Everything that an index means in a view. */
    private static List<Object> spaces(FabricView view) {
        List<Object> spaces = new ArrayList<>();
        for (int s = 0; s < view.switchCount(); s++) {
            spaces.add(view.switchGuid(s));
            spaces.add(view.portCount(s));
        }
        spaces.add("nodes");
        for (int node = 0; node < view.nodeCount(); node++) {
            spaces.add(List.of(view.nodeGuid(node), view.nodeSwitch(node), view.nodePort(node)));
        }
        spaces.add("targets");
        for (int target = 0; target < view.targetCount(); target++) {
            spaces.add(view.targetSwitch(target));
        }
        spaces.add(view.leafCount());
        return spaces;
    }

    private static List<Object> said(FabricView view, int s) {
        List<Object> said = new ArrayList<>(List.of(view.alive(s), view.rank(s)));
        for (int port = 1; port <= view.portCount(s); port++) {
            said.add(view.peerSwitch(s, port));
            said.add(view.peerPort(s, port));
        }
        return said;
    }

    @Test
    void shouldShareWhatALostCableOfABundleLeavesAsItWas() {
        FabricView before = figure1.view();

        FabricView after = figure1.without("leaf0", 3).view();

        assertThat(after.t.links.slots).isSameAs(before.t.links.slots);
        assertThat(after.t.links.base[figure1.index("leaf1")]).isEqualTo(before.t.links.base[figure1.index("leaf1")]);
        assertThat(after.t.rank).isSameAs(before.t.rank);
        assertThat(after.t.targetSwitch).isSameAs(before.t.targetSwitch);
        assertThat(after.t.alive).isSameAs(before.t.alive);
        assertThat(after.t.links).isNotSameAs(before.t.links);
        assertThat(after.switchesChangedSince(before))
                .containsExactlyInAnyOrder(figure1.index("leaf0"), figure1.index("l2s0"));
    }

    @Test
    void shouldShareEverythingWithTheLastViewWhenNothingHappened() {
        FabricView before = figure1.view();

        FabricView after = figure1.view();

        assertThat(after.t.links).isSameAs(before.t.links);
        assertThat(after.t.rank).isSameAs(before.t.rank);
        assertThat(after.switchesChangedSince(before)).isEmpty();
    }

    @Test
    void shouldPatchAsManyPortsAsItHoldsAndDrawAfreshBeyond() {
        FabricView whole = figure1.view();

        flap(whole.switchGuid(0), ViewPatch.PLACES_MAX);
        FabricView patched = figure1.view();
        flap(whole.switchGuid(0), ViewPatch.PLACES_MAX + 1);
        FabricView afresh = figure1.view();

        assertThat(patched.t.switchGuid).isSameAs(whole.t.switchGuid);
        assertThat(patched.linkCount()).isEqualTo(whole.linkCount());
        assertThat(afresh.t.switchGuid).isNotSameAs(whole.t.switchGuid);
        assertThat(afresh.linkCount()).isEqualTo(whole.linkCount() - 1);
    }

    private void flap(long guid, int times) {
        for (int i = 0; i < times; i++) {
            Neighbour neighbour = figure1.builder().neighbour(guid, 3);
            figure1.apply(new PortSeen(guid, 3, i % 2 == 1, neighbour));
        }
    }

    @Test
    void shouldCompareNoViewsOfDifferentSwitches() {
        FabricView before = figure1.view();

        FabricView after = figure1.apply(new SwitchSeen(5, "new", 3)).view();

        assertThat(after.comparableTo(before)).isFalse();
        assertThatThrownBy(() -> after.switchesChangedSince(before))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("views of epochs \\d+ and \\d+ number different things; expected comparable views");
    }
}
