package io.dmodc.manager.southbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.google.protobuf.ByteString;
import io.dmodc.manager.config.ManagerConfig;
import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.FabricEvent;
import io.dmodc.manager.core.FabricState;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.core.SwitchDomains;
import io.dmodc.manager.loop.FabricLoop;
import io.dmodc.manager.loop.TurnListener;
import io.dmodc.manager.state.StateRecord.LeaderEpoch;
import io.dmodc.manager.state.StoredState;
import io.dmodc.southbound.SouthboundProtocol;
import io.dmodc.southbound.proto.AgentFrame;
import io.dmodc.southbound.proto.Endpoint;
import io.dmodc.southbound.proto.ManagerFrame;
import io.dmodc.southbound.proto.Membership;
import io.dmodc.southbound.proto.TableAck;
import io.dmodc.southbound.proto.TableRefusal;
import io.dmodc.topology.NodeTypes;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The door of the agents on real sockets, with the real loop behind it. */
class AgentServerTest {
    private static final long GUID = 0x10;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration LONG = Duration.ofHours(1);

    /** Small, so that few answers fill it. */
    private static final int KERNEL_BYTES = 16 << 10;

    private static final int QUIET_POLLS = 10;

    /** The only address at which agents may take heartbeats besides the loopback address. */
    private static final Network ELSEWHERE = Network.parse("10.1.2.3/32");

    private static final InetAddress STRANGE = Network.parse("10.1.2.4/32").address();

    private final List<Effect> effects = new CopyOnWriteArrayList<>();
    private final AtomicReference<AgentServer> shell = new AtomicReference<>();
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final FabricLoop loop = new FabricLoop(
            new FabricState(
                    ManagerConfig.defaults().rules(SwitchDomains.none(), NodeTypes.NONE),
                    0,
                    0,
                    StoredState.of(List.of(new LeaderEpoch(1))),
                    Set.of()),
            this::perform,
            System::nanoTime);

    @BeforeEach
    void listenToTheLog() {
        lines.start();
        log().addAppender(lines);
    }

    private static Logger log() {
        return (Logger) LoggerFactory.getLogger("io.dmodc.manager.southbound");
    }

    @AfterEach
    void stop() {
        AgentServer server = shell.get();
        if (server != null) {
            server.close();
        }
        loop.close();
        log().detachAppender(lines);
    }

    private AgentServer open(int sessionsMax, Duration unsentTimeout) throws IOException {
        return open(sessionsMax, sessionsMax, unsentTimeout);
    }

    private AgentServer open(int sessionsMax, int perAddress, Duration unsentTimeout) throws IOException {
        AgentServer server = openBesideABusyLoop(sessionsMax, perAddress, unsentTimeout);
        loop.start();
        return server;
    }

    private AgentServer openBesideABusyLoop(int sessionsMax, int perAddress, Duration unsentTimeout)
            throws IOException {
        AgentServer server = new AgentServer(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                new AgentRules(Duration.ofSeconds(60), perAddress, ELSEWHERE::contains, null),
                loop,
                new SessionBounds(sessionsMax, SouthboundProtocol.UNSENT_MAX_BYTES, unsentTimeout, KERNEL_BYTES));
        shell.set(server);
        return server;
    }

    private void perform(Effect effect) {
        effects.add(effect);
        if (effect instanceof Effect.Accept accept) {
            Objects.requireNonNull(shell.get()).accept(accept);
        }
    }

    private long session() {
        await().atMost(PATIENCE).until(() -> effects.stream().anyMatch(Effect.Accept.class::isInstance));
        return effects.stream()
                .filter(Effect.Accept.class::isInstance)
                .map(effect -> ((Effect.Accept) effect).session())
                .reduce(0L, Math::max);
    }

    private List<String> lines(String part) {
        return List.copyOf(lines.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.contains(part))
                .toList();
    }

    private List<String> left() {
        return effects.stream()
                .filter(Effect.Tell.class::isInstance)
                .map(effect -> ((Effect.Tell) effect).note())
                .filter(note -> note.kind() == Kind.AGENT_LEFT)
                .map(note -> note.text())
                .toList();
    }

