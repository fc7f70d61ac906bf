package io.dmodc.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.google.protobuf.ByteString;
import io.dmodc.agent.AgentConfig.RingPlace;
import io.dmodc.agent.TinyManager.Peer;
import io.dmodc.agent.plane.Cable;
import io.dmodc.agent.plane.ForwardingPlane;
import io.dmodc.agent.plane.MemoryPlane;
import io.dmodc.agent.plane.Neighbour.SwitchPort;
import io.dmodc.agent.plane.PatchPanel;
import io.dmodc.detector.net.RingKey;
import io.dmodc.detector.net.RingLoop;
import io.dmodc.southbound.MembershipDigest;
import io.dmodc.southbound.RunEncoder;
import io.dmodc.southbound.TableCodec;
import io.dmodc.southbound.TableDigest;
import io.dmodc.southbound.TableVersion;
import io.dmodc.southbound.Transport;
import io.dmodc.southbound.proto.AgentFrame;
import io.dmodc.southbound.proto.FaultAck;
import io.dmodc.southbound.proto.FaultReport;
import io.dmodc.southbound.proto.Hello;
import io.dmodc.southbound.proto.ManagerFrame;
import io.dmodc.southbound.proto.Member;
import io.dmodc.southbound.proto.Membership;
import io.dmodc.southbound.proto.PortQuery;
import io.dmodc.southbound.proto.Refusal;
import io.dmodc.southbound.proto.TableRefusal;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoopGroup;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Real agents against a tiny manager, over TCP and UDP on loopback. */
class AgentTest {
    private static final Cable CABLE = new Cable(0x10, 1, new SwitchPort(0x20, 1));

    private final EventLoopGroup group = Transport.best().group(2, "test");
    private final RingLoop ringLoop = RingLoop.start("ring");
    private final RingKey key = RingKey.random();
    private final TinyManager manager = new TinyManager(group);
    private final MemoryPlane plane = new MemoryPlane(0x10, "leaf0", 4);
    private final List<Agent> agents = new ArrayList<>();

    @AfterEach
    void stop() {
        agents.forEach(Agent::close);
        manager.close();
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        ringLoop.close();
    }

    private Agent start(ForwardingPlane served) {
        InetSocketAddress listen = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        RingPlace place = new RingPlace(listen, key, ringLoop);
        Agent agent = Agent.start(AgentConfig.of(manager.address(), place, 7, served.guid()), served, group);
        agents.add(agent);
        return agent;
    }

    private static ManagerFrame push(byte[] table, long fabricEpoch) {
        return ManagerFrame.newBuilder()
                .setTablePush(TableCodec.push(
                        new TableVersion(1, fabricEpoch),
                        RunEncoder.complete(table.length, TableDigest.of(table))
                                .run(0, table.length, 1, 0, table.clone())
                                .table()))
                .build();
    }

    private static ManagerFrame query() {
        return ManagerFrame.newBuilder()
                .setPortQuery(PortQuery.getDefaultInstance())
                .build();
    }

    @Test
    void shouldTakeATableAndForwardByIt() throws Exception {
        start(plane);
        Peer peer = manager.accept();
        Hello hello = peer.welcome(2000).getHello();
        byte[] table = new byte[1000];
        table[999] = 4;

        peer.send(push(table, 5));

        assertThat(peer.next().getTableAck().getDigest()).isEqualTo(TableDigest.of(table));
        assertThat(plane.port(999)).isEqualTo(4);
        assertThat(hello.getSwitchGuid()).isEqualTo(0x10);
        assertThat(hello.getDetector().getAddress().size()).isEqualTo(4);
        assertThat(hello.getDetector().getPort()).isPositive();
    }

