package io.dmodc.southbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.dmodc.southbound.proto.Addresses;
import io.dmodc.southbound.proto.AgentFrame;
import io.dmodc.southbound.proto.Destination;
import io.dmodc.southbound.proto.Destinations;
import io.dmodc.southbound.proto.FaultAck;
import io.dmodc.southbound.proto.Hello;
import io.dmodc.southbound.proto.KeepAlive;
import io.dmodc.southbound.proto.ManagerFrame;
import io.dmodc.southbound.proto.PortQuery;
import io.dmodc.southbound.proto.PortReport;
import io.dmodc.southbound.proto.PortSetTable;
import io.dmodc.southbound.proto.PortTable;
import io.dmodc.southbound.proto.TableAck;
import io.dmodc.southbound.proto.TablePush;
import io.dmodc.southbound.proto.TableRefusal;
import io.dmodc.southbound.proto.Welcome;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two readers of docs/southbound-protocol.md that share no code agree: this one, and {@code src/test/python/agent.py}, whose manager
 * is played here and says what a real one hardly ever does. What the protocol leaves to agents is in
 * {@code agent_with_destinations.py}.
 */
class PythonAgentFramesTest {
    private static final Path SCRIPTS = Path.of("../../src/test/python");
    private static final String AGENT = "agent.py";
    private static final String WITH_DESTINATIONS = "agent_with_destinations.py";
    private static final int PATIENCE_MILLIS = 60_000;
    private static final String CABLES = """
            {"hello": {"protocol_min": 2, "protocol_max": 2, "switch_guid": "16", "name": "leaf0", "port_count": 3},
             "ports": [
              {"number": 1, "up": true,
               "host_neighbour": {"port_guid": "160", "name": "n0", "addresses": {"lid": 7, "mac": "AgAAAAAH"}}},
              {"number": 3, "up": false, "switch_neighbour": {"guid": "32", "port": 9}}]}
            """;

    private static final Pattern RESULT = Pattern.compile("^result has digest 0x([0-9a-f]{16}), meant");

    @TempDir
    private Path directory = Path.of("");

    private ServerSocket server;
    private @Nullable Process agent;
    private Socket socket = new Socket();
    private DataInputStream in = new DataInputStream(InputStream.nullInputStream());
    private DataOutputStream out = new DataOutputStream(OutputStream.nullOutputStream());
    private long fabricEpoch;

