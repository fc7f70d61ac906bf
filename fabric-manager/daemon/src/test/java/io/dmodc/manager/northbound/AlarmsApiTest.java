package io.dmodc.manager.northbound;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What people are told of what is missing, and how they say that it will not come back. */
class AlarmsApiTest {
    private static final int UPLINK = 5;
    private static final String JSON = "application/json";

    private TestFabric fabric;
    private NorthboundServer server;
    private Client client;

    @BeforeEach
    void open() throws IOException {
        fabric = TestFabric.of("2;4,4;1,2;1,1");
        server = fabric.serve();
        client = new Client(server);
    }

    @AfterEach
    void close() {
        server.close();
        fabric.close();
    }

    private JsonNode path(String from, String to) {
        return client.json("/api/v1/path?from=" + from + "&to=" + to);
    }

    @Test
    void shouldNotCallAPathDeliveredThatEndsAtACableThatIsOut() {
        assertThat(path("node15", "node0").at("/delivered").asBoolean()).isTrue();

        fabric.cut("leaf0", 1);

        JsonNode path = path("node15", "node0");
        assertThat(path.at("/delivered").asBoolean()).isFalse();
        assertThat(path.at("/end").asText()).isEqualTo("host node0 at leaf0 port 1 down");
        assertThat(path.at("/hops")).hasSize(3);
        assertThat(path("node0", "node15").at("/end").asText()).isEqualTo("host node0 at leaf0 port 1 down");
        assertThat(path("node15", "node1").at("/delivered").asBoolean()).isTrue();
    }

    @Test
    void shouldNameHostsThatAreDown() {
        fabric.cut("leaf0", 1);
        fabric.cut("leaf3", 2);

        JsonNode status = client.json("/api/v1/status");
        assertThat(status.at("/hosts/expected").asInt()).isEqualTo(16);
        assertThat(status.at("/hosts/live").asInt()).isEqualTo(14);
        assertThat(status.at("/hosts/down").asInt()).isEqualTo(2);
        assertThat(status.at("/hosts/downNames")).extracting(JsonNode::asText).containsExactly("node0", "node13");
        assertThat(status.at("/alarms").asInt()).isEqualTo(2);
        assertThat(status.at("/alarmsBySeverity/warning").asInt()).isEqualTo(2);
        assertThat(client.json("/api/v1/nodes?state=down").at("/nodes"))
                .extracting(node -> node.at("/name").asText())
                .containsExactly("node0", "node13");
        assertThat(client.json("/api/v1/events?kind=host-down")
                        .at("/events/0/peerName")
                        .asText())
                .isEqualTo("node0");
    }

    @Test
    void shouldListAlarmsWithTheirObjectsAndParents() {
        fabric.kill("leaf1");
        fabric.cut("leaf0", UPLINK);

        JsonNode answer = client.json("/api/v1/alarms");
        assertThat(answer.at("/total").asInt()).isEqualTo(1 + 1 + 2 + 4 + 1);
        JsonNode dead = client.json("/api/v1/alarms?kind=switch-dead").at("/alarms/0");
        assertThat(dead.at("/object/switchName").asText()).isEqualTo("leaf1");
        assertThat(dead.has("parent")).isFalse();
        assertThat(client.json("/api/v1/alarms?name=leaf1").at("/alarms"))
                .filteredOn(alarm -> alarm.has("parent"))
                .hasSize(1 + 2 + 4)
                .allSatisfy(alarm -> assertThat(alarm.at("/parent").asLong())
                        .isEqualTo(dead.at("/id").asLong()));
        JsonNode link = client.json("/api/v1/alarms?kind=link-down&name=leaf0").at("/alarms/0");
        assertThat(link.at("/object/type").asText()).isEqualTo("link");
        assertThat(link.at("/object/switchName").asText()).isEqualTo("leaf0");
        assertThat(link.at("/object/port").asInt()).isEqualTo(UPLINK);
        assertThat(link.at("/object/peerName").asText()).isEqualTo("l2s0");
        assertThat(link.at("/object/peerPort").asInt()).isEqualTo(1);
        assertThat(link.at("/severity").asText()).isEqualTo("warning");
        assertThat(client.json("/api/v1/alarms?severity=alarm").at("/alarms")).hasSize(2);
        JsonNode page = client.json("/api/v1/alarms?limit=2");
        assertThat(page.at("/alarms")).hasSize(2);
        assertThat(client.json("/api/v1/alarms?after=" + page.at("/next").asText())
                        .at("/alarms"))
                .hasSize(answer.at("/total").asInt() - 2);
    }

