package io.dmodc.manager.northbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.dmodc.manager.core.LoggedEvent;
import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients that ask for lists and do not read them. */
class UnsentAnswersTest {
    private static final int UNSENT_MAX = 4 << 20;
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofMillis(300);

    /** 1,000 events of 2 kB each: eight such answers are more than the system's buffers of a connection take in. */
    private static final String LIST = "/api/v1/events?limit=1000";

    private static final String QUESTION = "GET " + LIST + " HTTP/1.1\r\nHost: localhost\r\n\r\n";

    private final List<Socket> unread = new ArrayList<>();
    private TestFabric fabric;

    @BeforeEach
    void start() throws IOException {
        fabric = TestFabric.empty("2;2,2;1,2;1,1");
        for (int i = 0; i < 1000; i++) {
            fabric.eventLog.write(new LoggedEvent(
                    0, 7, LoggedEvent.Severity.INFO, LoggedEvent.Kind.LINK_DOWN, 0x2f, "x".repeat(2000)));
        }
    }

    @AfterEach
    void stop() throws IOException {
        hangUp();
        fabric.close();
    }

    private void hangUp() throws IOException {
        for (Socket socket : unread) {
            socket.close();
        }
    }

    private NorthboundServer serve(Duration takenWithin, Duration sentWithin) throws IOException {
        return fabric.serve(new NorthboundServer.Limits(
                Duration.ofSeconds(1), Duration.ofSeconds(15), takenWithin, sentWithin, UNSENT_MAX));
    }

    /** One more connection with as many questions as it can have under way. */
    private Socket ask(NorthboundServer server) throws IOException {
        Socket socket = new Socket();
        unread.add(socket);
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress("127.0.0.1", server.localAddress().getPort()));
        send(socket, QUESTION.repeat(NorthboundServer.STREAMS_MAX));
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void shouldRefuseListsWhileTooMuchOfThemIsNotTaken() throws IOException {
        try (NorthboundServer server = serve(LONG, LONG)) {
            Client client = new Client(server);
            assertThat(client.get(LIST).statusCode()).isEqualTo(200);

            await().untilAsserted(() -> {
                ask(server);
                for (String path : List.of(LIST, "/api/v1/nodes", "/api/v1/plans/00000000")) {
                    HttpResponse<String> refused = client.get(path);
                    assertThat(refused.statusCode()).isEqualTo(503);
                    assertThat(Client.parse(refused.body()).at("/detail").asText())
                            .matches("\\d+ KiB of lists wait for clients that asked for them; ask again");
                    assertThat(refused.headers().firstValue("retry-after")).hasValue("1");
                }
            });
            assertThat(client.get("/api/v1/status").statusCode()).isEqualTo(200);
            assertThat(client.get("/health").statusCode()).isEqualTo(200);

            assertThat(unsent(client)).isGreaterThan(UNSENT_MAX);

            hangUp();

            await().until(() -> unsent(client) == 0);
            await().until(() -> client.get(LIST).statusCode() == 200);
        }
    }

    /** As Prometheus is told. */
    private static double unsent(Client client) {
        return client.get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("fabric_lists_unsent_bytes "))
                .mapToDouble(line -> Double.parseDouble(line.split(" ", 2)[1]))
                .sum();
    }

    @Test
    void shouldCloseTheConnectionOfWhoTakesNothing() throws IOException {
        assumeThat(Epoll.isAvailable()).isTrue();
        try (NorthboundServer server = serve(SHORT, LONG)) {
            Socket socket = ask(server);

            // Whatever comes from there has the kernel begin a new wait.
            await().pollInterval(Duration.ofSeconds(1)).until(() -> isClosed(socket));
        }
    }

    /** The kernel does not see who takes a byte now and then, nor a window of HTTP/2. */
    @Test
    void shouldCloseTheConnectionOfWhoDoesNotTakeAnAnswerInTime() throws IOException {
        try (NorthboundServer server = serve(LONG, SHORT)) {
            Socket socket = ask(server);

            await().until(() -> isClosed(socket));
        }
    }

    /** Empty lines before a request mean nothing. */
    private static boolean isClosed(Socket socket) {
        try {
            send(socket, "\r\n");
            return false;
        } catch (IOException e) {
            return true;
        }
    }
}
