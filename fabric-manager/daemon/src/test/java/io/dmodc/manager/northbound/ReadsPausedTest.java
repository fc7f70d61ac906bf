package io.dmodc.manager.northbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Clients that ask for what the server's library answers by itself, and do not read it: nothing else counts these answers. */
class ReadsPausedTest {
    /** Their answers are several times what the system's buffers of a connection take in. */
    private static final int QUESTIONS = 40_000;

    private static final String QUESTION = "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n";

    @Test
    void shouldReadAgainWhenHalfIsTaken() {
        EmbeddedChannel channel = new EmbeddedChannel();
        ReadsPaused.on(channel);

        channel.write(Unpooled.wrappedBuffer(new byte[16 * 1024]));
        boolean paused = !channel.config().isAutoRead();
        channel.flush();

        assertThat(paused).isTrue();
        assertThat(channel.config().isAutoRead()).isTrue();
        channel.releaseOutbound();
    }

    /** The last thing asked for is one that others can see: a stream of events. */
    @Test
    void shouldReadNoFurtherUntilAnswersAreTaken() throws IOException {
        try (TestFabric fabric = TestFabric.empty("2;2,2;1,2;1,1");
                NorthboundServer server = fabric.serve();
                Socket socket = new Socket()) {
            Client others = new Client(server);
            socket.setReceiveBufferSize(4096);
            socket.setSoTimeout(20_000);
            socket.connect(
                    new InetSocketAddress("127.0.0.1", server.localAddress().getPort()));

            write(socket, QUESTION.repeat(QUESTIONS) + "GET /api/v1/events/stream HTTP/1.1\r\nHost: localhost\r\n\r\n");
            await().pollInterval(Duration.ofMillis(200))
                    .during(Duration.ofSeconds(3))
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> streams(others).equals("fabric_event_streams 0.0"));

            BufferedReader answers =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            int answered = 0;
            String line = answers.readLine();
            while (!line.startsWith("retry: ")) {
                answered += line.equals("HTTP/1.1 200 OK") ? 1 : 0;
                line = Objects.requireNonNull(answers.readLine());
            }
            assertThat(answered).isEqualTo(QUESTIONS + 1);
            assertThat(streams(others)).isEqualTo("fabric_event_streams 1.0");
        }
    }

    private static String streams(Client client) {
        return client.get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("fabric_event_streams "))
                .findFirst()
                .orElse("");
    }

    /** As much as is taken, on a thread of its own. */
    private static void write(Socket socket, String text) {
        Thread writer = new Thread(
                () -> {
                    try {
                        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
                    } catch (IOException e) {
                        // The test is over.
                    }
                },
                "writer");
        writer.setDaemon(true);
        writer.start();
    }
}
