package io.dmodc.ctl.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class ManagerClientTest {
    /** As when its machine loses power then: the connection looks quiet for hours. */
    @Test
    void shouldNotWaitWithoutEndForTheRestOfAnAnswer() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String url = answered(listener, ManagerClientTest::answerInPart);
            ManagerClient client = new ManagerClient(url, Duration.ofSeconds(1));

            assertTimeoutPreemptively(
                    Duration.ofSeconds(20),
                    () -> assertThatThrownBy(() -> client.get("status", "epoch"))
                            .isInstanceOf(IOException.class)
                            .hasMessage(url + " did not answer within 1 s"));
        }
    }

    @Test
    void shouldNotReadAnAnswerWithoutEndIntoItsMemory() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String url = answered(listener, ManagerClientTest::answerWithoutEnd);
            ManagerClient client = new ManagerClient(url);

            assertThatThrownBy(() -> client.get("status", "epoch"))
                    .isInstanceOf(IOException.class)
                    .hasMessage(url + " does not answer like a fabric manager: longer than 64 MiB");
        }
    }

    @Test
    void shouldAskABusyManagerForABoundedTime() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String url = answered(listener, at -> refuse(at, asked));
            ManagerClient client = new ManagerClient(url, Duration.ofSeconds(1));

            assertThatThrownBy(() -> client.get("status", "epoch"))
                    .isInstanceOf(IOException.class)
                    .hasMessage(url + ": lists wait");
            assertThat(asked).hasValueGreaterThan(1);
        }
    }

    /** Returns where that answers. */
    private static String answered(ServerSocket listener, Consumer<ServerSocket> answer) {
        Thread manager = new Thread(() -> answer.accept(listener), "manager");
        manager.setDaemon(true);
        manager.start();
        return "http://127.0.0.1:" + listener.getLocalPort();
    }

    private static void answerWithoutEnd(ServerSocket listener) {
        try (Socket socket = listener.accept()) {
            socket.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            byte[] more = new byte[1 << 16];
            while (true) {
                socket.getOutputStream().write(more);
            }
        } catch (IOException e) {
            // The client has gone.
        }
    }

    /** Each time it is asked, for ever. */
    private static void refuse(ServerSocket listener, AtomicInteger asked) {
        String body = "{\"detail\":\"lists wait\"}";
        byte[] refusal = ("HTTP/1.1 503 Busy\r\nRetry-After: 0\r\nConnection: close\r\nContent-Length: " + body.length()
                        + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII);
        while (true) {
            try (Socket socket = listener.accept()) {
                asked.incrementAndGet();
                socket.getInputStream().read(new byte[4096]);
                socket.getOutputStream().write(refusal);
            } catch (IOException e) {
                return; // The test is over.
            }
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