    /** Whatever the plane throws, the next table is tried: nothing is left half installed. */
    @Test
    void shouldRefuseWhatThePlaneFailsAtAndTakeTheNextTable() throws Exception {
        List<Throwable> uncaught = Collections.synchronizedList(new ArrayList<>());
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, error) -> uncaught.add(error));
        try {
            FailingPlane failing = new FailingPlane(plane);
            start(failing);
            Peer peer = manager.accept();
            peer.welcome(2000);
            byte[] table = {1, 2, 3};

            failing.next = new IllegalStateException("no such bank\nat all");
            peer.send(push(table, 5));
            assertRefused(peer, "IllegalStateException: no such bank");
            failing.next = new LinkageError("no such symbol");
            peer.send(push(table, 5));
            assertRefused(peer, "LinkageError: no such symbol");
            peer.send(push(table, 5));

            assertThat(peer.next().getTableAck().getFabricEpoch()).isEqualTo(5);
            assertThat(plane.port(2)).isEqualTo(3);
            assertThat(uncaught)
                    .as("handed to whoever ends the process")
                    .singleElement()
                    .isInstanceOf(LinkageError.class);
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    /** Repeated pushes are what a manager sends that waits; its other questions are answered meanwhile. */
    @Test
    void shouldServeItsSessionWhileThePlaneTakesItsTimeAndAcknowledgeOnce() throws Exception {
        FailingPlane slow = new FailingPlane(plane);
        slow.installations.drainPermits();
        start(slow);
        Peer peer = manager.accept();
        peer.welcome(2000);
        byte[] table = {1, 2, 3};

        for (int i = 0; i < 3; i++) {
            peer.send(push(table, 5));
            peer.send(query());
            assertThat(peer.next().hasPortReport()).as("no refusal").isTrue();
        }
        assertThat(plane.port(2)).isEqualTo(MemoryPlane.NO_ROUTE);
        slow.installations.release();

        assertThat(peer.next().getTableAck().getFabricEpoch()).isEqualTo(5);
        assertThat(plane.port(2)).isEqualTo(3);
        peer.send(query());
        assertThat(peer.next().hasPortReport()).as("one acknowledgement").isTrue();
    }

    private static void assertRefused(Peer peer, String text) throws InterruptedException {
        TableRefusal refusal = peer.next().getTableRefusal();
        assertThat(refusal.getReason()).isEqualTo(TableRefusal.Reason.PLANE_FAILED);
        assertThat(refusal.getText()).isEqualTo(text);
    }

    @Test
    void shouldEditItsRingAndComeBackForTheWholeWhenItCannot() throws Exception {
        start(plane);
        Peer peer = manager.accept();
        AgentFrame first = peer.welcome(2000);
        Member own = member(first.getHello());
        Member other = own.toBuilder().setGuid(0x20).build();
        peer.send(membership(own));
        peer.send(ManagerFrame.newBuilder()
                .setMembership(ring(2).setBaseEpoch(1)
                        .addAllEdit(List.of(1, 0, 1))
                        .addMembers(other)
                        .setResultDigest(digest(own, other))
                        .build()
                        .toByteString())
                .build());
        peer.send(query());
        peer.next();

        peer.send(ManagerFrame.newBuilder()
                .setMembership(ring(3).setBaseEpoch(1).build().toByteString())
                .build());

        peer.assertClosed();
        Hello hello = manager.accept().welcome(2000).getHello();
        assertThat(first.getHello().getMembershipDifferences()).isTrue();
        assertThat(hello.getMembershipEpoch()).as("wants the whole").isZero();
    }

    @Test
    void shouldSayInItsNextSessionWhichRingItHolds() throws Exception {
        start(plane);
        Peer peer = manager.accept();
        Member own = member(peer.welcome(2000).getHello());
        peer.send(membership(own));
        peer.send(query());
        peer.next();

        peer.channel().close();

        assertThat(manager.accept().welcome(2000).getHello().getMembershipEpoch())
                .isEqualTo(1);
    }

    private static long digest(Member... members) {
        MembershipDigest digest = new MembershipDigest(members.length);
        for (Member member : members) {
            digest.add(
                    member.getGuid(),
                    member.getIncarnation(),
                    member.getDetector().getAddress().toByteArray(),
                    member.getDetector().getPort());
        }
        return digest.value();
    }

    @Test
    void shouldReportACutCableByItself() throws Exception {
        PatchPanel panel = PatchPanel.of(List.of(CABLE));
        panel.attach(plane);
        start(plane);
        Peer peer = manager.accept();
        peer.welcome(2000);

        panel.cut(CABLE);

        AgentFrame report = peer.next();
        assertThat(report.getPortReport().getPortsList()).singleElement().satisfies(port -> {
            assertThat(port.getNumber()).isEqualTo(1);
            assertThat(port.getUp()).isFalse();
            assertThat(port.getSwitchNeighbour().getGuid()).isEqualTo(0x20);
        });
    }

    @Test
    void shouldReportASilentlyCutCableWhenAsked() throws Exception {
        PatchPanel panel = PatchPanel.silent(List.of(CABLE));
        panel.attach(plane);
        start(plane);
        Peer peer = manager.accept();
        peer.welcome(2000);
        panel.cut(CABLE);

        peer.send(query());

        AgentFrame report = peer.next();
        assertThat(report.getPortReport().getComplete()).isTrue();
        assertThat(report.getPortReport().getSequence())
                .as("no report came before")
                .isEqualTo(2);
        assertThat(report.getPortReport().getPorts(0).getUp()).isFalse();
    }

    @Test
    void shouldEndAfterItHungAndTheManagerGaveItUp() throws Exception {
        Agent agent = start(plane);
        Peer peer = manager.accept();
        peer.welcome(2000);
        agent.silence();
        peer.channel().close().syncUninterruptibly();

        assertTimeoutPreemptively(Duration.ofSeconds(20), agent::kill);
    }

    @Test
    void shouldComeBackWithItsTableAfterGarbageAndAfterTheManagerIsGone() throws Exception {
        start(plane);
        Peer first = manager.accept();
        first.welcome(2000);
        byte[] table = {1, 2, 3};
        first.send(push(table, 5));
        first.next();

        first.channel()
                .pipeline()
                .firstContext()
                .writeAndFlush(Unpooled.copiedBuffer("HTTP/1.1 400 Bad Request\r\n", StandardCharsets.US_ASCII));
        first.assertClosed();
        Peer second = manager.accept();
        Hello afterGarbage = second.welcome(2000).getHello();
        second.channel().close();
        Hello afterLoss = manager.accept().welcome(2000).getHello();

        assertThat(List.of(afterGarbage, afterLoss)).allSatisfy(hello -> {
            assertThat(hello.getTable().getFabricEpoch()).isEqualTo(5);
            assertThat(hello.getTable().getDigest()).isEqualTo(TableDigest.of(table));
        });
        assertThat(plane.port(2)).isEqualTo(3);
    }

    @Test
    void shouldKeepASessionAliveByKeepAlivesAlone() throws Exception {
        start(plane);
        Peer peer = manager.accept();
        peer.welcome(100);

        // More than three silent periods would have ended the session on either side.
        assertThat(peer.channel().closeFuture().await(1, TimeUnit.SECONDS)).isFalse();
        peer.send(query());

        assertThat(peer.next().getPortReport().getComplete()).isTrue();
    }

    @Test
    void shouldHangWithoutClosingWhenSilenced() throws Exception {
        Agent agent = start(plane);
        Peer peer = manager.accept();
        peer.welcome(100);

        agent.silence();

        assertThat(peer.failure().reason()).isEqualTo(Refusal.Reason.TOO_SLOW);
        assertThat(peer.channel().isActive()).isTrue();
        agent.close();
        peer.assertClosed();
    }

    @Test
    void shouldDropItsSocketsWhenKilled() throws Exception {
        Agent agent = start(plane);
        Peer peer = manager.accept();
        peer.welcome(2000);

        agent.kill();

        peer.assertClosed();
    }

    @Test
    void shouldReportASilentNeighbourOfTheRingUntilAcknowledged() throws Exception {
        MemoryPlane other = new MemoryPlane(0x20, "spine0", 4);
        start(plane);
        Peer watcher = manager.accept();
        Member watching = member(watcher.welcome(2000).getHello());
        Agent victim = start(other);
        Peer watched = manager.accept();
        Member dying = member(watched.welcome(2000).getHello());
        watcher.send(membership(watching, dying));
        watched.send(membership(watching, dying));
        // Its answer shows that the victim has taken its place before it falls silent.
        watched.send(query());
        watched.next();

        victim.silence();

        FaultReport fault = watcher.next().getFaultReport();
        FaultReport repeated = watcher.next().getFaultReport();
        assertThat(fault.getKind()).isEqualTo(FaultReport.Kind.AGENT_SILENT);
        assertThat(fault.getSubjectGuid()).isEqualTo(0x20);
        assertThat(fault.getObserverGuid()).isEqualTo(0x10);
        assertThat(repeated).isEqualTo(fault);
        watcher.send(ManagerFrame.newBuilder()
                .setFaultAck(FaultAck.newBuilder().setSequence(fault.getSequence()))
                .build());
    }

    @Test
    void shouldIgnoreAMembershipThatIsNone() throws Exception {
        start(plane);
        Peer peer = manager.accept();
        Member own = member(peer.welcome(2000).getHello());
        ManagerFrame garbage = ManagerFrame.newBuilder()
                .setMembership(ByteString.copyFrom(new byte[] {0x32, 0x7f}))
                .build();

        peer.send(garbage);
        peer.send(membership(own.toBuilder().setGuid(0x99).build()));
        peer.send(query());

        assertThat(peer.next().getPortReport().getComplete()).isTrue();
    }

    private static Member member(Hello hello) {
        return Member.newBuilder()
                .setGuid(hello.getSwitchGuid())
                .setIncarnation(hello.getIncarnation())
                .setDetector(hello.getDetector())
                .build();
    }

    private static ManagerFrame membership(Member... members) {
        return ManagerFrame.newBuilder()
                .setMembership(ring(1).addAllMembers(List.of(members)).build().toByteString())
                .build();
    }

    private static Membership.Builder ring(long epoch) {
        return Membership.newBuilder()
                .setEpoch(epoch)
                .setCluster(1)
                .setHeartbeatNanos(20_000_000L)
                .setSuspicionNanos(200_000_000L);
    }
}
