package io.dmodc.manager.northbound;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.LoggedEvent;
import io.dmodc.manager.loop.EventLog;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EventStreamsTest {
    private TestFabric fabric;
    private NorthboundServer server;
    private Client client;

    @BeforeEach
    void start() throws IOException {
        fabric = TestFabric.empty("2;2,2;1,2;1,1");
        server = fabric.serve();
        client = new Client(server);
    }

    @AfterEach
    void stop() {
        server.close();
        fabric.close();
    }

    private void write(int count) {
        for (int i = 0; i < count; i++) {
            fabric.eventLog.write(new LoggedEvent(
                    0, 7, LoggedEvent.Severity.WARNING, LoggedEvent.Kind.LINK_DOWN, 0x2f, "note \"" + i + "\""));
        }
    }

    private Iterator<String> open(String path, String... headers) {
        var request = client.request(path);
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        HttpResponse<Stream<String>> response = client.lines(request);
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("content-type")).hasValue("text/event-stream");
        return response.body().iterator();
    }

    /** The next lines that begin with this word, without it. */
    private static List<String> next(Iterator<String> lines, String word, int count) {
        List<String> found = new ArrayList<>();
        while (found.size() < count && lines.hasNext()) {
            String line = lines.next();
            if (line.startsWith(word)) {
                found.add(line.substring(word.length()));
            }
        }
        return found;
    }

    @Test
    void shouldTellWhatHappensFromNowOn() {
        write(3);
        Iterator<String> lines = open("/api/v1/events/stream");

        write(2);

        assertThat(next(lines, "id: ", 1)).containsExactly("4");
        assertThat(next(lines, "event: ", 1)).containsExactly("note");
        String data = next(lines, "data: ", 1).get(0);
        assertThat(Client.parse(data).at("/text").asText()).isEqualTo("note \"0\"");
        assertThat(Client.parse(data).at("/guid").asText()).isEqualTo("0x000000000000002f");
        assertThat(next(lines, "id: ", 1)).containsExactly("5");
    }

    @Test
    void shouldGiveALongHistoryInOrderAndWithoutGaps() {
        write(1000);

        List<String> ids = next(open("/api/v1/events/stream?after=100"), "id: ", 900);

        for (int i = 0; i < ids.size(); i++) {
            assertThat(ids.get(i)).isEqualTo(String.valueOf(101 + i));
        }
        assertThat(ids).hasSize(900);
    }

    @Test
    void shouldGoOnWhereABrowserLostItsConnection() {
        write(10);

        Iterator<String> lines = open("/api/v1/events/stream?after=2", "Last-Event-ID", "8");

        assertThat(next(lines, "id: ", 2)).containsExactly("9", "10");
    }

    @Test
    void shouldStartOverAfterARestartOfTheManager() {
        write(2);

        Iterator<String> lines = open("/api/v1/events/stream", "Last-Event-ID", "1371");

        assertThat(next(lines, "event: ", 1)).containsExactly("started-over");
        assertThat(next(lines, "id: ", 2)).containsExactly("1", "2");
    }

    @Test
    void shouldStreamOnThePlainPathWhenAskedByHeader() {
        write(1);

        Iterator<String> lines = open("/api/v1/events?after=0", "Accept", "text/event-stream");

        assertThat(next(lines, "id: ", 1)).containsExactly("1");
    }

    @Test
    void shouldSayHowManyEventsWereLost() {
        write(EventLog.KEPT + 50);

        Iterator<String> lines = open("/api/v1/events/stream?after=0");

        assertThat(next(lines, "event: ", 1)).containsExactly("lost");
        assertThat(next(lines, "data: ", 1)).containsExactly("{\"count\":50}");
        assertThat(next(lines, "id: ", 1)).containsExactly("51");
    }

    @Test
    void shouldShowSignsOfLifeWhenNothingHappens() throws IOException {
        try (NorthboundServer restless = fabric.serve(new NorthboundServer.Limits(
                Duration.ofSeconds(1),
                Duration.ofMillis(10),
                Duration.ofMinutes(1),
                Duration.ofMinutes(5),
                Long.MAX_VALUE))) {
            Client listening = new Client(restless);
            Iterator<String> lines = listening
                    .lines(listening.request("/api/v1/events/stream"))
                    .body()
                    .iterator();

            assertThat(next(lines, ": ", 2)).containsExactly("still here", "still here");
        }
    }

    @Test
    void shouldRefuseMoreSubscribersThanItsBound() {
        List<Iterator<String>> streams = new ArrayList<>();
        for (int i = 0; i < EventStreams.SUBSCRIBERS_MAX; i++) {
            streams.add(open("/api/v1/events/stream"));
        }

        HttpResponse<String> refused = client.get("/api/v1/events/stream");

        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(Client.parse(refused.body()).at("/detail").asText()).isEqualTo("all 64 event streams are taken");
        assertThat(streams).hasSize(EventStreams.SUBSCRIBERS_MAX);
    }

    /** Nobody reads while more than the log keeps is written: no writer waits, and each is told what it missed. */
    @Test
    void shouldServeAllSubscribersThatAreSlow() throws IOException {
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < EventStreams.SUBSCRIBERS_MAX; i++) {
                Socket socket = new Socket(
                        InetAddress.getLoopbackAddress(), server.localAddress().getPort());
                slow.add(socket);
                socket.getOutputStream()
                        .write("GET /api/v1/events/stream?after=0 HTTP/1.1\r\nHost: x\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII));
            }
            write(EventLog.KEPT + 5_000);
            long last = eventLog().lastNumber();

            // The others never read at all.
            for (Socket socket : slow.subList(56, slow.size())) {
                socket.setSoTimeout(20_000);
                assertThat(accounted(socket, last)).isEqualTo(last);
            }
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    private EventLog eventLog() {
        return fabric.eventLog;
    }

    /** Events that came, in order, and those told to be lost, together: up to number {@code last}. */
    private static long accounted(Socket socket, long last) throws IOException {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        long seen = 0;
        long counted = 0;
        boolean lost = false;
        while (seen < last) {
            String line = Objects.requireNonNull(lines.readLine());
            if (line.startsWith("id: ")) {
                long id = Long.parseLong(line.substring(4));
                counted++;
                assertThat(id).isEqualTo(counted);
                seen = id;
            }
            if (lost && line.startsWith("data: ")) {
                counted += Client.parse(line.substring(6)).at("/count").asLong();
            }
            lost = line.equals("event: lost");
        }
        return counted;
    }

    @Test
    void shouldGiveAPlaceBackWhenASubscriberLeaves() {
        List<HttpResponse<Stream<String>>> streams = new ArrayList<>();
        for (int i = 0; i < EventStreams.SUBSCRIBERS_MAX; i++) {
            streams.add(client.lines(client.request("/api/v1/events/stream")));
        }

        streams.forEach(stream -> stream.body().close());

        // The server hears of it some time later.
        long end = System.nanoTime() + 30_000_000_000L;
        int status = 503;
        while (status != 200 && System.nanoTime() < end) {
            status = client.lines(client.request("/api/v1/events/stream")).statusCode();
        }
        assertThat(status).isEqualTo(200);
    }

    /** HTTP/2 lets it: the connection is fine, and what is sent on a stream waits for a window that never opens. */
    @Test
    void shouldEndTheStreamOfWhoHasHttp2KeepEventsBack() throws IOException {
        try (NorthboundServer strict = fabric.serve(new NorthboundServer.Limits(
                        Duration.ofSeconds(1),
                        Duration.ofMillis(10),
                        Duration.ofMillis(500),
                        Duration.ofMinutes(5),
                        Long.MAX_VALUE));
                Socket socket = new Socket(
                        InetAddress.getLoopbackAddress(), strict.localAddress().getPort())) {
            Client taking = new Client(strict);
            Iterator<String> taken =
                    taking.lines(taking.request("/api/v1/events/stream")).body().iterator();
            socket.setSoTimeout(20_000);
            Http2Frames frames = new Http2Frames(socket);

            frames.begin(0);
            frames.get(1, "/api/v1/events/stream");

            assertThat(frames.awaitReset()).isEqualTo(1);
            assertThat(next(taken, ": ", 2)).containsExactly("still here", "still here");
            assertThat(taking.get("/metrics").body().lines()).contains("fabric_event_streams 1.0");
        }
    }

    @Test
    void shouldEndStreamsWhenTheServerCloses() {
        Iterator<String> lines = open("/api/v1/events/stream");

        server.close();

        assertThat(next(lines, "id: ", 1)).isEmpty();
    }
}