    @BeforeAll
    static void needPython() throws InterruptedException {
        boolean there;
        try {
            there = new ProcessBuilder("python3", "--version").start().waitFor() == 0;
        } catch (IOException e) {
            there = false;
        }
        assumeTrue(there, "python3 is not installed: no agent in another language, skipped");
    }

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        server.setSoTimeout(PATIENCE_MILLIS);
    }

    /** In clear text, with a second at most between its sessions. */
    private void start(String script) throws IOException {
        Path cables = Files.writeString(directory.resolve("cables.json"), CABLES);
        List<String> command = List.of(
                "python3",
                "-uB",
                SCRIPTS.resolve(script).toString(),
                cables.toString(),
                directory.resolve("table").toString(),
                "127.0.0.1:" + server.getLocalPort(),
                "",
                "1");
        agent = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
    }

    @AfterEach
    void stop() throws IOException {
        if (agent != null) {
            agent.destroyForcibly().onExit().join();
        }
        socket.close();
        server.close();
    }

    /** What the agent wrote, for the message of a test that fails. */
    private String log() {
        try {
            return Files.readString(directory.resolve("log"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Waits for the agent, welcomes it and takes its first report; returns its Hello. */
    private Hello welcome() throws IOException {
        socket = server.accept();
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(socket.getInputStream());
        out = new DataOutputStream(socket.getOutputStream());
        Hello hello = hears().getHello();
        assertThat(HelloCheck.refusal(hello)).isEmpty();
        says(ManagerFrame.newBuilder()
                .setWelcome(Welcome.newBuilder()
                        .setProtocol(2)
                        .setLeaderEpoch(1)
                        .setKeepAliveMillis(60_000)
                        .setMaxFrameBytes(SouthboundProtocol.MAX_FRAME_BYTES)));
        PortReport report = hears().getPortReport();
        assertThat(ReportCheck.refusal(report, 0x10, 3, 0)).isEmpty();
        assertThat(report.getComplete()).isTrue();
        return hello;
    }

    private void says(ManagerFrame.Builder frame) throws IOException {
        says(frame.build().toByteArray());
    }

    private void says(byte[] body) throws IOException {
        out.write(ByteBuffer.allocate(4 + body.length)
                .putInt(body.length)
                .put(body)
                .array());
    }

    private AgentFrame hears() throws IOException {
        byte[] body = new byte[in.readInt()];
        in.readFully(body);
        return AgentFrame.parseFrom(body);
    }

    private AgentFrame pushes(PortTable table) throws IOException {
        says(ManagerFrame.newBuilder().setTablePush(TableCodec.push(new TableVersion(1, ++fabricEpoch), table)));
        return hears();
    }

    private void awaitsEnd() throws IOException {
        assertThat(in.read()).as(this::log).isEqualTo(-1);
        socket.close();
    }

    /** Nothing else comes before the answer. */
    private void stillServes() throws IOException {
        says(ManagerFrame.newBuilder().setPortQuery(PortQuery.newBuilder().addPorts(3)));
        assertThat(hears().getPortReport().getPortsCount()).as(this::log).isEqualTo(1);
    }

    private static int[] changed(byte[] before, byte[] after) {
        byte[] same = Arrays.copyOf(before, after.length);
        Arrays.fill(same, Math.min(before.length, after.length), after.length, (byte) 255);
        return IntStream.range(0, TableCodec.blockCount(after.length))
                .filter(block -> !Arrays.equals(
                        same,
                        64 * block,
                        Math.min(64 * block + 64, after.length),
                        after,
                        64 * block,
                        Math.min(64 * block + 64, after.length)))
                .toArray();
    }

    /** The row with some stretches of something else in it, as it was before. */
    private static byte[] damaged(Random random, byte[] table) {
        byte[] damaged = Arrays.copyOf(table, random.nextBoolean() ? table.length : random.nextInt(3000));
        for (int i = random.nextInt(6); i > 0 && damaged.length > 0; i--) {
            int from = random.nextInt(damaged.length);
            Arrays.fill(damaged, from, Math.min(damaged.length, from + random.nextInt(300)), (byte) 77);
        }
        return damaged;
    }

    private static PortTable whole(RowOfRuns row) {
        byte[] table = row.expand();
        return row.tell(RunEncoder.complete(table.length, TableDigest.of(table)))
                .table();
    }

    private static PortTable difference(RowOfRuns row, byte[] before) {
        byte[] after = row.expand();
        int[] blocks = changed(before, after);
        return row.tell(
                        RunEncoder.difference(after.length, blocks, TableDigest.of(before), TableDigest.of(after)),
                        blocks)
                .table();
    }

    private static PortTable raw(byte[] table) {
        PortTable like = PortTable.newBuilder()
                .setEntryCount(table.length)
                .setComplete(true)
                .setResultDigest(TableDigest.of(table))
                .build();
        return RawPush.of(
                like,
                table,
                IntStream.range(0, TableCodec.blockCount(table.length)).toArray());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldBothMakeTheSameTableOfEachPush(long seed) throws IOException {
        start(AGENT);
        welcome();
        Random random = new Random(seed);
        for (int round = 0; round < 80; round++) {
            RowOfRuns row = RowOfRuns.random(random, random.nextInt(round % 20 == 0 ? 70_000 : 3000));
            byte[] table = row.expand();
            byte[] before = damaged(random, table);

            for (PortTable push : List.of(raw(before), difference(row, before), whole(row))) {
                assertThat(pushes(push).getTableAck())
                        .as(this::log)
                        .isEqualTo(TableAck.newBuilder()
                                .setLeaderEpoch(1)
                                .setFabricEpoch(fabricEpoch)
                                .setDigest(push.getResultDigest())
                                .build());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldBothRefuseTheSameDamagedPushes(long seed) throws IOException {
        start(AGENT);
        welcome();
        Random random = new Random(seed);
        byte[] present = new byte[0];
        int[] seen = new int[TableRefusal.Reason.TOO_LARGE_VALUE + 1];
        for (int round = 0; round < 600; round++) {
            RowOfRuns row = RowOfRuns.random(random, 1 + random.nextInt(400));
            PortTable good = random.nextBoolean() ? whole(row) : difference(row, present);
            PortTable push = damaged(random, good, present);
            TableRefusal.Reason reason = TableRefusal.Reason.REASON_UNSPECIFIED;
            try {
                present = TableCodec.apply(push, present);
            } catch (TableRefusedException e) {
                reason = e.reason();
            }

            AgentFrame answer = pushes(push);

            assertThat(answer.getTableRefusal().getReason())
                    .as(() -> push + log())
                    .isEqualTo(reason);
            long digest = answer.hasTableAck()
                    ? answer.getTableAck().getDigest()
                    : answer.getTableRefusal().getTable().getDigest();
            assertThat(digest).as(this::log).isEqualTo(TableDigest.of(present));
            seen[reason.getNumber()]++;
        }
        // Enough of each for the comparison to mean something.
        assertThat(seen[0]).isGreaterThan(50);
        assertThat(seen[TableRefusal.Reason.BASE_MISMATCH_VALUE]).isPositive();
        assertThat(seen[TableRefusal.Reason.DIGEST_MISMATCH_VALUE]).isGreaterThan(20);
        assertThat(seen[TableRefusal.Reason.MALFORMED_VALUE]).isGreaterThan(20);
    }

    @Test
    void shouldRefuseTurnsAndKeepItsRoutes() throws IOException {
        start(AGENT);
        welcome();
        byte[] routes = {1, 3, (byte) 255};
        pushes(raw(routes));
        PortTable turns = raw(TurnTableTest.leaf(2));

        says(ManagerFrame.newBuilder()
                .setTablePush(TableCodec.push(new TableVersion(1, ++fabricEpoch), TableKind.TURNS, turns)));

        TableRefusal refusal = hears().getTableRefusal();
        assertThat(refusal.getReason()).as(this::log).isEqualTo(TableRefusal.Reason.UNSUPPORTED);
        assertThat(refusal.getText()).isEqualTo("the switch does not forward by input class");
        assertThat(refusal.getTable().getDigest()).isEqualTo(TableDigest.of(routes));
        stillServes();
    }

    /** With a few other bytes and, where that leaves a table, mostly the digest of that one. What is there twice is there once. */
    private static PortTable damaged(Random random, PortTable push, byte[] present) {
        byte[] bytes = push.toByteArray();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(random.nextBoolean() ? 8 : 256);
        }
        PortTable damaged;
        try {
            damaged = PortTable.parseFrom(bytes);
        } catch (InvalidProtocolBufferException e) {
            return push;
        }
        try {
            TableCodec.apply(damaged, present);
        } catch (TableRefusedException e) {
            Matcher result = RESULT.matcher(String.valueOf(e.getMessage()));
            if (result.find() && random.nextInt(3) > 0) {
                return damaged.toBuilder()
                        .setResultDigest(Long.parseUnsignedLong(result.group(1), 16))
                        .build();
            }
        }
        return damaged;
    }

    private static Destination destination(Random random, int index) {
        Destination.Builder destination = Destination.newBuilder()
                .setIndex(index)
                .setPortGuid(1 + random.nextLong(Long.MAX_VALUE))
                .setName("knoten-äöü-" + "x".repeat(random.nextInt(50)));
        Addresses.Builder addresses = Addresses.newBuilder().setLid(random.nextInt(49_152));
        if (random.nextBoolean()) {
            addresses.setIpv4(bytes(random, 4)).setMac(bytes(random, 6));
        }
        if (random.nextBoolean()) {
            addresses.setIpv6(bytes(random, 16));
        }
        return random.nextInt(4) == 0
                ? destination.build()
                : destination.setAddresses(addresses).build();
    }

    private static ByteString bytes(Random random, int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return ByteString.copyFrom(bytes);
    }

    /** The destinations of the whole, by index, and how they are told. */
    private final Map<Integer, Destination> held = new TreeMap<>();

    private long digest() {
        return held.values().stream().mapToLong(DestinationDigest::of).sum();
    }

    private void tells(boolean complete, long base, List<Destination> changed, int perFrame) throws IOException {
        for (int from = 0; from == 0 || from < changed.size(); from += perFrame) {
            int to = Math.min(changed.size(), from + perFrame);
            says(ManagerFrame.newBuilder()
                    .setDestinations(Destinations.newBuilder()
                            .setFabricEpoch(5)
                            .setComplete(complete)
                            .setBaseDigest(complete ? 0 : base)
                            .setResultDigest(digest())
                            .addAllChanged(changed.subList(from, to))
                            .setMore(to < changed.size())));
            if (to < changed.size()) {
                says(ManagerFrame.newBuilder().setKeepAlive(KeepAlive.getDefaultInstance()));
                says(ManagerFrame.newBuilder().setFaultAck(FaultAck.newBuilder().setSequence(3)));
                says(new byte[] {0x1a, 3, 'n', 'o', '!'}); // a Membership, which does not concern it, and is none
            }
        }
    }

    @Test
    void shouldHoldWhatItWasToldOverManyFramesAndSessions() throws IOException {
        start(WITH_DESTINATIONS);
        Random random = new Random(7);
        Hello first = welcome();
        assertThat(first.getDestinations()).isTrue();
        assertThat(first.getDestinationsDigest()).isZero();
        IntStream.range(0, 9000).filter(i -> i % 5 != 0).forEach(i -> held.put(i, destination(random, i)));
        tells(true, 0, List.copyOf(held.values()), 2048);
        stillServes();

        for (int round = 0; round < 5; round++) {
            long base = digest();
            Map<Integer, Destination> changed = new TreeMap<>();
            for (int i = random.nextInt(400); i >= 0; i--) {
                int index = random.nextInt(9500);
                changed.put(index, destination(random, index));
            }
            held.putAll(changed);
            tells(false, base, List.copyOf(changed.values()), 100);
            stillServes();
        }
        pushes(raw(new byte[] {4, 4, (byte) 255}));

        socket.close();
        Hello second = welcome();
        assertThat(second.getDestinationsDigest()).isEqualTo(digest());
        assertThat(second.getTable().getEntryCount()).isEqualTo(3);
        assertThat(second.getTable().getDigest()).isEqualTo(TableDigest.of(new byte[] {4, 4, (byte) 255}));
        assertThat(Files.readAllLines(directory.resolve("table")))
                .satisfiesExactly(
                        line -> assertThat(line).isEqualTo("0 4 - -"),
                        line -> assertThat(line)
                                .startsWith("1 4 0x%016x ".formatted(at(1).getPortGuid()))
                                .endsWith(" " + at(1).getName() + " -"),
                        line -> assertThat(line)
                                .startsWith("2 - 0x%016x ".formatted(at(2).getPortGuid()))
                                .endsWith(" " + at(2).getName() + " -"));
    }

    private Destination at(int index) {
        return Objects.requireNonNull(held.get(index));
    }

    private static Alternatives randomAlternatives(Random random) {
        Alternatives.Builder builder = new Alternatives.Builder(random.nextLong());
        int end = 0;
        for (int runs = random.nextInt(40); runs > 0; runs--) {
            byte[] ports = new byte[random.nextInt(6)];
            for (int i = 0, port = 0; i < ports.length; i++) {
                port += 1 + random.nextInt(50);
                ports[i] = (byte) port;
            }
            end += 1 + random.nextInt(100);
            builder.run(end, ports);
        }
        return builder.build();
    }

    private void tells(PortSetTable alternatives) throws IOException {
        says(ManagerFrame.newBuilder().setTablePush(TableCodec.push(new TableVersion(1, fabricEpoch), alternatives)));
    }

    @Test
    void shouldHoldTheAlternativesItWasToldAndDropThoseThatDoNotFit() throws IOException {
        start(WITH_DESTINATIONS);
        Random random = new Random(9);
        assertThat(welcome().getAlternatives()).isTrue();
        Alternatives present = randomAlternatives(random);
        tells(AlternativesCodec.whole(present));
        for (int round = 0; round < 60; round++) {
            Alternatives next = randomAlternatives(random);
            tells(AlternativesCodec.difference(present, next));
            present = next;
        }
        tells(AlternativesCodec.difference(
                present,
                new Alternatives.Builder(5)
                        .run(2, new byte[] {1, 3})
                        .run(4, new byte[0])
                        .build()));
        present = new Alternatives.Builder(5)
                .run(2, new byte[] {1, 3})
                .run(4, new byte[0])
                .build();
        stillServes();
        pushes(raw(new byte[] {1, 3, 2, 1}));
        assertThat(Files.readAllLines(directory.resolve("table")))
                .containsExactly("0 1 - 1,3", "1 3 - 1,3", "2 2 - -", "3 1 - -");

        socket.close();
        assertThat(welcome().getAlternativesDigest()).isEqualTo(present.digest());
        tells(AlternativesCodec.difference(randomAlternatives(random), present));
        awaitsEnd();
        assertThat(welcome().getAlternativesDigest()).as(this::log).isZero();
    }

    @Test
    void shouldAskForAllDestinationsAfterOnesThatDoNotFit() throws IOException {
        start(WITH_DESTINATIONS);
        Random random = new Random(8);
        IntStream.range(0, 10).forEach(i -> held.put(i, destination(random, i)));
        List<Destination> all = List.copyOf(held.values());
        List<Destination> reversed = List.of(all.get(1), all.get(0));
        List<Destination> without =
                List.of(all.get(3).toBuilder().setPortGuid(0).build());

        for (Runnable wrong : List.<Runnable>of(
                () -> told(false, 1, all), // another base
                () -> told(true, 0, all.subList(0, 9)), // another result
                () -> told(false, digest(), reversed),
                () -> told(false, digest(), without))) {
            assertThat(welcome().getDestinationsDigest()).as(this::log).isZero();
            tells(true, 0, all, 4);
            stillServes();

            wrong.run();

            awaitsEnd();
        }
        assertThat(welcome().getDestinationsDigest()).as(this::log).isZero();
    }

    private void told(boolean complete, long base, List<Destination> changed) {
        try {
            tells(complete, base, changed, 100);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void shouldForgetOnlyTheHalfThatASessionBegan() throws IOException {
        start(WITH_DESTINATIONS);
        Random random = new Random(9);
        welcome();
        held.put(4, destination(random, 4));
        tells(true, 0, List.copyOf(held.values()), 1);
        stillServes();
        says(ManagerFrame.newBuilder()
                .setDestinations(Destinations.newBuilder()
                        .setBaseDigest(digest())
                        .setResultDigest(77)
                        .addChanged(destination(random, 6))
                        .setMore(true)));
        stillServes();
        socket.close();

        assertThat(welcome().getDestinationsDigest()).isEqualTo(digest());
        long base = digest();
        held.put(5, destination(random, 5));
        tells(false, base, List.of(at(5)), 1);
        stillServes();
    }

    @Test
    void shouldObeyTheHighestLeaderAndMoveTheEpochsAlone() throws IOException {
        start(AGENT);
        welcome();
        byte[] table = {1, 2, 3};
        pushes(raw(table));

        // A push that is refused has its leader obeyed all the same.
        says(ManagerFrame.newBuilder()
                .setTablePush(TableCodec.push(
                        new TableVersion(3, 1),
                        PortTable.newBuilder().setBaseDigest(1).build())));
        assertThat(hears().getTableRefusal().getReason()).isEqualTo(TableRefusal.Reason.BASE_MISMATCH);
        assertThat(pushes(raw(table)).getTableRefusal().getReason()).isEqualTo(TableRefusal.Reason.OLD_LEADER);
        says(ManagerFrame.newBuilder()
                .setTablePush(TablePush.newBuilder().setLeaderEpoch(3).setFabricEpoch(1)));
        assertThat(hears().getTableAck())
                .isEqualTo(TableAck.newBuilder()
                        .setLeaderEpoch(3)
                        .setFabricEpoch(1)
                        .setDigest(TableDigest.of(table))
                        .build());
        TableRefusal refusal = pushes(raw(new byte[] {9})).getTableRefusal();
        assertThat(refusal.getReason()).isEqualTo(TableRefusal.Reason.OLD_LEADER);
        assertThat(refusal.getTable().getLeaderEpoch()).isEqualTo(3);

        socket.close();
        // A leader of before is not obeyed.
        socket = server.accept();
        in = new DataInputStream(socket.getInputStream());
        out = new DataOutputStream(socket.getOutputStream());
        assertThat(hears().getHello().getLeaderEpoch()).isEqualTo(3);
        says(ManagerFrame.newBuilder()
                .setWelcome(Welcome.newBuilder()
                        .setProtocol(2)
                        .setLeaderEpoch(2)
                        .setKeepAliveMillis(2000)
                        .setMaxFrameBytes(65536)));
        awaitsEnd();
    }

    @Test
    void shouldHangUpOnGarbageAndComeBackWithWhatItHolds() throws IOException {
        start(AGENT);
        ManagerFrame.Builder good = ManagerFrame.newBuilder()
                .setTablePush(TableCodec.push(new TableVersion(1, 1), raw(new byte[] {1, 2, 3})));
        List<byte[]> garbage = List.of(
                new byte[] {0, 0, 0, 0},
                new byte[] {0, 16, 0, 1, 1},
                new byte[] {'H', 'T', 'T', 'P'},
                new byte[] {0, 0, 0, 2, 0x7a, 0}, // a body that is not known
                new byte[] {0, 0, 0, 2, 0x22, 9}, // ends too early
                new byte[] {0, 0, 0, 3, 0x0a, 1, 8}); // a Welcome that is cut off

        for (byte[] bytes : garbage) {
            welcome();
            says(good);
            assertThat(hears().getTableAck().getDigest()).isEqualTo(TableDigest.of(new byte[] {1, 2, 3}));

            out.write(bytes);

            awaitsEnd();
        }
        assertThat(welcome().getTable().getDigest()).isEqualTo(TableDigest.of(new byte[] {1, 2, 3}));
    }

    @Test
    void shouldSayWhatTheNamedPortsAreAndAllWhenNoneIsNamed() throws IOException {
        start(AGENT);
        welcome();
        says(ManagerFrame.newBuilder()
                .setPortQuery(PortQuery.newBuilder().addPorts(1).addPorts(200).addPorts(3)));
        PortReport report = hears().getPortReport();

        assertThat(ReportCheck.refusal(report, 0x10, 3, 1)).isEmpty();
        assertThat(report.getComplete()).isFalse();
        assertThat(report.getPortsCount()).isEqualTo(2);
        assertThat(report.getPorts(0).getUp()).isTrue();
        assertThat(report.getPorts(0).getHostNeighbour().getPortGuid()).isEqualTo(0xa0);
        assertThat(report.getPorts(0).getHostNeighbour().getAddresses().getLid())
                .isEqualTo(7);
        assertThat(report.getPorts(0).getHostNeighbour().getAddresses().getMac().size())
                .isEqualTo(6);
        assertThat(report.getPorts(1).getUp()).isFalse();
        assertThat(report.getPorts(1).getSwitchNeighbour().getPort()).isEqualTo(9);
        says(ManagerFrame.newBuilder().setPortQuery(PortQuery.newBuilder().addPorts(200)));
        says(ManagerFrame.newBuilder().setPortQuery(PortQuery.getDefaultInstance()));
        assertThat(hears().getPortReport().getComplete()).isTrue();
    }
}
