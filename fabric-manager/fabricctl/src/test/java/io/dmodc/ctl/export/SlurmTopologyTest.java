package io.dmodc.ctl.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.pgft.Degradation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The tree that Slurm is given. */
class SlurmTopologyTest {
    private static List<String> lines(FabricViewBuilder fabric) throws IOException {
        SlurmTopology topology = SlurmTopology.of(Fabrics.of(fabric));
        return Fabrics.text(topology::write)
                .lines()
                .filter(line -> !line.startsWith("#"))
                .toList();
    }

    private static List<String> remarks(FabricViewBuilder fabric) {
        return SlurmTopology.of(Fabrics.of(fabric)).remarks();
    }

    /**
     * <pre>
     *      3 spines = tier3-0
     *   2 switches   2 switches      tier2-0, tier2-1
     *  leaf0 leaf1  leaf2 leaf3
     * </pre>
     */
    @Test
    void shouldMakeOneSwitchOfAPodsTop() throws IOException {
        assertThat(lines(Fabrics.whole("3;2,2,2;1,2,2;1,1,1")))
                .containsExactly(
                        "SwitchName=leaf0 Nodes=node[0-1]",
                        "SwitchName=leaf1 Nodes=node[2-3]",
                        "SwitchName=leaf2 Nodes=node[4-5]",
                        "SwitchName=leaf3 Nodes=node[6-7]",
                        "SwitchName=tier2-0 Switches=leaf[0-1]",
                        "SwitchName=tier2-1 Switches=leaf[2-3]",
                        "SwitchName=tier3-0 Switches=tier2-[0-1]");
        assertThat(remarks(Fabrics.whole("3;2,2,2;1,2,2;1,1,1"))).isEmpty();
    }

    @Test
    void shouldNameThePodAfterItsOnlyTop() throws IOException {
        assertThat(lines(Fabrics.whole("2;2,2;1,1;1,2"))).contains("SwitchName=l2s0 Switches=leaf[0-1]");
        assertThat(lines(Fabrics.whole("1;3;1;1"))).containsExactly("SwitchName=leaf0 Nodes=node[0-2]");
    }

    @Test
    void shouldListAHostWithSeveralPortsOnce() throws IOException {
        FabricViewBuilder fabric = new FabricViewBuilder();
        for (int leaf = 1; leaf <= 4; leaf++) {
            Fabrics.addSwitch(fabric, leaf, "SwitchIB Mellanox");
            for (int node = 0; node < 3; node++) {
                int number = leaf <= 2 ? node : node + 3;
                Fabrics.addHost(fabric, leaf, node + 1, 100 * leaf + node, "n0" + number + " HCA-" + (leaf % 2 + 1));
            }
        }
        Fabrics.addSwitch(fabric, 9, "core 1/U2");
        for (int leaf = 1; leaf <= 4; leaf++) {
            Fabrics.connect(fabric, leaf, 20, 9, leaf);
        }

        assertThat(lines(fabric))
                .containsExactly(
                        "SwitchName=S-0000000000000001 Nodes=n[00-02]",
                        "SwitchName=S-0000000000000003 Nodes=n[03-05]",
                        "SwitchName=core_1_U2 Switches=S-0000000000000001,S-0000000000000003");
        assertThat(remarks(fabric).get(0)).isEqualTo("6 hosts have several ports and stand below one switch each");
        assertThat(remarks(fabric).get(2))
                .isEqualTo("left out, because none of their hosts is listed below them:"
                        + " S-0000000000000002, S-0000000000000004");
    }

    /** Two fabrics that share hosts; the second has one more. */
    @Test
    void shouldTakeThePlaneWithMoreHosts() throws IOException {
        FabricViewBuilder fabric = new FabricViewBuilder();
        for (int plane = 0; plane < 2; plane++) {
            for (int leaf = 1; leaf <= 2; leaf++) {
                int guid = 10 * plane + leaf;
                Fabrics.addSwitch(fabric, guid, "p" + plane + "leaf" + leaf);
                Fabrics.addHost(fabric, guid, 1, 100 + guid, "n" + leaf + " HCA-" + plane);
            }
            Fabrics.addSwitch(fabric, 10 * plane + 9, "p" + plane + "spine");
            Fabrics.connect(fabric, 10 * plane + 1, 20, 10 * plane + 9, 1);
            Fabrics.connect(fabric, 10 * plane + 2, 20, 10 * plane + 9, 2);
        }
        Fabrics.addHost(fabric, 12, 2, 999, "n3 HCA-1");

        assertThat(lines(fabric))
                .containsExactlyInAnyOrder(
                        "SwitchName=p1leaf1 Nodes=n1",
                        "SwitchName=p1leaf2 Nodes=n[2-3]",
                        "SwitchName=p1spine Switches=p1leaf[1-2]");
    }

    @Test
    void shouldLeaveACutOffLeafATreeOfItsOwn() throws IOException {
        FabricViewBuilder fabric = Fabrics.whole("2;2,3;1,2;1,1");
        for (Degradation.Cable cable : Degradation.cables(Fabrics.of(fabric).view())) {
            if (cable.guid() == 0x02f0_0000_0000_0001L) {
                Degradation.cut(fabric, cable);
            }
        }

        assertThat(lines(fabric))
                .containsExactly(
                        "SwitchName=leaf0 Nodes=node[0-1]",
                        "SwitchName=leaf2 Nodes=node[4-5]",
                        "SwitchName=leaf1 Nodes=node[2-3]",
                        "SwitchName=tier2-0 Switches=leaf[0,2]");
        assertThat(remarks(fabric))
                .containsExactly("2 parts without a legal path between them, no job will span them: tier2-0, leaf1");
    }

