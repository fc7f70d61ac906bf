package io.dmodc.manager.northbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class OpenConnectionsTest {
    private static final int FOREIGN = 3;

    private final OpenConnections connections = new OpenConnections(OpenConnections.OWN_PLACES + FOREIGN, () -> 0);

    private List<Channel> accepted(int count, boolean own) {
        List<Channel> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(new EmbeddedChannel());
            connections.accepted(all.get(i), own);
        }
        return all;
    }

    @Test
    void shouldCloseTheOneThatIsLongestWithoutARequest() {
        List<Channel> open = accepted(FOREIGN, false);
        connections.begun(open.get(0));
        connections.begun(open.get(1));
        connections.ended(open.get(1));

        accepted(1, false);
        assertThat(open).extracting(Channel::isOpen).as("the third never asked").containsExactly(true, true, false);
        accepted(1, false);
        assertThat(open)
                .extracting(Channel::isOpen)
                .as("the second asks no more")
                .containsExactly(true, false, false);
        assertThat(connections.closed()).isEqualTo(2);
    }

    @Test
    void shouldTurnTheNewcomerAwayWhereEachHasARequestUnderWay() {
        List<Channel> open = accepted(FOREIGN, false);
        open.forEach(connections::begun);
        connections.begun(open.get(0));
        connections.ended(open.get(0));

        Channel late = accepted(1, false).get(0);

        assertThat(late.isOpen()).isFalse();
        assertThat(open).allMatch(Channel::isOpen);
        assertThat(connections.closed()).isEqualTo(1);
    }

    @Test
    void shouldLetTheOwnMachineInWhateverOthersDo() {
        List<Channel> others = accepted(FOREIGN, false);
        others.forEach(connections::begun);

        List<Channel> own = accepted(OpenConnections.OWN_PLACES, true);
        assertThat(own).allMatch(Channel::isOpen);
        Channel next = accepted(1, true).get(0);

        assertThat(next.isOpen()).isTrue();
        assertThat(own.get(0).isOpen()).as("its own silent ones make room").isFalse();
        assertThat(others).allMatch(Channel::isOpen);
    }

    @Test
    void shouldHaveRoomAgainWhenConnectionsAreClosed() {
        accepted(FOREIGN, false).forEach(Channel::close);

        List<Channel> next = accepted(FOREIGN, false);

        assertThat(next).allMatch(Channel::isOpen);
        assertThat(connections.closed()).isZero();
    }

    /** What is answered over a connection of its own. */
    private static InputStream asked(int port, String path, List<Socket> sockets) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        sockets.add(socket);
        socket.setSoTimeout(20_000);
        socket.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        return socket.getInputStream();
    }

    /** More than there may be, and a stream of events that was there before them. */
    @Test
    @Timeout(60)
    void shouldAnswerThoughSilentConnectionsTookAllPlaces() throws IOException {
        int silent = NorthboundServer.CONNECTIONS_MAX + 100;
        List<Socket> sockets = new ArrayList<>();
        try (TestFabric fabric = TestFabric.empty("2;2,2;1,2;1,1");
                NorthboundServer server = fabric.serve()) {
            int port = server.localAddress().getPort();
            InputStream events = asked(port, "/api/v1/events/stream", sockets);
            assertThat(events.read()).isEqualTo('H');
            for (int i = 0; i < silent; i++) {
                sockets.add(new Socket(InetAddress.getLoopbackAddress(), port));
            }
            Client early = new Client(server);
            while (early.get("/metrics").body().contains("fabric_rest_connections_closed_total 0.0")) {
                Thread.onSpinWait(); // Not all of them were accepted yet.
            }

            InputStream late = asked(port, "/metrics", sockets);

            assertThat(late.read()).isEqualTo('H');
            assertThat(early.get("/metrics").body().lines()).contains("fabric_event_streams 1.0");
        } finally {
            assertThatCode(() -> {
                        for (Socket socket : sockets) {
                            socket.close();
                        }
                    })
                    .doesNotThrowAnyException();
        }
    }
}