    private HttpResponse<String> post(String path, String type, String body) {
        return client.send(client.request("/api/v1/" + path)
                .header("Content-Type", type)
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    /** What hangs under it is taken care of with it. */
    @Test
    void shouldCountAnAlarmNoMoreThatSomebodyTakesCareOf() {
        fabric.kill("l2s1");
        String id = client.json("/api/v1/alarms?kind=switch-dead")
                .at("/alarms/0/id")
                .asText();
        assertThat(client.json("/api/v1/status").at("/alarms").asInt()).isEqualTo(1);

        assertThat(post("alarms/" + id + "/acknowledge", JSON, "{\"by\":\" ann \",\"why\":\"on its way\"}")
                        .statusCode())
                .isEqualTo(204);

        JsonNode status = client.json("/api/v1/status");
        assertThat(status.at("/alarms").asInt()).isZero();
        assertThat(status.at("/alarmsBySeverity")).isEmpty();
        assertThat(status.at("/acknowledged").asInt()).isEqualTo(1);
        assertThat(client.json("/api/v1/alarms").at("/alarms")).hasSize(1 + 4).allSatisfy(alarm -> {
            assertThat(alarm.at("/acknowledged/by").asText()).isEqualTo("ann");
            assertThat(alarm.at("/acknowledged/why").asText()).isEqualTo("on its way");
        });
        assertThat(client.get("/metrics").body())
                .contains("fabric_alarm{acknowledged=\"true\",kind=\"switch-dead\",object=\"l2s1\"} 1")
                .contains("fabric_alarms{severity=\"alarm\"} 0")
                .contains("fabric_alarms_acknowledged 1");

        assertThat(post("alarms/" + id + "/withdraw", JSON, "{\"by\":\"bob\"}").statusCode())
                .isEqualTo(204);

        assertThat(client.json("/api/v1/status").at("/alarms").asInt()).isEqualTo(1);
        assertThat(post("alarms/" + id + "/withdraw", JSON, "{\"by\":\"bob\"}").body())
                .contains("not withdrawn, it is not acknowledged");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2 | {'by':'ann','why':'x'} | 404 | no open alarm 2",
                "0 | {'by':'ann','why':'x'} | 400 | '0' is no number of an alarm",
                "x | {'by':'ann','why':'x'} | 400 | 'x' is no number of an alarm",
                "1 | {'by':'ann'} | 400 | body: expected",
                "1 | {'by':' ','why':'x'} | 400 | by: expected one line of 1..64 printable characters",
                "1 | {'by':'ann','why':'a\\nb'} | 400 | why: expected one line of 1..200 printable characters",
                "1 | {'by':'ann','why':null} | 400 | body: expected",
                "1 | null | 400 | body: expected",
                "1 | [] | 400 | body: expected"
            })
    void shouldSayWhatCannotBeAcknowledged(String alarm, String body, int status, String text) {
        fabric.cut("leaf0", 1);

        HttpResponse<String> response = post("alarms/" + alarm + "/acknowledge", JSON, body.replace('\'', '"'));

        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(response.body()).contains(text);
        assertThat(client.json("/api/v1/status").at("/alarms").asInt()).isEqualTo(1);
    }

    @Test
    void shouldRefuseAReasonThatIsTooLong() {
        fabric.cut("leaf0", 1);
        String body = "{\"by\":\"ann\",\"why\":\"" + "x".repeat(201) + "\"}";

        assertThat(post("alarms/1/acknowledge", JSON, body).statusCode()).isEqualTo(400);
        assertThat(post("alarms/1/acknowledge", JSON, body.replace("xx", "x")).statusCode())
                .isEqualTo(204);
    }

    @Test
    void shouldAcknowledgeNothingForAPageThatCameFromElsewhere() throws Exception {
        fabric.cut("leaf0", 1);

        try (Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), server.localAddress().getPort())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream()
                    .write(
                            ("POST /api/v1/alarms/1/acknowledge HTTP/1.1\r\nHost: evil.example:7480\r\nConnection: close\r\n"
                                            + "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
                                    .getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 403 ");
        }
        assertThat(client.json("/api/v1/status").at("/alarms").asInt()).isEqualTo(1);
    }
}
