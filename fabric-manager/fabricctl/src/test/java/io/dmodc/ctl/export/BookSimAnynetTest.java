package io.dmodc.ctl.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.routing.traffic.Endpoints;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What BookSim2 would read, read again. */
class BookSimAnynetTest {
    private record Network(Map<Integer, List<Integer>> routers, Map<Integer, Integer> homes) {
        private static Network parse(String text) {
            Network network = new Network(new HashMap<>(), new HashMap<>());
            for (String line : text.lines().toList()) {
                String[] words = line.split(" ");
                int id = Integer.parseInt(words[1]);
                network.routers.put(id, new ArrayList<>());
                for (int i = 2; i < words.length; i += 2) {
                    int other = Integer.parseInt(words[i + 1]);
                    if (words[i].equals("node")) {
                        assertThat(network.homes.put(other, id)).isNull();
                    } else {
                        network.neighbours(id).add(other);
                    }
                }
            }
            return network;
        }

        private List<Integer> neighbours(int router) {
            return Objects.requireNonNull(routers.get(router));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "3;2,2,3;1,2,2;1,2,1|0|16|12",
                "2;4,4;1,4;1,1|0|8|0",
                "3;2,2,3;1,2,2;1,2,1|3|16|",
                "2;4,4;1,2;1,3|2|6|"
            })
    void shouldLeadEveryPacketTheWayOfTheTables(String shape, int cut, int switches, Integer relays)
            throws IOException {
        FabricViewBuilder fabric = PgftGenerator.generate(PgftShape.parse(shape));
        Degradation.apply(fabric, 0, cut, new SplittableRandom(3));
        FabricView view = fabric.build(1, new NodeIndexMap(), new GuidNumbers());
        Endpoints nodes = new Endpoints(view);
        LftSet tables = Objects.requireNonNull(
                Dmodc.standard().route(view, Parallel.sequential()).tables());
        StringBuilder networkText = new StringBuilder();
        StringBuilder routesText = new StringBuilder();

        BookSimAnynet written = new BookSimAnynet(view, nodes, tables);
        written.writeNetwork(networkText);
        written.writeRoutes(routesText);

        Network network = Network.parse(networkText.toString());
        List<String> lines = routesText.toString().lines().toList();
        assertThat(lines).hasSameSizeAs(network.routers.keySet());
        if (relays != null) {
            assertThat(network.routers).hasSize(switches + relays);
        }
        network.routers.forEach((id, neighbours) -> {
            assertThat(neighbours)
                    .doesNotHaveDuplicates()
                    .allMatch(other -> network.neighbours(other).contains(id));
        });
        for (int from = 0; from < nodes.count(); from++) {
            for (int to = 0; to < nodes.count(); to++) {
                compare(network, lines, from, to, switches, way(view, tables, nodes, from, to));
            }
        }
    }

    private static List<Integer> way(FabricView view, LftSet tables, Endpoints nodes, int from, int to) {
        List<Integer> way = new ArrayList<>();
        int at = nodes.home(from);
        while (at >= 0 && at != nodes.home(to) && way.size() < 100) {
            way.add(at);
            int port = tables.port(at, nodes.node(to));
            at = port == LftSet.NO_ROUTE ? -1 : view.peerSwitch(at, port);
        }
        way.add(at);
        return way;
    }

    /** Without relays, whose numbers are behind the switches'. */
    private static void compare(
            Network network, List<String> lines, int from, int to, int switches, List<Integer> expected) {
        List<Integer> way = new ArrayList<>();
        int at = Objects.requireNonNull(network.homes.get(from));
        while (at >= 0) {
            if (at < switches) {
                way.add(at);
            }
            String[] words = lines.get(at).split(" ");
            assertThat(words[0] + words[1]).isEqualTo("lft" + at);
            int next = Integer.parseInt(words[2 + to]);
            if (next == -1) {
                assertThat(network.homes).containsEntry(to, at);
            } else if (next >= 0) {
                assertThat(network.neighbours(at)).contains(next);
            } else {
                way.add(-1);
            }
            at = next;
        }
        assertThat(way).isEqualTo(expected);
    }
}
