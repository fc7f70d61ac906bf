package io.dmodc.manager.northbound;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.dmodc.topology.Guid;
import io.dmodc.topology.HostAddresses;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FabricApiTest {
    /** Figure 1's fabric: 12 nodes, 6 leaves, 6 + 4 switches above, two cables between leaf and parent. */
    private static final String SHAPE = "3;2,2,3;1,2,2;1,2,1";

    private TestFabric fabric;
    private NorthboundServer server;
    private Client client;

    @BeforeEach
    void start() throws IOException {
        fabric = TestFabric.of(SHAPE);
        server = fabric.serve();
        client = new Client(server);
    }

    @AfterEach
    void stop() {
        server.close();
        fabric.close();
    }

    @Test
    void shouldTellThatAllIsWell() {
        JsonNode status = client.json("/api/v1/status");

        assertThat(status.at("/switches/total").asInt()).isEqualTo(16);
        assertThat(status.at("/switches/connected").asInt()).isEqualTo(16);
        assertThat(status.at("/agents/connected").asInt()).isEqualTo(16);
        assertThat(status.at("/links/live").asInt()).isEqualTo(36);
        assertThat(status.at("/nodes").asInt()).isEqualTo(12);
        assertThat(status.at("/outstanding").asInt()).isZero();
        assertThat(status.at("/alarms").asInt()).isZero();
        assertThat(status.has("withoutPath")).isFalse();
        assertThat(status.at("/discovering").asBoolean()).isFalse();
        assertThat(status.at("/version").asText()).startsWith("0.");
        assertThat(status.at("/lastEpoch/stage").asText()).isEqualTo("complete");
        assertThat(status.at("/lastEpoch/routeMicros").asLong()).isEqualTo(1234);
        assertThat(status.at("/lastEpoch/checkMicros").asLong()).isEqualTo(567);
    }

    @Test
    void shouldCountHeadlessDeadAndCutOff() {
        fabric.behead("l2s0");
        fabric.kill("l3s0");
        fabric.kill("leaf3");

        JsonNode status = client.json("/api/v1/status");
        assertThat(status.at("/switches/connected").asInt()).isEqualTo(13);
        assertThat(status.at("/switches/headless").asInt()).isEqualTo(1);
        assertThat(status.at("/switches/dead").asInt()).isEqualTo(2);
        assertThat(status.at("/agents/connected").asInt()).isEqualTo(13);
        assertThat(status.at("/cutOff")).extracting(JsonNode::asText).containsExactly("leaf3");
        assertThat(status.at("/alarms").asInt())
                .as("that the dead leaf is cut off is no alarm beside it")
                .isEqualTo(3);
        assertThat(status.at("/switches/expected").asInt()).isEqualTo(16);
        assertThat(status.at("/switches/live").asInt()).isEqualTo(14);
        assertThat(status.at("/switches/down").asInt()).isEqualTo(2);
        assertThat(client.json("/api/v1/switches?condition=dead").at("/switches"))
                .extracting(s -> s.at("/name").asText())
                .containsExactly("leaf3", "l3s0");
        assertThat(client.json("/api/v1/switches?condition=headless")
                        .at("/switches/0/agent")
                        .asText())
                .isEqualTo("gone");
    }

    @Test
    void shouldListSwitchesWithRankAndNodes() {
        JsonNode switches = client.json("/api/v1/switches").at("/switches");

        assertThat(switches).hasSize(16);
        JsonNode leaf = switches.get(1);
        assertThat(leaf.at("/name").asText()).isEqualTo("leaf1");
        assertThat(leaf.at("/guid").asText()).isEqualTo("0x02f0000000000001");
        assertThat(leaf.at("/rank").asInt()).isZero();
        assertThat(leaf.at("/leaf").asBoolean()).isTrue();
        assertThat(leaf.at("/nodes").asInt()).isEqualTo(2);
        assertThat(leaf.at("/firstNode").asInt()).isEqualTo(2);
        assertThat(leaf.at("/liveLinks").asInt()).isEqualTo(4);
        assertThat(leaf.at("/upToDate").asBoolean()).isTrue();
        assertThat(switches.get(15).at("/rank").asInt()).isEqualTo(2);
        assertThat(switches.get(15).has("firstNode")).isFalse();
        assertThat(leaf.has("plane")).isFalse();
        assertThat(switches)
                .filteredOn(each -> each.at("/rank").asInt() == 1)
                .extracting(each -> each.at("/plane").asInt())
                .containsExactly(0, 1, 0, 1, 0, 1);
    }

    @Test
    void shouldDescribePortsOfASwitch() {
        fabric.cut("l2s0", 1);

        JsonNode detail = client.json("/api/v1/switches/" + Guid.format(fabric.guid("l2s0")));

        JsonNode cut = detail.at("/ports/0");
        assertThat(cut.at("/leads").asText()).isEqualTo("down");
        assertThat(cut.at("/up").asBoolean()).isFalse();
        assertThat(cut.at("/live").asBoolean()).isFalse();
        assertThat(cut.at("/flaps").asInt()).isEqualTo(1);
        assertThat(cut.at("/peer/name").asText()).isEqualTo("leaf0");
        assertThat(detail.at("/ports/4/leads").asText()).isEqualTo("up");
        assertThat(detail.at("/ports/4/live").asBoolean()).isTrue();
        assertThat(detail.at("/table/upToDate").asBoolean()).isTrue();
        assertThat(detail.at("/table/entries").asInt()).isEqualTo(12);
        JsonNode leafPort = client.json("/api/v1/switches/0x2f0000000000000").at("/ports/1");
        assertThat(leafPort.at("/leads").asText()).isEqualTo("host");
        assertThat(leafPort.at("/host/name").asText()).isEqualTo("node1");
        assertThat(leafPort.at("/host/index").asInt()).isEqualTo(1);
    }

    @Test
    void shouldListEachCableOnce() {
        fabric.cut("leaf0", 3);

        JsonNode all = client.json("/api/v1/links");
        JsonNode dead = client.json("/api/v1/links?live=false");

        Set<String> ends = new HashSet<>();
        all.at("/links").forEach(link -> {
            assertThat(ends.add(link.at("/a/guid").asText() + link.at("/a/port")))
                    .isTrue();
            assertThat(ends.add(link.at("/b/guid").asText() + link.at("/b/port")))
                    .isTrue();
        });
        assertThat(all.at("/links")).hasSize(36);
        assertThat(all.at("/total").asInt()).isEqualTo(36);
        assertThat(all.at("/live").asInt()).isEqualTo(35);
        assertThat(dead.at("/total").asInt()).isEqualTo(36);
        assertThat(dead.at("/links")).hasSize(1);
        assertThat(dead.at("/links/0/a/name").asText()).isEqualTo("leaf0");
        assertThat(dead.at("/links/0/a/port").asInt()).isEqualTo(3);
        assertThat(dead.at("/links/0/flaps").asInt()).isEqualTo(1);
        assertThat(client.json("/api/v1/links?live=true").at("/links")).hasSize(35);
    }

    @Test
    void shouldShowALinkHeldDownAfterAFlap() {
        fabric.cut("leaf0", 3);
        fabric.mend("leaf0", 3);

        JsonNode link = client.json("/api/v1/links?live=false").at("/links/0");

        assertThat(link.at("/heldDown").asBoolean()).isTrue();
    }

    @Test
    void shouldListNodes() {
        JsonNode nodes = client.json("/api/v1/nodes").at("/nodes");

        assertThat(nodes).hasSize(12);
        assertThat(nodes.get(3).at("/index").asInt()).isEqualTo(3);
        assertThat(nodes.get(3).at("/name").asText()).isEqualTo("node3");
        assertThat(nodes.get(3).at("/switchName").asText()).isEqualTo("leaf1");
        assertThat(nodes.get(3).at("/port").asInt()).isEqualTo(2);
    }

    @Test
    void shouldListAddressesOfNodesAsFarAsTheyAreKnown() {
        fabric.address("leaf1", 1, HostAddresses.parse(12, "10.0.0.7", "fd00::7", "02:00:00:00:00:07"));
        fabric.address("leaf1", 2, HostAddresses.ofLid(13));

        JsonNode nodes = client.json("/api/v1/nodes").at("/nodes");

        assertThat(nodes.get(2).at("/lid").asInt()).isEqualTo(12);
        assertThat(nodes.get(2).at("/ipv4").asText()).isEqualTo("10.0.0.7");
        assertThat(nodes.get(2).at("/ipv6").asText()).isEqualTo("fd00::7");
        assertThat(nodes.get(2).at("/mac").asText()).isEqualTo("02:00:00:00:00:07");
        assertThat(nodes.get(2).at("/name").asText()).isEqualTo("node2");
        assertThat(nodes.get(3).at("/lid").asInt()).isEqualTo(13);
        assertThat(List.of("ipv4", "ipv6", "mac")).noneMatch(nodes.get(3)::has);
        assertThat(List.of("lid", "ipv4", "ipv6", "mac")).noneMatch(nodes.get(4)::has);
    }

    @Test
    void shouldGiveATableAsRunsThatCoverIt() {
        JsonNode lft = client.json("/api/v1/lft/0x02f0000000000000");

        int next = 0;
        for (JsonNode run : lft.at("/runs")) {
            assertThat(run.at("/from").asInt()).isEqualTo(next);
            next = run.at("/to").asInt() + 1;
        }
        assertThat(next).isEqualTo(12);
        assertThat(lft.at("/runs/0/port").asInt()).isEqualTo(1);
        assertThat(lft.at("/runs/1/port").asInt()).isEqualTo(2);
        assertThat(lft.at("/acked").asBoolean()).isTrue();
        assertThat(lft.at("/digest").asText()).isEqualTo(lft.at("/ackedDigest").asText());
        assertThat(lft.at("/epoch").asLong()).isEqualTo(1);
    }

    @Test
    void shouldLeaveThePortOutWhereThereIsNoRoute() {
        fabric.kill("leaf0");

        JsonNode lft = client.json("/api/v1/lft/" + Guid.format(fabric.guid("leaf5")));

        assertThat(lft.at("/runs/0/to").asInt()).isEqualTo(1);
        assertThat(lft.at("/runs/0").has("port")).isFalse();
    }

    @Test
    void shouldTellThatATableIsNotAckedYet() {
        fabric.mute("leaf5");
        fabric.cut("leaf5", 3);

        JsonNode lft = client.json("/api/v1/lft/" + Guid.format(fabric.guid("leaf5")));

        assertThat(lft.at("/acked").asBoolean()).isFalse();
        assertThat(lft.at("/ackedEpoch").asLong()).isEqualTo(1);
        assertThat(client.json("/api/v1/status").at("/outstanding").asInt()).isEqualTo(1);
    }

    /** A leaf without an agent forwards by the table it took last, whatever it should hold by now. */
    @Test
    void shouldShowTheTableASwitchHolds() {
        fabric.behead("leaf0");
        JsonNode before = client.json("/api/v1/lft/leaf0");
        fabric.kill("leaf5");

        JsonNode lft = client.json("/api/v1/lft/leaf0");
        JsonNode path = client.json("/api/v1/path?from=0&to=11");

        assertThat(before.at("/held").asBoolean()).isFalse();
        assertThat(lft.at("/held").asBoolean()).isTrue();
        assertThat(lft.at("/acked").asBoolean()).isFalse();
        assertThat(lft.at("/runs")).isEqualTo(before.at("/runs"));
        assertThat(lft.at("/ackedEpoch").asLong()).isEqualTo(1);
        assertThat(lft.at("/digest").asText())
                .isNotEqualTo(lft.at("/ackedDigest").asText());
        assertThat(path.at("/hops/0/held").asBoolean()).isTrue();
        assertThat(path.at("/hops/0/port").asInt()).as("still sent").isPositive();
        assertThat(path.at("/delivered").asBoolean()).isFalse();
        assertThat(client.json("/api/v1/lft/leaf1").at("/held").asBoolean()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"0,11", "node0,node11", "0x02c0000000000001,0x02c0000000000016"})
    void shouldWalkFromNodeToNode(String from, String to) {
        JsonNode path = client.json("/api/v1/path?from=" + from + "&to=" + to);

        assertThat(path.at("/delivered").asBoolean()).isTrue();
        assertThat(path.at("/from/index").asInt()).isZero();
        assertThat(path.at("/to/index").asInt()).isEqualTo(11);
        assertThat(path.at("/hops"))
                .extracting(hop -> hop.at("/name").asText())
                .hasSize(5)
                .startsWith("leaf0")
                .endsWith("leaf5");
        assertThat(path.at("/hops/0/next").asText())
                .isEqualTo(path.at("/hops/1/name").asText());
        assertThat(path.at("/hops/4/next").asText()).isEqualTo("node11");
        assertThat(path.at("/end").asText()).isEqualTo("delivered by leaf5 port 2");
    }

    @Test
    void shouldSayWhereAPathEndsAndWhy() {
        fabric.kill("leaf5");

        JsonNode path = client.json("/api/v1/path?from=0&to=11");

        assertThat(path.at("/delivered").asBoolean()).isFalse();
        assertThat(path.at("/end").asText()).isEqualTo("leaf0 has no route to node11");
        assertThat(path.at("/hops")).hasSize(1);
    }

    @Test
    void shouldKeepEpochsWithTheirTimes() {
        fabric.cut("leaf0", 3);

        JsonNode epochs = client.json("/api/v1/epochs").at("/epochs");

        assertThat(epochs).hasSize(2);
        JsonNode last = epochs.get(1);
        assertThat(last.at("/epoch").asLong()).isEqualTo(2);
        assertThat(last.at("/stage").asText()).isEqualTo("complete");
        assertThat(last.at("/cause").asText()).isEqualTo("link leaf0 port 3 – l2s0 port 1 down");
        assertThat(last.at("/switches").asInt()).isPositive();
        assertThat(last.at("/totalMicros").asLong())
                .isGreaterThanOrEqualTo(last.at("/noticeToStartMicros").asLong());
    }

    @Test
    void shouldShowCongestionInTheStatusAndWithItsEpoch() {
        fabric.measure();
        fabric.cut("leaf0", 3);

        JsonNode latest = client.json("/api/v1/status").at("/congestion");
        JsonNode epochs = client.json("/api/v1/epochs").at("/epochs");

        assertThat(latest.toString())
                .isEqualTo("{\"epoch\":1,\"tookMicros\":350000,\"unroutedPairs\":4,\"allToAll\":31,"
                        + "\"permutations\":{\"count\":100,\"mean\":6.8,\"max\":9},\"shifts\":{\"count\":100,\"mean\":1.25,\"max\":2},"
                        + "\"hottest\":[{\"guid\":\"" + Guid.format(fabric.guid("leaf0"))
                        + "\",\"name\":\"leaf0\",\"port\":3,\"flows\":31},{\"guid\":\""
                        + Guid.format(fabric.guid("leaf0"))
                        + "\",\"name\":\"leaf0\",\"port\":4,\"flows\":29}]}");
        assertThat(epochs.get(0).at("/congestion")).isEqualTo(latest);
        assertThat(epochs.get(1).has("congestion")).isFalse();
    }

    @Test
    void shouldLeaveCongestionOutBeforeItIsMeasured() {
        assertThat(client.json("/api/v1/status").has("congestion")).isFalse();
    }

    @Test
    void shouldPageThroughEvents() {
        JsonNode first = client.json("/api/v1/events?after=0&limit=3");
        JsonNode next = client.json("/api/v1/events?after=3&limit=2");
        JsonNode newest = client.json("/api/v1/events?limit=1");

        assertThat(first.at("/events")).extracting(e -> e.at("/number").asInt()).containsExactly(1, 2, 3);
        assertThat(next.at("/events")).extracting(e -> e.at("/number").asInt()).containsExactly(4, 5);
        assertThat(newest.at("/events/0/number").asLong())
                .isEqualTo(newest.at("/last").asLong());
        assertThat(first.at("/events/0/kind").asText()).isEqualTo("agent-joined");
        assertThat(first.at("/events/0/severity").asText()).isEqualTo("info");
        assertThat(first.at("/events/0/time").asText()).startsWith("2027-01-15T08:00:00");
        assertThat(first.at("/events/0/guid").asText()).isEqualTo("0x02f0000000000000");
    }

    @Test
    void shouldAnswerBeforeTheFirstView() throws IOException {
        try (TestFabric empty = TestFabric.empty(SHAPE);
                NorthboundServer young = empty.serve()) {
            Client asking = new Client(young);

            assertThat(asking.json("/api/v1/status").at("/discovering").asBoolean())
                    .isTrue();
            assertThat(asking.json("/api/v1/switches").at("/switches")).isEmpty();
            assertThat(asking.json("/api/v1/links").at("/links")).isEmpty();
            assertThat(asking.json("/api/v1/nodes").at("/nodes")).isEmpty();
            assertThat(asking.json("/api/v1/epochs").at("/epochs")).isEmpty();
            assertThat(asking.get("/api/v1/path?from=0&to=1").statusCode()).isEqualTo(404);
        }
    }
}
