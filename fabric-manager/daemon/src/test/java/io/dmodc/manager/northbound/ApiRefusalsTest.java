package io.dmodc.manager.northbound;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/** What cannot be answered is said in one line of a problem document, and nothing can be written. */
class ApiRefusalsTest {
    /** Frames of HTTP/2 (RFC 9113, section 6), a flag, and a reason to end a stream. */
    private static final int DATA = 0;

    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int END_HEADERS = 4;
    private static final byte CANCEL = 8;

    private static TestFabric fabric;
    private static NorthboundServer server;
    private static Client client;

    @BeforeAll
    static void start() throws IOException {
        fabric = TestFabric.of("3;2,2,3;1,2,2;1,2,1");
        server = fabric.serve();
        client = new Client(server);
    }

    @AfterAll
    static void stop() {
        server.close();
        fabric.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "400 | /switches?condition=sad    | condition: 'sad' is none of connected, headless, dead, unattached",
                "400 | /switches?colour=red       | unknown parameter 'colour'; expected after, condition, leaf, limit, name, rank, state",
                "400 | /switches?state=dead&condition=dead | parameters 'state' and 'condition' say the same; give one",
                "400 | /switches?rank=-1          | rank: '-1' is not a whole number in 0..1000",
                "400 | /switches?limit=10001      | limit: '10001' is not a whole number in 1..10000",
                "400 | /switches?after=leaf0      | 'leaf0' is not a GUID; expected 0x and up to 16 hexadecimal digits",
                "404 | /nodes?leaf=leaf99         | no switch 'leaf99'",
                "400 | /links?after=3             | after: '3' is not a place in the list; expected what an answer had as 'next'",
                "400 | /links?state=dead          | state: 'dead' is none of live, down, held, drained",
                "400 | /events?since=yesterday    | since: 'yesterday' is not a time; expected one like 2026-01-01T02:40:00Z",
                "400 | /events?severity=bad       | severity: 'bad' is none of info, warning, alarm",
                "400 | /status?x=1                | unknown parameter 'x'; expected none",
                "404 | /switches/leaf99           | no switch 'leaf99'",
                "400 | /switches/0xleaf           | '0xleaf' is not a GUID; expected 0x and up to 16 hexadecimal digits",
                "404 | /switches/0x1              | no switch 0x0000000000000001",
                "404 | /lft/0x1                   | no switch 0x0000000000000001",
                "400 | /links?live=maybe          | live: 'maybe' is neither true nor false",
                "400 | /events?limit=0            | limit: '0' is not a whole number in 1..1000",
                "400 | /events?after=1&after=2    | parameter 'after' is there more than once",
                "400 | /path?from=0               | parameter 'to' is missing",
                "404 | /path?from=0&to=12         | no node with index 12",
                "404 | /path?from=0&to=0xdead     | no node '0xdead'; an index, 0x… GUID or name is expected",
                "404 | /path?from=nobody&to=1     | no node 'nobody'; an index, 0x… GUID or name is expected",
                "400 | /path?from=0xno&to=1       | '0xno' is not a GUID; expected 0x and up to 16 hexadecimal digits",
                "400 | /explain?switch=leaf0      | parameter 'node' is missing",
                "404 | /explain?switch=x&node=0   | no switch 'x'",
                "404 | /explain?switch=leaf0&node=x | no node 'x'; an index, 0x… GUID or name is expected",
                "400 | /intent?x=1                | unknown parameter 'x'; expected none",
                "404 | /plans/0badcafe            | no plan 0badcafe",
                "400 | /plans/0badcafe?x=1        | unknown parameter 'x'; expected none",
                "404 | /nothing                   | /api/v1/nothing does not exist; see /api/v1/openapi.yaml for what does"
            })
    void shouldRefuseInOneLine(int status, String path, String error) {
        HttpResponse<String> response = client.get("/api/v1" + path);

        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(response.headers().firstValue("content-type")).hasValue("application/problem+json");
        assertThat(Client.parse(response.body()).at("/detail").asText()).isEqualTo(error);
    }

    @Test
    void shouldOnlyBeRead() {
        HttpResponse<String> response =
                client.send(client.request("/api/v1/status").POST(BodyPublishers.ofString("{}")));

        assertThat(response.statusCode()).isEqualTo(405);
        assertThat(Client.parse(response.body()).at("/detail").asText())
                .isEqualTo("/api/v1/status can only be asked with GET or HEAD");
        assertThat(response.headers().firstValue("allow")).hasValue("GET, HEAD");
    }

    /** Whoever sends it is told; a line with a stack for each connection would fill the log. */
    @ParameterizedTest
    @CsvSource({
        "ffffffffffffffffff, First received frame was not SETTINGS",
        "00000004000000000000000403000000000100000000, Stream 1 does not exist",
        "000000040000000000000005010500000001ffffffffff, HPACK"
    })
    void shouldLogNothingOfAClientThatSpeaksHttp2Badly(String frames, String told) throws IOException {
        assertThat(loggedDuring(socket -> {
                    socket.getOutputStream().write(HexFormat.of().parseHex(frames));

                    String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);

                    assertThat(answer).contains(told);
                }))
                .isEmpty();
    }

    @Test
    void shouldLogNothingOfAClientThatGoesAwayBeforeAllOfItsRequestIsSent() throws IOException {
        byte[] headers =
                "\203\206\4\r/api/v1/pause\1\tlocalhost\17\20\20application/json".getBytes(StandardCharsets.ISO_8859_1);

        assertThat(loggedDuring(socket -> {
                    send(socket, SETTINGS, 0, 0, new byte[0]);
                    send(socket, HEADERS, END_HEADERS, 1, headers);
                    send(socket, DATA, 0, 1, new byte[] {'{'});
                    send(socket, RST_STREAM, 0, 1, new byte[] {0, 0, 0, CANCEL});
                    // What the end of the stream leaves to be done is done once what comes behind the answer is read.
                    for (String ping : List.of("1st ping", "2nd ping")) {
                        send(socket, PING, 0, 0, ping.getBytes(StandardCharsets.US_ASCII));
                        StringBuilder answers = new StringBuilder();
                        while (answers.indexOf(ping) < 0) {
                            answers.append((char) socket.getInputStream().read());
                        }
                    }
                }))
                .isEmpty();
    }

    private static void send(Socket socket, int type, int flags, int stream, byte[] payload) throws IOException {
        socket.getOutputStream()
                .write(ByteBuffer.allocate(9 + payload.length)
                        .putShort((short) 0)
                        .put((byte) payload.length)
                        .put((byte) type)
                        .put((byte) flags)
                        .putInt(stream)
                        .put(payload)
                        .array());
    }

    /** What a client does with a connection for HTTP/2. */
    private interface Http2Client {
        void speak(Socket socket) throws IOException;
    }

    private static List<ILoggingEvent> loggedDuring(Http2Client client) throws IOException {
        Logger all = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        logged.start();
        all.addAppender(logged);
        try (Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), server.localAddress().getPort())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            client.speak(socket);
            return logged.list;
        } finally {
            all.detachAppender(logged);
        }
    }
}