    /** leaf0 has a cable to the first spine only, leaf2 to the second only; leaf1 to both. */
    @Test
    void shouldCutOffALeafWithoutALegalPathThoughCablesLeadThere() throws IOException {
        FabricViewBuilder fabric = Fabrics.whole("2;1,3;1,2;1,1");
        List<Degradation.Cable> cables = Degradation.cables(Fabrics.of(fabric).view());
        Degradation.cut(fabric, cables.get(1));
        Degradation.cut(fabric, cables.get(4));

        assertThat(lines(fabric)).contains("SwitchName=tier2-0 Switches=leaf[0-1]");
        assertThat(remarks(fabric))
                .containsExactly("2 parts without a legal path between them, no job will span them: tier2-0, leaf2");
    }

    @Test
    void shouldKeepTheHostsOfADeadLeaf() throws IOException {
        FabricViewBuilder fabric = Fabrics.whole("2;2,3;1,2;1,1");
        fabric.apply(new SwitchState(0x02f0_0000_0000_0002L, false));

        assertThat(lines(fabric)).contains("SwitchName=leaf2 Nodes=node[4-5]", "SwitchName=tier2-0 Switches=leaf[0-1]");
        assertThat(remarks(fabric)).contains("down: leaf2");
    }

    @Test
    void shouldLeaveOutHostsWithoutAName() throws IOException {
        FabricViewBuilder fabric = new FabricViewBuilder();
        Fabrics.addSwitch(fabric, 1, "leaf");
        Fabrics.addHost(fabric, 1, 1, 11, "MT4115 ConnectX4 Mellanox");
        Fabrics.addHost(fabric, 1, 2, 12, "MT4115 ConnectX4 Mellanox");
        Fabrics.addHost(fabric, 1, 3, 13, "");
        Fabrics.addHost(fabric, 1, 4, 14, "a,b HCA-1");
        assertThatThrownBy(() -> lines(fabric)).hasMessageContaining("no host has a name Slurm could know; expected");

        Fabrics.addHost(fabric, 1, 5, 15, "good HCA-1");

        assertThat(lines(fabric)).containsExactly("SwitchName=leaf Nodes=good");
        assertThat(remarks(fabric))
                .containsExactly(
                        "1 host port has no description and is left out",
                        "left out, because their descriptions name no host Slurm could know:"
                                + " 'MT4115 ConnectX4 Mellanox', 'a,b HCA-1'");
    }

    /** Whatever the damage: a forest, each host once, and two hosts in one tree can reach each other. */
    @Test
    void shouldBeAForestThatHoldsEachHostOnce() throws IOException {
        long seed = 4711;
        System.out.println("seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 300; round++) {
            ExportedFabric fabric = Fabrics.of(Fabrics.any(random));
            Map<String, String> parent = new HashMap<>();
            Map<String, String> leafOf = new HashMap<>();
            Set<String> defined = new HashSet<>();
            for (String line :
                    Fabrics.text(SlurmTopology.of(fabric)::write).lines().toList()) {
                if (line.startsWith("#")) {
                    continue;
                }
                assertThat(line)
                        .matches("SwitchName=[A-Za-z0-9][A-Za-z0-9._-]* (Nodes|Switches)=[A-Za-z0-9.,_\\[\\]-]+");
                String[] words = line.split("[= ]");
                assertThat(defined.add(words[1])).as(line).isTrue();
                for (String member : HostListTest.expand(words[3])) {
                    Map<String, String> to = words[2].equals("Nodes") ? leafOf : parent;
                    assertThat(to.put(member, words[1])).as(line).isNull();
                }
            }

            assertThat(defined).containsAll(parent.keySet());
            assertThat(parent.values()).doesNotContainAnyElementsOf(leafOf.values());
            assertThat(leafOf.keySet()).isEqualTo(expectedHosts(fabric.view()));
            assertReachability(fabric.view(), leafOf, parent);
        }
    }

    private static Set<String> expectedHosts(FabricView view) {
        Map<String, Integer> adapters = new HashMap<>();
        for (int node = 0; node < view.nodeCount(); node++) {
            adapters.merge(Fabrics.host(view, node).name(), 1, Integer::sum);
        }
        Set<String> names = new TreeSet<>();
        adapters.forEach((name, count) -> {
            String first = name.split("\\s")[0];
            boolean several = name.contains(" ") && count > 1;
            if (!several && first.matches("[A-Za-z0-9][A-Za-z0-9._-]*") && !first.equals("DEFAULT")) {
                names.add(first);
            }
        });
        return names;
    }

    private static void assertReachability(FabricView view, Map<String, String> leafOf, Map<String, String> parent) {
        Map<String, List<Integer>> trees = new HashMap<>();
        for (int node = 0; node < view.nodeCount(); node++) {
            String leaf = leafOf.get(Fabrics.host(view, node).name());
            if (leaf != null) {
                String root = leaf;
                while (parent.containsKey(root)) {
                    root = parent.get(root);
                }
                trees.computeIfAbsent(root, r -> new ArrayList<>()).add(view.nodeSwitch(node));
            }
        }
        for (List<Integer> tree : trees.values()) {
            for (int a : tree) {
                for (int b : tree) {
                    Set<Integer> common = above(view, a);
                    common.retainAll(above(view, b));
                    assertThat(common).isNotEmpty();
                }
            }
        }
    }

    private static Set<Integer> above(FabricView view, int s) {
        Set<Integer> above = new HashSet<>(Set.of(s));
        for (int port = 1; port <= view.portCount(s); port++) {
            int far = view.peerSwitch(s, port);
            if (far >= 0 && view.rank(far) == view.rank(s) + 1) {
                above.addAll(above(view, far));
            }
        }
        return above;
    }
}
