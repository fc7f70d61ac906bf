package io.dmodc.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The view's flat rows against what the cable ends say, read one by one, on damaged and mis-cabled fabrics. */
class FabricViewTwinTest {
    private static final int SEEDS = 80;

    @ParameterizedTest
    @ValueSource(strings = {"2;3,4;1,3;1,2", "3;2,2,3;1,2,2;1,2,1", "3;4,3,3;1,2,3;1,1,2", "4;2,2,2,2;1,2,2,2;1,1,2,1"})
    void shouldSayWhatTheCableEndsSay(String shape) {
        for (int seed = 0; seed < SEEDS; seed++) {
            TestFabric fabric = TestFabric.shuffled(shape, seed);
            for (int round = 0; round < 3; round++) {
                miscable(fabric, new SplittableRandom(31L * seed + round));
                assertTwin(shape + " seed " + seed, fabric.builder(), fabric.view());
            }
        }
    }

    /** Random ends change what they say: down, another cable, a host in place of a cable, a loop-back, nothing. */
    private static void miscable(TestFabric fabric, SplittableRandom random) {
        FabricView view = fabric.view();
        for (int i = random.nextInt(12); i > 0; i--) {
            int s = random.nextInt(view.switchCount());
            long guid = view.switchGuid(s);
            int port = 1 + random.nextInt(view.portCount(s));
            Neighbour now = fabric.builder().neighbour(guid, port);
            int other = random.nextInt(view.switchCount());
            switch (random.nextInt(6)) {
                case 0 -> fabric.apply(new PortSeen(guid, port, false, now));
                case 1 -> fabric.apply(new PortSeen(guid, port, true, now));
                case 2 -> fabric.apply(new PortSeen(guid, port, true, null));
                case 3 ->
                    fabric.apply(new PortSeen(
                            guid, port, true, new ToHost(new Host(1 + random.nextLong(20), 5, 1, "moved"))));
                case 4 -> fabric.apply(new SwitchState(guid, random.nextBoolean()));
                default -> swap(fabric, guid, port, view.switchGuid(other), 1 + random.nextInt(view.portCount(other)));
            }
        }
    }

    private static void swap(TestFabric fabric, long guid, int port, long farGuid, int farPort) {
        fabric.apply(new PortSeen(guid, port, true, new ToSwitch(farGuid, farPort)));
        fabric.apply(new PortSeen(farGuid, farPort, true, new ToSwitch(guid, port)));
    }

    private static void assertTwin(String what, FabricViewBuilder said, FabricView view) {
        int links = 0;
        List<Long> hosts = new ArrayList<>();
        for (int s = 0; s < view.switchCount(); s++) {
            TreeMap<Long, List<Integer>> groups = new TreeMap<>(Long::compareUnsigned);
            for (int port = 1; port <= view.portCount(s); port++) {
                Neighbour neighbour = said.neighbour(view.switchGuid(s), port);
                ToSwitch live = live(said, view, s, port);
                assertThat(view.peerSwitch(s, port)).as(what).isEqualTo(live == null ? -1 : view.switchOf(live.guid()));
                assertThat(view.peerPort(s, port)).as(what).isEqualTo(live == null ? 0 : live.port());
                if (live != null) {
                    groups.computeIfAbsent(live.guid(), guid -> new ArrayList<>())
                            .add(port);
                    links++;
                }
                int node = view.peerNode(s, port);
                if (neighbour instanceof ToHost to) {
                    hosts.add(to.host().portGuid());
                    assertThat(view.nodeGuid(node)).as(what).isEqualTo(to.host().portGuid());
                    assertThat(view.nodeSwitch(node)).as(what).isEqualTo(s);
                    assertThat(view.nodePort(node)).as(what).isEqualTo(port);
                } else {
                    assertThat(node).as(what).isEqualTo(-1);
                }
            }
            assertThat(groups(view, s)).as(what).isEqualTo(List.copyOf(groups.entrySet()));
        }
        assertThat(view.linkCount()).as(what).isEqualTo(links / 2);
        assertThat(hosts).as(what).doesNotHaveDuplicates();
        assertThat(placedNodes(view)).as(what).isEqualTo(hosts.size());
        assertTargets(what, view);
        assertRanks(what, view);
        assertParts(what, said, view);
    }

    /** Every pair of switches, by walking over all cables whose ends name each other, up or down. */
    private static void assertParts(String what, FabricViewBuilder said, FabricView view) {
        int next = 0;
        for (int s = 0; s < view.switchCount(); s++) {
            TreeSet<Integer> together = new TreeSet<>();
            together.add(s);
            for (int size = 0; size < together.size(); ) {
                size = together.size();
                for (int each : List.copyOf(together)) {
                    together.addAll(cabled(said, view, each));
                }
            }
            if (together.size() == 1) {
                assertThat(view.part(s)).as(what).isEqualTo(-1);
            } else if (together.first() == s) {
                int part = next++;
                assertThat(together).as(what).allMatch(each -> view.part(each) == part);
            }
            for (int other = 0; other < view.switchCount(); other++) {
                boolean parted = together.size() > 1 && view.part(other) >= 0 && !together.contains(other);
                assertThat(view.belongTogether(s, other)).as(what).isEqualTo(!parted);
            }
        }
        assertThat(view.partCount()).as(what).isEqualTo(next);
    }

