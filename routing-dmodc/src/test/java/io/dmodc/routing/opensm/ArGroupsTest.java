package io.dmodc.routing.opensm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.check.Fabrics;
import io.dmodc.routing.dmodc.CostsAndDividers;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.routing.dmodc.RandomFabrics;
import io.dmodc.routing.minhop.MinHop;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ArGroupsTest {
    private static final Pattern SWITCH = Pattern.compile("switch (0x[0-9a-f]{16}) lid \\d+ groups (\\d+) \\('.*'\\):");
    private static final Pattern GROUP = Pattern.compile("group (\\d+) ports (\\d+(?: \\d+)+)");
    private static final Pattern LID = Pattern.compile("lid 0x([0-9a-f]{4}) static (\\d{3})(?: group (\\d+))? # .*");

    private static String text(FabricView view, RoutingEngine engine) throws IOException {
        LftSet tables = engine.route(view, Parallel.sequential()).tables();
        if (tables == null) {
            return "";
        }
        CostsAndDividers known = Dmodc.standard().costsAndDividers(view, Parallel.sequential());
        StringBuilder out = new StringBuilder();
        ArGroups.of(
                        view,
                        tables,
                        engine.routeSwitches(view, Parallel.sequential()),
                        Lids.sequential(view),
                        known::alternatives)
                .write(out);
        return out.toString();
    }

    /** What a switch may do with each LID: ports by LID, the static one first. */
    private static Map<Integer, Map<Integer, int[]>> read(FabricView view, String text) {
        Map<Integer, Map<Integer, int[]>> choices = new HashMap<>();
        Map<Integer, int[]> groups = new HashMap<>();
        Map<Integer, int[]> ofSwitch = new TreeMap<>();
        List<String> lines = text.lines().toList();
        if (lines.isEmpty()) {
            return choices;
        }
        assertThat(lines.get(0)).isEqualTo("# adaptive routing groups 1");
        for (String line : lines.subList(1, lines.size())) {
            Matcher head = SWITCH.matcher(line);
            Matcher group = GROUP.matcher(line);
            Matcher lid = LID.matcher(line);
            if (head.matches()) {
                groups = new HashMap<>();
                ofSwitch = new TreeMap<>();
                choices.put(view.switchOf(Guid.parse(head.group(1))), ofSwitch);
            } else if (group.matches()) {
                groups.put(
                        Integer.parseInt(group.group(1)),
                        Arrays.stream(group.group(2).split(" "))
                                .mapToInt(Integer::parseInt)
                                .toArray());
            } else {
                assertThat(lid.matches()).as(line).isTrue();
                int port = Integer.parseInt(lid.group(2));
                int[] ports = lid.group(3) == null ? new int[] {port} : groups.get(Integer.parseInt(lid.group(3)));
                assertThat(ports).as(line).contains(port);
                ofSwitch.put(Integer.parseInt(lid.group(1), 16), ports);
            }
        }
        return choices;
    }

    private static int[] ports(Map<Integer, Map<Integer, int[]>> read, int s, int lid) {
        return read.getOrDefault(s, Map.of()).getOrDefault(lid, new int[0]);
    }

    @Test
    void shouldWriteGroupsAndTheStaticPort() throws IOException {
        FabricView view = Fabrics.view(PgftGenerator.generate(PgftShape.parse("2;2,2;1,2;1,1")));

        List<String> lines = text(view, Dmodc.standard()).lines().toList();

        assertThat(lines)
                .startsWith(
                        "# adaptive routing groups 1",
                        "switch 0x02f0000000000000 lid 1 groups 1 ('leaf0'):",
                        "group 1 ports 3 4",
                        "lid 0x0001 static 000 # Switch portguid 0x02f0000000000000: 'leaf0'")
                .contains(
                        "lid 0x0005 static 001 # Channel Adapter portguid 0x02c0000000000001: 'node0'",
                        "lid 0x0007 static 003 group 1 # Channel Adapter portguid 0x02c0000000000005: 'node2'",
                        "lid 0x0008 static 004 group 1 # Channel Adapter portguid 0x02c0000000000007: 'node3'")
                .hasSize(1 + 2 * (2 + 8) + 2 * (1 + 7));
    }

    /** Any choice at any switch: packets arrive, climb first and descend then, and never meet a switch twice. */
    @Test
    void shouldBringPacketsHomeByWhateverPortsTheyTake() throws IOException {
        long walked = 0;
        int choices = 0;
        for (int seed = 0; seed < 120; seed++) {
            FabricView view = RandomFabrics.draw(seed);
            Map<Integer, Map<Integer, int[]>> read = read(view, text(view, Dmodc.standard()));
            Lids lids = Lids.sequential(view);
            for (int node = 0; node < view.nodeCount(); node++) {
                int lid = lids.ofNode(node);
                Map<String, Boolean> done = new HashMap<>();
                for (int s : read.keySet()) {
                    int[] ports = ports(read, s, lid);
                    if (ports.length > 0) {
                        walk(view, read, s, false, node, lid, 0, done, "seed " + seed + ", node " + node);
                        choices += ports.length > 1 ? 1 : 0;
                    }
                }
                walked += done.size();
            }
        }
        assertThat(choices).isGreaterThan(5_000);
        assertThat(walked).isGreaterThan(10_000);
    }

    private static void walk(
            FabricView view,
            Map<Integer, Map<Integer, int[]>> read,
            int s,
            boolean descended,
            int node,
            int lid,
            int hops,
            Map<String, Boolean> done,
            String which) {
        assertThat(hops).as(which + ": hops").isLessThanOrEqualTo(2 * view.rankMax());
        if (done.containsKey(s + "/" + descended)) {
            return;
        }
        int[] ports = ports(read, s, lid);
        assertThat(ports).as(which + ": black hole at " + view.switchName(s)).isNotEmpty();
        for (int port : ports) {
            int remote = view.peerSwitch(s, port);
            if (remote < 0) {
                assertThat(view.peerNode(s, port)).as(which).isEqualTo(node);
            } else {
                boolean up = view.isUp(s, remote);
                assertThat(up || view.isDown(s, remote)).as(which).isTrue();
                assertThat(up && descended)
                        .as(which + ": turn at " + view.switchName(s))
                        .isFalse();
                walk(view, read, remote, descended || !up, node, lid, hops + 1, done, which);
            }
        }
        done.put(s + "/" + descended, true);
    }

    /** The equations of the paper say which ports: the text has exactly these. */
    @Test
    void shouldWriteTheAlternativesOfEquationTwo() throws IOException {
        for (int seed = 0; seed < 60; seed++) {
            FabricView view = RandomFabrics.draw(seed);
            Map<Integer, Map<Integer, int[]>> read = read(view, text(view, Dmodc.standard()));
            if (!read.isEmpty()) {
                Lids lids = Lids.sequential(view);
                CostsAndDividers known = Dmodc.standard().costsAndDividers(view, Parallel.sequential());
                for (int s = 0; s < view.switchCount(); s++) {
                    for (int node = 0; view.alive(s) && node < view.nodeCount(); node++) {
                        int[] ports = ports(read, s, lids.ofNode(node));
                        int[] expected = known.alternatives(s, node).clone();
                        Arrays.sort(expected);
                        assertThat(ports)
                                .as("seed " + seed + ", " + view.switchName(s) + " to node " + node)
                                .isEqualTo(lids.ofNode(node) == 0 ? new int[0] : expected);
                    }
                }
            }
        }
    }

    /** Shortest paths turn up again where cables are lost: beside strict alternatives they could make circles. */
    @Test
    void shouldRefuseTablesWhosePortsAreNotAmongThem() {
        int refused = 0;
        for (int seed = 0; seed < 60 && refused == 0; seed++) {
            FabricView view = RandomFabrics.draw(seed);
            try {
                text(view, new MinHop());
            } catch (IllegalArgumentException | IOException e) {
                refused++;
                assertThatThrownBy(() -> text(view, new MinHop()))
                        .hasMessageMatching(
                                "switch 0x[0-9a-f]{16}: node \\d+ leaves by port \\d+; expected one of \\[.*],"
                                        + " which lead closer without turning up again");
            }
        }
        assertThat(refused).isEqualTo(1);
    }
}
