package io.dmodc.ctl.client;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ManagerClientTest {
    /** As when its machine loses power then: the connection looks quiet for hours. */
    @Test
    void shouldNotWaitWithoutEndForTheRestOfAnAnswer() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread manager = new Thread(() -> answerInPart(listener), "manager");
            manager.setDaemon(true);
            manager.start();
            String url = "http://127.0.0.1:" + listener.getLocalPort();
            ManagerClient client = new ManagerClient(url, Duration.ofSeconds(1));

            assertTimeoutPreemptively(
                    Duration.ofSeconds(20),
                    () -> assertThatThrownBy(() -> client.get("status", "epoch"))
                            .isInstanceOf(IOException.class)
                            .hasMessage(url + " did not answer within 1 s"));
        }
    }

    private static void answerInPart(ServerSocket listener) {
        try (Socket socket = listener.accept()) {
            String begun = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
            socket.getOutputStream().write(begun.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            while (socket.getInputStream().read() >= 0) {
                // Until the client has gone.
            }
        } catch (IOException e) {
            // It has.
        }
    }
}