    private static List<Integer> cabled(FabricViewBuilder said, FabricView view, int s) {
        List<Integer> cabled = new ArrayList<>();
        long guid = view.switchGuid(s);
        for (int port = 1; port <= view.portCount(s); port++) {
            if (said.neighbour(guid, port) instanceof ToSwitch to
                    && to.guid() != guid
                    && said.knows(to.guid())
                    && to.port() <= said.portCount(to.guid())
                    && new ToSwitch(guid, port).equals(said.neighbour(to.guid(), to.port()))) {
                cabled.add(view.switchOf(to.guid()));
            }
        }
        return cabled;
    }

    /**
     * Leaves are switches with hosts, those with most hosts of their part among them ({@link HostsAboveTwinTest} says which
     * others); then ranks by going on from all switches of a rank, hop by hop.
     */
    private static void assertRanks(String what, FabricView view) {
        Map<Integer, Integer> rank = new TreeMap<>();
        Map<Integer, Integer> mostHosts = new TreeMap<>();
        for (int s = 0; s < view.switchCount(); s++) {
            mostHosts.merge(view.part(s), hosts(view, s), Math::max);
        }
        for (int s = 0; s < view.switchCount(); s++) {
            int own = hosts(view, s);
            boolean leaf = own > 0
                    && (view.part(s) < 0 || own == mostHosts.getOrDefault(view.part(s), 0) || view.rank(s) == 0);
            if (leaf) {
                rank.put(s, 0);
            }
        }
        for (int hops = 0; rank.containsValue(hops); hops++) {
            for (int s = 0; s < view.switchCount(); s++) {
                if (rank.getOrDefault(s, -1) == hops) {
                    for (int remote : neighbours(view, s)) {
                        rank.putIfAbsent(remote, hops + 1);
                    }
                }
            }
        }
        for (int s = 0; s < view.switchCount(); s++) {
            assertThat(view.rank(s)).as(what).isEqualTo(rank.getOrDefault(s, FabricView.UNRANKED));
        }
    }

    private static List<Integer> neighbours(FabricView view, int s) {
        List<Integer> neighbours = new ArrayList<>();
        for (int port = 1; port <= view.portCount(s); port++) {
            if (view.peerSwitch(s, port) >= 0) {
                neighbours.add(view.peerSwitch(s, port));
            }
        }
        return neighbours;
    }

    private static int hosts(FabricView view, int s) {
        int hosts = 0;
        for (int port = 1; port <= view.portCount(s); port++) {
            hosts += view.peerNode(s, port) >= 0 ? 1 : 0;
        }
        return hosts;
    }

    private static @Nullable ToSwitch live(FabricViewBuilder said, FabricView view, int s, int port) {
        long guid = view.switchGuid(s);
        boolean live = said.neighbour(guid, port) instanceof ToSwitch to
                && to.guid() != guid
                && said.knows(to.guid())
                && to.port() >= 1
                && to.port() <= said.portCount(to.guid())
                && new ToSwitch(guid, port).equals(said.neighbour(to.guid(), to.port()))
                && said.saysUp(guid, port)
                && said.saysUp(to.guid(), to.port())
                && view.alive(s)
                && view.alive(view.switchOf(to.guid()));
        return live ? (ToSwitch) said.neighbour(guid, port) : null;
    }

    private static List<Object> groups(FabricView view, int s) {
        List<Object> groups = new ArrayList<>();
        for (int group = view.groupStart(s); group < view.groupEnd(s); group++) {
            List<Integer> ports = new ArrayList<>();
            for (int i = 0; i < view.groupSize(group); i++) {
                ports.add(view.groupPort(group, i));
            }
            groups.add(Map.entry(view.switchGuid(view.groupRemote(group)), ports));
        }
        return groups;
    }

    private static int placedNodes(FabricView view) {
        int placed = 0;
        for (int node = 0; node < view.nodeCount(); node++) {
            placed += view.nodeSwitch(node) >= 0 ? 1 : 0;
        }
        return placed;
    }

    private static void assertTargets(String what, FabricView view) {
        List<Integer> expected = new ArrayList<>();
        int[] lowest = new int[view.switchCount()];
        Arrays.fill(lowest, Integer.MAX_VALUE);
        for (int node = 0; node < view.nodeCount(); node++) {
            if (view.nodeSwitch(node) >= 0) {
                lowest[view.nodeSwitch(node)] = Math.min(lowest[view.nodeSwitch(node)], node);
            }
        }
        for (int s = 0; s < view.switchCount(); s++) {
            if (lowest[s] < Integer.MAX_VALUE) {
                expected.add(s);
            }
        }
        expected.sort(Comparator.comparing((Integer s) -> view.rank(s) != 0).thenComparing(s -> lowest[s]));
        List<Integer> targets = new ArrayList<>();
        for (int target = 0; target < view.targetCount(); target++) {
            targets.add(view.targetSwitch(target));
            assertThat(view.targetOfSwitch(view.targetSwitch(target))).as(what).isEqualTo(target);
        }
        assertThat(targets).as(what).isEqualTo(expected);
    }

    @Test
    void shouldOrderSwitchesByUnsignedGuid() {
        FabricViewBuilder fabric = new FabricViewBuilder();
        for (long guid : new long[] {-1, 1, Long.MIN_VALUE, 5}) {
            fabric.apply(new FabricChange.SwitchSeen(guid, "s", 4));
        }

        FabricView view = fabric.build(3, new NodeIndexMap(), new GuidNumbers());

        assertThat(new long[] {view.switchGuid(0), view.switchGuid(1), view.switchGuid(2), view.switchGuid(3)})
                .containsExactly(1, 5, Long.MIN_VALUE, -1);
        assertThat(view.switchOf(Long.MIN_VALUE)).isEqualTo(2);
        assertThat(view.switchOf(7)).isEqualTo(-1);
        assertThat(view.epoch()).isEqualTo(3);
    }
}
