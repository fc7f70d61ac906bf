package io.dmodc.ctl.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.databind.node.JsonNodeType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpResponse.BodyHandlers;
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
                    () -> assertThatThrownBy(() -> client.get("status", "epoch", JsonNodeType.NUMBER))
                            .isInstanceOf(IOException.class)
                            .hasMessage(url + " did not answer within 1 s"));
        }
    }

    /** As a manager that was stopped, or something else at that address: whoever only asks how things are shall not wait as for a plan. */
    @Test
    void shouldNotWaitForAnAnswerThatDoesNotBeginAsLongAsForItsEnd() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 2, InetAddress.getLoopbackAddress())) {
            String url = "http://127.0.0.1:" + listener.getLocalPort();
            ManagerClient client = new ManagerClient(url, Duration.ofSeconds(1), Duration.ofMinutes(2));

            assertTimeoutPreemptively(Duration.ofSeconds(60), () -> {
                assertThatThrownBy(() -> client.get("status", "epoch", JsonNodeType.NUMBER))
                        .isInstanceOf(IOException.class)
                        .hasMessage(url + " did not answer within 1 s");
                assertThatThrownBy(() -> client.open("events/stream", BodyHandlers.ofString()))
                        .hasMessage(url + " did not answer within 1 s");
            });
        }
    }

    @Test
    void shouldSayWhoClosedTheConnection() throws Exception {
        requireFailure(
                ManagerClientTest::closeAll,
                " closed the connection without an answer; a manager does so when all its connections are in use, and its log tells");
    }

    @Test
    void shouldShowWhatIsNoHttpInPrintableCharacters() throws Exception {
        requireFailure(ManagerClientTest::greet, " ended the connection: Invalid status line: \"?[2JSSH\"");
    }

    @Test
    void shouldNotReadAnAnswerWithoutEndIntoItsMemory() throws Exception {
        requireFailure(
                ManagerClientTest::answerWithoutEnd, " does not answer like a fabric manager: longer than 64 MiB");
    }

    @Test
    void shouldAskABusyManagerForABoundedTime() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String url = answered(listener, at -> refuse(at, asked));
            ManagerClient client = new ManagerClient(url, Duration.ofSeconds(1));

            assertThatThrownBy(() -> client.get("status", "epoch", JsonNodeType.NUMBER))
                    .isInstanceOf(IOException.class)
                    .hasMessage(url + ": lists wait");
            assertThat(asked).hasValueGreaterThan(1);
        }
    }

    /** @param message behind the manager's address */
    private static void requireFailure(Consumer<ServerSocket> answer, String message) throws IOException {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String url = answered(listener, answer);
            ManagerClient client = new ManagerClient(url);

            assertThatThrownBy(() -> client.get("status", "epoch", JsonNodeType.NUMBER))
                    .isInstanceOf(IOException.class)
                    .hasMessage(url + message);
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

    /** As at a bound of connections: the client has hardly connected. */
    private static void closeAll(ServerSocket listener) {
        while (true) {
            try (Socket socket = listener.accept()) {
                socket.setSoLinger(true, 0);
            } catch (IOException e) {
                return; // The test is over.
            }
        }
    }

    private static void greet(ServerSocket listener) {
        try (Socket socket = listener.accept()) {
            socket.getInputStream().read(new byte[4096]);
            socket.getOutputStream().write("\u001b[2JSSH\r\n".getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            // The client has gone.
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
