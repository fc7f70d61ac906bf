package io.dmodc.manager.northbound;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.dmodc.topology.Guid;
import io.dmodc.topology.Host;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Switches, cables and hosts that are gone for good: a plan says what forgetting or replacing them does, and is applied like any other. */
class GoneThingsTest {
    /** Of leaf0, to l2s0 port 1. */
    private static final int UPLINK = 5;

    private TestFabric fabric;
    private NorthboundServer server;
    private Client client;

    @BeforeEach
    void open() throws Exception {
        fabric = TestFabric.of("2;4,4;1,2;1,1");
        server = fabric.serve();
        client = new Client(server);
    }

    @AfterEach
    void close() {
        server.close();
        fabric.close();
    }

    /** With apostrophes for quotation marks. */
    private HttpResponse<String> post(String path, String body) {
        return client.send(client.request("/api/v1/" + path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body.replace('\'', '"'))));
    }

    private JsonNode plan(String body) {
        HttpResponse<String> response = post("plans", body);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return Client.parse(response.body());
    }

    private HttpResponse<String> apply(JsonNode plan) {
        HttpResponse<String> response =
                post("plans/" + plan.at("/id").asText() + "/apply", "{'by':'ann','why':'scrapped'}");
        fabric.calm();
        return response;
    }

    private void act(String body) {
        HttpResponse<String> response = apply(plan(body));
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    }

    private String event(String kind) {
        return client.json("/api/v1/events?kind=" + kind).at("/events/0/text").asText();
    }

    @Test
    void shouldForgetASwitchOnceItIsPlanned() {
        fabric.kill("l2s1");
        fabric.calm();

        JsonNode plan = plan("{'act':'forget','switches':['l2s1']}");

        assertThat(plan.at("/act").asText()).isEqualTo("forget");
        assertThat(plan.at("/objects/0").asText()).isEqualTo("l2s1");
        assertThat(plan.at("/epoch").asLong()).isEqualTo(fabric.snapshot().epoch());
        assertThat(plan.at("/valid").asBoolean()).isTrue();
        assertThat(plan.at("/switches").asInt()).as("it carried nothing").isZero();
        assertThat(plan.at("/congestion/before")).isEqualTo(plan.at("/congestion/after"));
        assertThat(plan.at("/text/0").asText()).isEqualTo("cut off: none");
        assertThat(client.get("/api/v1/switches/l2s1").statusCode()).isEqualTo(200);

        assertThat(apply(plan).statusCode()).isEqualTo(200);

        JsonNode status = client.json("/api/v1/status");
        assertThat(status.at("/alarms").asInt()).isZero();
        assertThat(status.at("/switches/expected").asInt()).isEqualTo(5);
        assertThat(status.at("/links/expected").asInt()).isEqualTo(4);
        assertThat(client.json("/api/v1/links").at("/total").asInt()).isEqualTo(4);
        assertThat(client.get("/api/v1/switches/l2s1").statusCode()).isEqualTo(404);
        assertThat(event("forgotten")).isEqualTo("l2s1 forgotten (ann: scrapped)");
        assertThat(apply(plan).body()).contains("not applied, the fabric has moved on since");
    }

    @Test
    void shouldForgetACableByEitherEndAndAHostByName() {
        fabric.cut("leaf0", UPLINK);
        fabric.cut("leaf0", 1);
        fabric.calm();

        act("{'act':'forget','links':['l2s0:1']}");
        JsonNode plan = plan("{'act':'forget','nodes':['node0'],'congestion':false}");
        assertThat(plan.at("/objects/0").asText()).isEqualTo("node0");
        assertThat(plan.at("/entries").asInt()).as("nobody needs a way to it").isPositive();
        assertThat(apply(plan).statusCode()).isEqualTo(200);

        assertThat(client.json("/api/v1/alarms").at("/total").asInt()).isZero();
        assertThat(client.json("/api/v1/nodes").at("/nodes")).hasSize(15);
        assertThat(client.json("/api/v1/events?kind=forgotten").at("/events"))
                .extracting(event -> event.at("/text").asText())
                .containsExactlyInAnyOrder(
                        "cable l2s0 port 1 – leaf0 port 5 forgotten (ann: scrapped)",
                        "host node0 at leaf0 port 1 forgotten (ann: scrapped)");
    }

    @Test
    void shouldDropADrainWithWhatIsForgotten() {
        act("{'act':'drain','links':['leaf0:5'],'switches':['l2s1']}");
        fabric.kill("l2s1");
        fabric.cut("leaf0", UPLINK);
        fabric.calm();

        JsonNode plan = plan("{'act':'forget','switches':['l2s1'],'congestion':false}");
        assertThat(plan.at("/text")).last().extracting(JsonNode::asText).isEqualTo("not drained any more: l2s1");
        apply(plan);
        act("{'act':'forget','links':['l2s0:1'],'congestion':false}");

        assertThat(client.json("/api/v1/intent").at("/drained")).isEmpty();
        assertThat(client.json("/api/v1/events?kind=undrained").at("/events"))
                .extracting(event -> event.at("/text").asText())
                .containsExactlyInAnyOrder(
                        "l2s1 not drained any more: gone (ann: scrapped)",
                        "leaf0:5 not drained any more: gone (ann: scrapped)");
    }

    @Test
    void shouldPutASwitchInThePlaceOfOneThatIsGoneAndDrainItAsThatWas() {
        act("{'act':'drain','switches':['l2s1'],'congestion':false}");
        fabric.kill("l2s1");
        fabric.calm();
        String drained = client.json("/api/v1/intent").at("/drained/0/since").asText();

        JsonNode plan = plan("{'act':'replace','switches':['l2s1','l2s0']}");
        assertThat(plan.at("/objects")).extracting(JsonNode::asText).containsExactly("l2s1", "l2s0");
        assertThat(plan.at("/cutOff")).as("its only neighbour is drained then").isNotEmpty();
        assertThat(plan.at("/text")).last().extracting(JsonNode::asText).isEqualTo("drained then: l2s0");
        assertThat(apply(plan).statusCode()).isEqualTo(200);

        assertThat(client.json("/api/v1/switches").at("/switches")).hasSize(5);
        assertThat(client.get("/api/v1/switches/l2s1").statusCode()).isEqualTo(404);
        assertThat(event("switch-replaced")).isEqualTo("l2s0 takes the place of l2s1 (ann: scrapped)");
        JsonNode carried = client.json("/api/v1/intent").at("/drained/0");
        assertThat(carried.at("/name").asText()).isEqualTo("l2s0");
        assertThat(carried.at("/by").asText()).isEqualTo("ann");
        assertThat(carried.at("/since").asText()).isEqualTo(drained);
    }

    private static Host adapter(long portGuid, long hostGuid, int port, String name) {
        return new Host(portGuid, hostGuid, port, name);
    }

    private int indexOf(String value, String field) {
        for (JsonNode node : client.json("/api/v1/nodes").at("/nodes")) {
            if (node.get(field).asText().equals(value)) {
                return node.at("/index").asInt();
            }
        }
        return -1;
    }

    /** Both are called after their machine; the old one is the one that is gone. */
    @Test
    void shouldPutAnAdapterInThePlaceOfOneThatIsGone() {
        int index = indexOf("node0", "name");
        fabric.cut("leaf0", 1);
        fabric.adapter("leaf0", 1, adapter(0x9901, 0x9900, 1, "node0"));
        fabric.passTime(60_000);
        fabric.calm();

        JsonNode plan = plan("{'act':'replace','nodes':['node0','node0'],'congestion':false}");
        assertThat(plan.at("/objects/1").asText()).isEqualTo("node0 (0x0000000000009901)");
        assertThat(plan.at("/text"))
                .last()
                .extracting(JsonNode::asText)
                .isEqualTo("node0 (0x0000000000009901) has node index " + index
                        + " then; 16, which it has now, stays unused");
        assertThat(apply(plan).statusCode()).isEqualTo(200);

        JsonNode nodes = client.json("/api/v1/nodes").at("/nodes");
        assertThat(nodes).hasSize(16);
        assertThat(nodes.get(index).at("/guid").asText()).isEqualTo("0x0000000000009901");
        assertThat(event("host-replaced"))
                .startsWith("host port 0x0000000000009901 takes the place of 0x")
                .endsWith(" (node0), node index " + index + " (ann: scrapped)");
        assertThat(post("plans/" + plan.at("/id").asText() + "/renew", "{}").body())
                .contains("has no node index");
    }

    @Test
    void shouldKeepAnIndexForAnAdapterThatComesLater() {
        fabric.cut("leaf0", 1);
        fabric.calm();

        HttpResponse<String> nobody = post("plans", "{'act':'replace','nodes':['node0','0x0']}");
        assertThat(nobody.statusCode()).isEqualTo(409);
        assertThat(nobody.body()).contains("no host port has GUID 0");

        JsonNode plan = plan("{'act':'replace','nodes':['node0','0x9901'],'congestion':false}");
        assertThat(plan.at("/text"))
                .last()
                .extracting(JsonNode::asText)
                .asString()
                .endsWith("; without this it gets one of its own when it comes");
        assertThat(apply(plan).statusCode()).isEqualTo(200);

        assertThat(client.json("/api/v1/alarms").at("/alarms/0/object/peer").asText())
                .isEqualTo("0x0000000000009901");
        assertThat(post("plans", "{'act':'replace','nodes':['node1','0x9902']}").statusCode())
                .isEqualTo(409);
    }

    /** Of two ports of one adapter each one has its own index. */
    @Test
    void shouldReplaceAnAdapterPortByPort() {
        fabric.adapter("leaf0", 1, adapter(0x8801, 0x8800, 1, "old"));
        fabric.adapter("leaf1", 1, adapter(0x8802, 0x8800, 2, "old"));
        int first = indexOf("0x0000000000008801", "guid");
        fabric.cut("leaf0", 1);
        fabric.cut("leaf1", 1);
        fabric.adapter("leaf1", 1, adapter(0x9901, 0x9900, 1, "new"));
        fabric.adapter("leaf0", 1, adapter(0x9902, 0x9900, 2, "new"));
        fabric.passTime(60_000);
        fabric.calm();

        JsonNode plan = plan("{'act':'replace','nodes':['old','0x9900'],'congestion':false}");
        assertThat(plan.at("/objects"))
                .extracting(JsonNode::asText)
                .containsExactly(
                        "old (0x0000000000008801)",
                        "new (0x0000000000009901)",
                        "old (0x0000000000008802)",
                        "new (0x0000000000009902)");
        assertThat(plan.at("/text"))
                .last()
                .extracting(JsonNode::asText)
                .asString()
                .endsWith("it is at leaf0 port 1, the old one was at leaf1 port 1");
        assertThat(apply(plan).statusCode()).isEqualTo(200);
        assertThat(indexOf("0x0000000000009901", "guid")).isEqualTo(first);

        fabric.cut("leaf0", 1);
        assertThat(post("plans", "{'act':'replace','nodes':['new','0x7701']}").statusCode())
                .isEqualTo(200);
        fabric.cut("leaf1", 1);
        assertThat(post("plans", "{'act':'replace','nodes':['new','0x7701']}").body())
                .contains("'new' has ports 1, 2, '0x7701' has 1; give the GUIDs of two ports");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'act':'forget'} | 400 | one kind at a time",
                "{'act':'forget','switches':['l2s1'],'nodes':['node0']} | 400 | one kind at a time",
                "{'act':'forget','links':['leaf0']} | 400 | 'leaf0' is no cable; expected SWITCH:PORT",
                "{'act':'forget','links':['leaf0:x']} | 400 | 'leaf0:x' is no cable",
                "{'act':'forget','links':['leaf0:99']} | 404 | no cable 'leaf0:99'",
                "{'act':'forget','links':['leaf0:1']} | 404 | no cable 'leaf0:1'",
                "{'act':'forget','links':['leaf0:5']} | 409 | the cable is up",
                "{'act':'forget','nodes':['node0']} | 409 | the host is up",
                "{'act':'forget','nodes':['nobody']} | 404 | no host 'nobody'",
                "{'act':'forget','switches':['0x']} | 400 | 0x",
                "{'act':'forget','switches':['0x99']} | 404 | no switch '0x99'",
                "{'act':'forget','switches':['l2s1']} | 409 | l2s1: its agent is connected",
                "{'act':'forget','nodes':null} | 400 | body: expected",
                "{'act':'replace','nodes':['node0','0x99']} | 409 | node0: the host is up",
                "{'act':'replace','nodes':['nobody','0x99']} | 404 | no node 'nobody' has a node index",
                "{'act':'replace','nodes':['0x98','0x99']} | 404 | no node '0x98' has a node index",
                "{'act':'replace','nodes':['node0']} | 400 | or two nodes",
                "{'act':'replace','nodes':['node0'],'switches':['l2s0']} | 400 | or two nodes",
                "{'act':'replace','switches':['l2s1']} | 400 | expected the one that is gone",
                "{'act':'replace','switches':['l2s1','l2s1']} | 409 | l2s1: its agent is connected",
                "{'act':'replace','switches':['l2s9','l2s0']} | 404 | no switch 'l2s9'"
            })
    void shouldSayWhatCannotBePlanned(String body, int status, String text) {
        HttpResponse<String> response = post("plans", body);

        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(response.headers().firstValue("content-type")).hasValue("application/problem+json");
        assertThat(response.body()).contains(text);
    }

    @Test
    void shouldRefuseASwitchOfAnotherLevel() {
        fabric.kill("l2s1");
        fabric.calm();

        assertThat(post("plans", "{'act':'replace','switches':['l2s1','leaf0']}")
                        .body())
                .contains("l2s1 has level 1, leaf0 has level 0");
        assertThat(post("plans", "{'act':'replace','switches':['l2s1','l2s1']}").body())
                .contains("l2s1: a switch does not replace itself");
    }

    @Test
    void shouldRefuseWhatCameBackSinceItWasPlanned() {
        fabric.kill("l2s1");
        fabric.calm();
        JsonNode plan = plan("{'act':'forget','switches':['" + Guid.format(fabric.guid("l2s1")) + "']}");
        fabric.cut("leaf0", 1);
        fabric.cut("leaf0", UPLINK);
        fabric.calm();

        assertThat(apply(plan).body()).contains("not applied, the fabric has moved on since");
        assertThat(client.get("/api/v1/switches/l2s1").statusCode()).isEqualTo(200);
    }
}
