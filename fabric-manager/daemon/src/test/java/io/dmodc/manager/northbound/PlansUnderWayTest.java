package io.dmodc.manager.northbound;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.loop.HeldPlanning;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A plan of a large fabric takes a minute, and who waits for one asks again. */
class PlansUnderWayTest {
    private static final String DRAIN = "{\"act\":\"drain\",\"switches\":[\"l2s0\"],\"congestion\":false}";
    private static final int REFUSED = 3;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final HeldPlanning held = new HeldPlanning();
    private final BlockingQueue<HttpResponse<String>> answers = new LinkedBlockingQueue<>();
    private TestFabric fabric;
    private NorthboundServer server;
    private Client client;

    @BeforeEach
    void open() throws IOException {
        fabric = TestFabric.of("2;4,4;1,2;1,1");
        server = new NorthboundServer(
                TestFabric.loopback(), fabric.loop, fabric.congestion, fabric.eventLog, fabric.agents, held.planning);
        client = new Client(server);
    }

    @AfterEach
    void close() {
        held.letGo();
        server.close();
        fabric.close();
    }

    @Test
    void shouldAnswerAllElseWhilePlansAreMade() throws Exception {
        List<CompletableFuture<HttpResponse<String>>> asked = new ArrayList<>();
        for (int i = 0; i < 1 + ActsApi.WAITING_MAX + REFUSED; i++) {
            asked.add(http.sendAsync(
                    client.request("/api/v1/plans")
                            .header("Content-Type", "application/json")
                            .POST(BodyPublishers.ofString(DRAIN))
                            .build(),
                    BodyHandlers.ofString()));
        }
        asked.forEach(each -> each.thenAccept(answers::add));
        held.awaitBegun();

        assertThat(client.get("/health").statusCode()).isEqualTo(200);
        assertThat(client.get("/api/v1/status").statusCode()).isEqualTo(200);
        assertThat(client.get("/metrics").statusCode()).isEqualTo(200);
        for (int i = 0; i < REFUSED; i++) {
            assertThat(next().body()).contains("8 plans wait to be made").contains("503");
        }
        held.letGo();
        for (int i = 0; i < 1 + ActsApi.WAITING_MAX; i++) {
            assertThat(next().statusCode()).isEqualTo(200);
        }
    }

    private HttpResponse<String> next() throws InterruptedException {
        HttpResponse<String> answer = answers.poll(20, TimeUnit.SECONDS);
        assertThat(answer).isNotNull();
        return answer;
    }
}
