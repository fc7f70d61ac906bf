package io.dmodc.manager.northbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NorthboundServerTest {
    private TestFabric fabric;
    private NorthboundServer server;
    private Client client;

    @BeforeEach
    void start() throws IOException {
        fabric = TestFabric.of("2;2,2;1,2;1,1");
        server = fabric.serve(new NorthboundServer.Limits(
                Duration.ofMillis(300),
                Duration.ofSeconds(15),
                Duration.ofMinutes(1),
                Duration.ofMinutes(5),
                Long.MAX_VALUE));
        client = new Client(server);
    }

    @AfterEach
    void stop() {
        server.close();
        fabric.close();
    }

    @Test
    void shouldBeHealthyWhileTheLoopAnswers() {
        HttpResponse<String> response = client.get("/health");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("{\"health\":\"ok\"}");
    }

    @Test
    void shouldBeUnhealthyWhileTheLoopIsStuck() {
        HttpResponse<String> response = fabric.whileStuck(() -> client.get("/health"));

        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(Client.parse(response.body()).at("/detail").asText())
                .isEqualTo("the manager did not answer within 300 ms");
    }

    @Test
    void shouldAnswerEightRequestsOfAConnectionAtATime() {
        String[] answers = fabric.whileStuck(() -> pipelined(NorthboundServer.STREAMS_MAX + 1));

        assertThat(answers).hasSize(9);
        assertThat(answers)
                .filteredOn(answer -> answer.contains("did not answer within"))
                .hasSize(8);
        assertThat(answers[8])
                .startsWith("503 ")
                .containsIgnoringCase("connection: close")
                .contains("\"8 requests of this connection wait for their answers, or for these to be read\"");
    }

    @Test
    void shouldCloseAConnectionWithAFloodOfRequests() {
        String[] answers = fabric.whileStuck(() -> pipelined(100));

        assertThat(answers).hasSizeLessThan(9);
    }

    /** The answers until the connection is closed. */
    private String[] pipelined(int requests) {
        StringBuilder text = new StringBuilder();
        try (Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), server.localAddress().getPort())) {
            socket.setSoTimeout(10_000);
            String request = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";
            socket.getOutputStream().write(request.repeat(requests).getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            for (int c = in.read(); c >= 0; c = in.read()) {
                text.append((char) c);
            }
        } catch (SocketException e) {
            assertThat(e).as("closed before it was read to its end").hasMessageContaining("reset");
        } catch (IOException e) {
            throw new AssertionError("open after " + text, e);
        }
        return Arrays.stream(text.toString().split("HTTP/1.1 ", -1)).skip(1).toArray(String[]::new);
    }

    @Test
    void shouldAnswer503WhenTheLoopHasEnded() {
        fabric.loop.close();

        HttpResponse<String> response = client.get("/api/v1/status");

        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(Client.parse(response.body()).at("/detail").asText()).isEqualTo("the manager is closed");
    }

    @Test
    void shouldSayInOneLineThatThePortIsTaken() {
        assertThatThrownBy(() -> new NorthboundServer(
                        server.localAddress(),
                        fabric.loop,
                        fabric.congestion,
                        fabric.eventLog,
                        fabric.agents,
                        fabric.planning))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("northbound.listen: cannot listen on ")
                .hasMessageContaining("Address already in use")
                .hasMessageNotContaining("\n");
    }

    @Test
    void shouldExposeMetrics() {
        fabric.kill("leaf1");
        JsonNode epochs = client.json("/api/v1/epochs").at("/epochs");
        long complete = StreamSupport.stream(epochs.spliterator(), false)
                .filter(epoch -> epoch.at("/stage").asText().equals("complete"))
                .count();
        // How many lines a dying leaf writes depends on which of its news meet in one batch.
        JsonNode events = client.json("/api/v1/events").at("/events");
        long alarmNotes = StreamSupport.stream(events.spliterator(), false)
                .filter(event -> event.at("/severity").asText().equals("alarm"))
                .count();

        HttpResponse<String> response = client.get("/metrics");

        assertThat(response.headers().firstValue("content-type").orElseThrow()).startsWith("text/plain; version=0.0.4");
        assertThat(response.body().lines())
                .contains(
                        "fabric_manager_answering 1.0",
                        "fabric_switches_expected 4.0",
                        "fabric_switches{state=\"live\"} 3.0",
                        "fabric_switches{state=\"down\"} 1.0",
                        "fabric_switches{state=\"held\"} 0.0",
                        "fabric_links_expected 4.0",
                        "fabric_links{state=\"live\"} 2.0",
                        "fabric_links{state=\"down\"} 2.0",
                        "fabric_hosts{state=\"live\"} 2.0",
                        "fabric_hosts{state=\"down\"} 2.0",
                        "fabric_alarm{acknowledged=\"false\",kind=\"switch-dead\",object=\"leaf1\"} 1.0",
                        "fabric_agents{state=\"connected\"} 3.0",
                        "fabric_agents{state=\"silent\"} 0.0",
                        "fabric_agents{state=\"flagged\"} 0.0",
                        "fabric_agents{state=\"gone\"} 1.0",
                        "fabric_epoch " + epochs.size() + ".0",
                        "fabric_outstanding 0.0",
                        "fabric_nodes 4.0",
                        "fabric_ports_held_down 0.0",
                        "fabric_link_flaps_total 2.0",
                        "fabric_ring_foreign_sources_total 0.0",
                        "fabric_leaves_cut_off 1.0",
                        "fabric_alarms{severity=\"alarm\"} 1.0",
                        "fabric_alarms{severity=\"warning\"} 0.0",
                        "fabric_drained{kind=\"switch\"} 0.0",
                        "fabric_drained{kind=\"link\"} 0.0",
                        "fabric_drained_safe 0.0",
                        "fabric_paused 0.0",
                        "fabric_moved_entries 0.0",
                        "fabric_loop_queue 0.0",
                        "fabric_lists_unsent_bytes 0.0",
                        "fabric_pushes_total 0.0",
                        "fabric_pushed_bytes_total 0.0",
                        "fabric_refusals_total 0.0",
                        "fabric_epoch_route_seconds_count " + epochs.size(),
                        "fabric_epochs_total{stage=\"complete\"} " + complete + ".0",
                        "fabric_events_total{severity=\"alarm\"} " + alarmNotes + ".0")
                .anyMatch(line -> line.startsWith("fabric_epoch_notice_to_acked_seconds_bucket{le=\"0.01\"}"))
                .anyMatch(line -> line.startsWith("fabric_epoch_check_seconds_sum "))
                .anyMatch(line -> line.startsWith("fabric_epoch_route_seconds_bucket{le=\"120.0\"}"))
                .anyMatch(line -> line.matches("fabric_build_info\\{java=\"\\S+\",version=\"[^\"]+\"} 1"))
                .anyMatch(line -> line.matches("fabric_epoch_since_complete_seconds [0-9.E-]+"))
                .anyMatch(line -> line.startsWith("jvm_memory_used_bytes"));
    }

    @Test
    void shouldAnswerAllReadersWhileTheLoopIsStuck() {
        fabric.cut("leaf0", 3);
        List<String> paths = List.of(
                "/api/v1/status",
                "/api/v1/switches",
                "/api/v1/switches/leaf0",
                "/api/v1/links",
                "/api/v1/nodes",
                "/api/v1/alarms",
                "/api/v1/lft/leaf0",
                "/api/v1/path?from=0&to=3",
                "/api/v1/explain?switch=leaf0&node=3",
                "/api/v1/epochs");
        List<JsonNode> before = paths.stream().map(this::unchanging).toList();

        List<JsonNode> stuck =
                fabric.whileStuck(() -> paths.stream().map(this::unchanging).toList());
        HttpResponse<String> metrics = fabric.whileStuck(() -> client.get("/metrics"));

        assertThat(stuck).isEqualTo(before);
        assertThat(before.get(5).at("/alarms")).hasSize(1);
        assertThat(metrics.body().lines()).contains("fabric_links{state=\"down\"} 1.0", "fabric_manager_answering 1.0");
    }

    private JsonNode unchanging(String path) {
        ObjectNode answer = (ObjectNode) client.json(path);
        answer.remove("uptimeSeconds");
        return answer;
    }

    @Test
    void shouldNotShowOldNumbersWhenTheLoopIsStuckForLong() {
        client.get("/metrics");

        HttpResponse<String> response = fabric.whileStuck(() -> {
            fabric.clockMoves(FabricMetrics.STUCK_SECONDS * 1000 + 1);
            return client.get("/metrics");
        });

        assertThat(response.body().lines()).contains("fabric_manager_answering 0.0", "fabric_epoch NaN");
    }
}