    /** What still fits into the kernel is taken now and then; it has to be nothing for a while. */
    private static void talkUntilNobodyListens(SilentReader peer, AgentServer server) {
        AtomicInteger quiet = new AtomicInteger();
        await().atMost(PATIENCE).until(() -> {
            boolean listens = peer.talk() > 0 || server.unsentBytes() == 0;
            return quiet.updateAndGet(polls -> listens ? 0 : polls + 1) >= QUIET_POLLS;
        });
    }

    /** Bounded in bytes, however long it goes on: first it is not read any more, then it is closed. */
    @Test
    void shouldPayTwoFramesAtMostForAPeerThatTalksAndNeverReads() throws Exception {
        AgentServer server = open(10, LONG);
        try (SilentReader peer = SilentReader.connect(server.localAddress()).says(SilentReader.hello(GUID))) {
            long session = session();
            talkUntilNobodyListens(peer, server);
            assertThat(server.unsentBytes())
                    .as("the marks of Netty and the answers to one read")
                    .isBetween((long) SouthboundProtocol.WRITE_LOW_WATER_BYTES, 1L << 20);
            long most = 0;
            for (int i = 0; i < 100_000 && server.counters().unread() == 0; i++) {
                server.queryPorts(new Effect.QueryPorts(
                        session, IntStream.rangeClosed(1, 254).boxed().toList()));
                most = Math.max(most, server.unsentBytes());
            }

            await().atMost(PATIENCE).until(() -> server.sessionCount() == 0);
            assertThat(most).isPositive().isLessThanOrEqualTo(2L << 20);
            assertThat(server.counters().unread()).isEqualTo(1);
            assertThat(lines("does not read")).singleElement().asString().contains("more than 1048576 bytes unsent");
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(left()).singleElement().asString().contains("does not read"));
        }
    }

    @Test
    void shouldCloseAPeerThatTakesTooLongToRead() throws Exception {
        AgentServer server = open(10, Duration.ofMillis(200));
        try (SilentReader peer = SilentReader.connect(server.localAddress()).says(SilentReader.hello(GUID))) {
            session();

            await().atMost(PATIENCE).until(() -> {
                try {
                    peer.talk();
                } catch (IOException closed) {
                    // It is what the test waits for.
                }
                return server.counters().unread() == 1;
            });

            await().atMost(PATIENCE).until(() -> server.sessionCount() == 0);
            assertThat(lines("does not read")).singleElement().asString().contains("bytes unsent for 200 ms");
        }
    }

    @Test
    void shouldReadOnFromAPeerThatReadsAgainAndTellItTheNewestRingOnly() throws Exception {
        AgentServer server = open(10, LONG);
        try (SilentReader peer = SilentReader.connect(server.localAddress()).says(SilentReader.hello(GUID))) {
            long session = session();
            talkUntilNobodyListens(peer, server);
            for (int epoch = 1; epoch <= 5; epoch++) {
                Effect.Membership ring = new Effect.Membership(epoch, TestRings.agents(100 + epoch));
                server.sendMembership(List.of(session), ring, 7, TestRings.RULES);
            }
            assertThat(server.counters().memberships()).isZero();
            long read = server.counters().frames();

            peer.socket().configureBlocking(true);
            DataInputStream in = new DataInputStream(peer.socket().socket().getInputStream());
            Membership told = nextMembership(in);

            assertThat(told.getEpoch()).isEqualTo(5);
            assertThat(told.getMembersCount()).isEqualTo(105);
            assertThat(server.counters().memberships()).isEqualTo(1);
            await().atMost(PATIENCE).until(() -> server.counters().frames() > read);
        }
    }

    private static Membership nextMembership(DataInputStream in) throws IOException {
        ManagerFrame frame;
        do {
            byte[] body = new byte[in.readInt()];
            in.readFully(body);
            frame = ManagerFrame.parseFrom(body);
        } while (!frame.hasMembership());
        return Membership.parseFrom(frame.getMembership());
    }

    @Test
    void shouldTellDifferencesOverOneSession() throws Exception {
        AgentServer server = open(10, LONG);
        try (SilentReader peer = SilentReader.connect(server.localAddress()).says(SilentReader.hello(GUID))) {
            long session = session();
            DataInputStream in = new DataInputStream(peer.socket().socket().getInputStream());
            List<Effect.Member> members = new ArrayList<>(TestRings.agents(500));
            members.add(250, TestRings.manager());
            server.sendMembership(List.of(session), new Effect.Membership(1, members), 7, TestRings.RULES);
            Membership whole = nextMembership(in);
            members.set(3, TestRings.agent(3, 2));

            server.sendMembership(List.of(session), new Effect.Membership(2, members), 7, TestRings.RULES);
            server.sendMembership(List.of(session), new Effect.Membership(2, members), 7, TestRings.RULES);
            Membership difference = nextMembership(in);

            assertThat(difference.getBaseEpoch()).isEqualTo(1);
            assertThat(difference.getSerializedSize()).isLessThan(200);
            assertThat(TestRings.after(whole.getMembersList(), difference)).hasSize(501);
            assertThat(server.counters().memberships()).isEqualTo(2);
        }
    }

    @Test
    void shouldHandleNothingThatComesWithWhatItRefuses() throws Exception {
        AgentServer server = open(10, LONG);
        AgentFrame ack = AgentFrame.newBuilder()
                .setTableAck(TableAck.newBuilder().setFabricEpoch(-1))
                .build();
        try (SilentReader peer = SilentReader.connect(server.localAddress())) {
            AgentFrame[] frames = new AgentFrame[1001];
            Arrays.fill(frames, ack);
            frames[0] = SilentReader.hello(GUID);

            peer.says(frames).readsToTheEnd();

            await().atMost(PATIENCE).until(() -> server.sessionCount() == 0);
            assertThat(server.counters().frames()).as("handled").isEqualTo(2);
            assertThat(server.counters().refusals()).isEqualTo(1);
            assertThat(lines("acknowledges a table of fabric epoch 18446744073709551615; expected 0.."))
                    .hasSize(1);
        }
    }

    @Test
    void shouldKeepRoomForOthersBesideAPeerThatFloods() throws Exception {
        AgentFrame[] frames = new AgentFrame[2001];
        Arrays.fill(
                frames,
                AgentFrame.newBuilder()
                        .setTableRefusal(TableRefusal.newBuilder().setText("flood"))
                        .build());
        frames[0] = SilentReader.hello(GUID);
        List<FabricEvent> heard = new CopyOnWriteArrayList<>();
        loop.listen(new TurnListener() {
            @Override
            public void turned(List<FabricEvent> events, long settledNanos, int effects, FabricState state) {
                heard.addAll(events);
            }

            @Override
            public void toldOtherwise(String why) {}
        });
        AgentServer server = openBesideABusyLoop(10, 10, LONG);
        try (SilentReader flooder = SilentReader.connect(server.localAddress()).says(frames);
                SilentReader other = SilentReader.connect(server.localAddress())) {
            await().atMost(PATIENCE).until(() -> server.counters().frames() > FabricLoop.SESSION_MAX);
            await().atMost(PATIENCE).until(() -> loop.queued() == FabricLoop.SESSION_MAX);
            other.says(SilentReader.hello(GUID + 1));
            await().atMost(PATIENCE).until(() -> loop.queued() == FabricLoop.SESSION_MAX + 1);

            loop.start();

            await().atMost(PATIENCE).until(() -> heard.size() >= frames.length + 1);
            assertThat(heard.stream().filter(FabricEvent.TableRefused.class::isInstance))
                    .hasSize(frames.length - 1);
        }
    }

    private static AgentFrame hello(long guid, InetAddress address, int port) {
        AgentFrame hello = SilentReader.hello(guid);
        return hello.toBuilder()
                .setHello(hello.getHello().toBuilder()
                        .setDetector(Endpoint.newBuilder()
                                .setAddress(ByteString.copyFrom(address.getAddress()))
                                .setPort(port)))
                .build();
    }

    /** Else one agent could have its neighbours in the ring send heartbeats to whom it likes. */
    @Test
    void shouldRefuseADetectorAtAnAddressThatIsNeitherTheSourceNorAllowed() throws Exception {
        AgentServer server = open(10, LONG);
        try (SilentReader liar = SilentReader.connect(server.localAddress())) {
            liar.says(hello(GUID, STRANGE, 7472)).readsToTheEnd();
        }
        assertThat(lines("heartbeats at 10.1.2.4, connected from 127.0.0.1")).hasSize(1);
        assertThat(effects).noneMatch(Effect.Accept.class::isInstance);

        try (SilentReader ownAddress = SilentReader.connect(server.localAddress())) {
            ownAddress.says(hello(GUID, InetAddress.getLoopbackAddress(), 7472));
            long first = session();
            try (SilentReader allowed = SilentReader.connect(server.localAddress())) {
                allowed.says(hello(GUID + 1, ELSEWHERE.address(), 7472));
                await().atMost(PATIENCE).until(() -> session() > first);
                long second = session();
                try (SilentReader noHeartbeats = SilentReader.connect(server.localAddress())) {
                    noHeartbeats.says(hello(GUID + 2, STRANGE, 0));
                    await().atMost(PATIENCE).until(() -> session() > second);
                }
            }
        }
        assertThat(server.counters().refusals()).isEqualTo(1);
    }

    @Test
    void shouldTurnAwayWhoHasTakenAllSessionsOfItsAddressAndLetItInAgain() throws Exception {
        AgentServer server = open(10, 2, LONG);
        try (SilentReader first = SilentReader.connect(server.localAddress())) {
            try (SilentReader second = SilentReader.connect(server.localAddress())) {
                await().atMost(PATIENCE).until(() -> server.sessionCount() == 2);
                for (int i = 0; i < 3; i++) {
                    try (SilentReader third = SilentReader.connect(server.localAddress())) {
                        assertThat(third.readsToTheEnd()).isEmpty();
                    }
                }
                assertThat(second.socket().isConnected()).isTrue();
            }
            await().atMost(PATIENCE).until(() -> server.sessionCount() == 1);
            assertThat(server.counters().turnedAway()).isEqualTo(3);
            assertThat(lines("all 2 sessions of one address are taken")).hasSize(1);

            try (SilentReader again = SilentReader.connect(server.localAddress())) {
                again.says(SilentReader.hello(GUID));
                assertThat(session()).isPositive();
            }
            assertThat(first.socket().isConnected()).isTrue();
        }
    }

    @Test
    void shouldNotFillTheLogWithRefusals() throws Exception {
        AgentServer server = open(10, LONG);
        long begun = System.nanoTime();
        for (int i = 0; i < 60; i++) {
            try (SilentReader stranger = SilentReader.connect(server.localAddress())) {
                stranger.says(SilentReader.hello(0)).readsToTheEnd();
            }
        }

        assertThat(server.counters().refusals()).isEqualTo(60);
        int periods = 1 + (int) Duration.ofNanos(System.nanoTime() - begun).dividedBy(Duration.ofSeconds(10));
        assertThat(lines("switch guid 0")).as("20 lines in 10 s").hasSizeBetween(20, Math.max(20, 20 * periods));
    }

    /** What stands in the log is one line, whatever the agent is called. */
    @Test
    void shouldShowNamesAsPrintableText() throws Exception {
        AgentServer server = open(10, LONG);
        AgentFrame hello = SilentReader.hello(GUID);
        AgentFrame forged = hello.toBuilder()
                .setHello(hello.getHello().toBuilder().setName("leaf0\nERROR all is lost"))
                .build();
        try (SilentReader forger = SilentReader.connect(server.localAddress())) {
            forger.says(forged, forged).readsToTheEnd();
        }

        assertThat(lines("a second HELLO")).singleElement().asString().contains("(leaf0?ERROR all is lost)");
    }

    @Test
    void shouldSayOnceInAWhileThatAllSessionsAreTaken() throws Exception {
        AgentServer server = open(1, 2, LONG);
        try (SilentReader first = SilentReader.connect(server.localAddress()).says(SilentReader.hello(GUID))) {
            session();
            for (int i = 0; i < 5; i++) {
                try (SilentReader other = SilentReader.connect(server.localAddress())) {
                    assertThat(other.readsToTheEnd()).isEmpty();
                }
            }

            assertThat(first.socket().isConnected()).isTrue();
            assertThat(server.counters().turnedAway()).isEqualTo(5);
            assertThat(lines("all 1 sessions are taken")).hasSize(1);
        }
    }
}
