package io.dmodc.agent;

import static io.dmodc.southbound.TurnTable.FROM_BELOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.agent.AgentConfig.RingPlace;
import io.dmodc.agent.TinyManager.Peer;
import io.dmodc.agent.plane.Cable;
import io.dmodc.agent.plane.Forwarding.Hop;
import io.dmodc.agent.plane.MemoryPlane;
import io.dmodc.agent.plane.Neighbour.SwitchPort;
import io.dmodc.agent.plane.PatchPanel;
import io.dmodc.agent.plane.TurnEntries;
import io.dmodc.detector.net.RingKey;
import io.dmodc.detector.net.RingLoop;
import io.dmodc.southbound.Alternatives;
import io.dmodc.southbound.AlternativesCodec;
import io.dmodc.southbound.RunEncoder;
import io.dmodc.southbound.TableCodec;
import io.dmodc.southbound.TableDigest;
import io.dmodc.southbound.TableKind;
import io.dmodc.southbound.TableVersion;
import io.dmodc.southbound.Transport;
import io.dmodc.southbound.TurnTable;
import io.dmodc.southbound.proto.AgentFrame;
import io.dmodc.southbound.proto.LocalRepair;
import io.dmodc.southbound.proto.ManagerFrame;
import io.dmodc.southbound.proto.PortQuery;
import io.dmodc.southbound.proto.PortTable;
import io.dmodc.southbound.proto.TableRefusal;
import io.netty.channel.EventLoopGroup;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The agent of a root switch of a grid, over TCP on loopback. */
class AgentTurnsTest {
    private static final Cable FIRST = new Cable(0x30, 1, new SwitchPort(0x10, 1));
    private static final Cable SECOND = new Cable(0x30, 2, new SwitchPort(0x11, 1));
    private static final byte[] TURNS = turns(1);

    private final EventLoopGroup group = Transport.best().group(2, "test");
    private final RingLoop ringLoop = RingLoop.start("ring");
    private final TinyManager manager = new TinyManager(group);
    private final List<Agent> agents = new ArrayList<>();
    private final PatchPanel panel = PatchPanel.of(List.of(FIRST, SECOND));

    /** Destination 0 is behind this port, destination 1 behind the other one. */
    private static byte[] turns(int port) {
        return new TurnEntries(2)
                .ports(FROM_BELOW, 1, 2)
                .channel(FROM_BELOW, 0, 0)
                .channel(FROM_BELOW, 1, 1)
                .route(0, FROM_BELOW, port)
                .route(1, FROM_BELOW, 3 - port)
                .bytes();
    }

    @AfterEach
    void stop() {
        agents.forEach(Agent::close);
        manager.close();
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        ringLoop.close();
    }

    private Agent start(MemoryPlane plane) {
        RingPlace place =
                new RingPlace(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), RingKey.random(), ringLoop);
        Agent agent = Agent.start(AgentConfig.of(manager.address(), place, 7, plane.guid()), plane, group);
        agents.add(agent);
        return agent;
    }

    private static ManagerFrame push(long epoch, TableKind kind, RunEncoder encoder, byte[] entries) {
        for (int at = 0; at < entries.length; at++) {
            encoder.run(at, at + 1, 1, 0, new byte[] {entries[at]});
        }
        return push(epoch, kind, encoder.table());
    }

    private static ManagerFrame push(long epoch, TableKind kind, PortTable table) {
        return ManagerFrame.newBuilder()
                .setTablePush(TableCodec.push(new TableVersion(1, epoch), kind, table))
                .build();
    }

    private static ManagerFrame whole(long epoch, TableKind kind, byte[] entries) {
        return push(epoch, kind, RunEncoder.complete(entries.length, TableDigest.of(entries)), entries);
    }

    private static ManagerFrame difference(long epoch, byte[] before, byte[] entries) {
        int[] blocks = IntStream.range(0, TableCodec.blockCount(entries.length)).toArray();
        RunEncoder encoder =
                RunEncoder.difference(entries.length, blocks, TableDigest.of(before), TableDigest.of(entries));
        return push(epoch, TableKind.TURNS, encoder, entries);
    }

    private static ManagerFrame spares(long epoch, byte[] entries) {
        Alternatives both = new Alternatives.Builder(TableDigest.of(entries))
                .run(2, new byte[] {1, 2})
                .build();
        return ManagerFrame.newBuilder()
                .setTablePush(TableCodec.push(new TableVersion(1, epoch), AlternativesCodec.whole(both)))
                .build();
    }

    /** What it took before, it has taken when it answers. */
    private static void served(Peer peer) throws InterruptedException {
        peer.send(ManagerFrame.newBuilder()
                .setPortQuery(PortQuery.newBuilder().addPorts(2))
                .build());
        assertThat(peer.next().hasPortReport()).isTrue();
    }

    @Test
    void shouldTakeTurnsAndAfterARestartADifference() throws Exception {
        MemoryPlane plane = MemoryPlane.ofGrid(0x30, "row0", 2);
        panel.attach(plane);
        Agent first = start(plane);
        Peer peer = manager.accept();
        assertThat(peer.welcome(2000).getHello().getAlternatives()).isTrue();
        peer.send(whole(5, TableKind.TURNS, TURNS));
        assertThat(peer.next().getTableAck().getDigest()).isEqualTo(TableDigest.of(TURNS));
        first.close();
        byte[] next = turns(2);
        start(plane);
        Peer again = manager.accept();
        assertThat(again.welcome(2000).getHello().getTable().getDigest()).isEqualTo(TableDigest.of(TURNS));
        again.send(difference(6, TURNS, next));
        assertThat(again.next().getTableAck().getDigest()).isEqualTo(TableDigest.of(next));
        again.send(difference(7, TURNS, turns(1)));
        assertThat(again.next().getTableRefusal().getReason()).isEqualTo(TableRefusal.Reason.BASE_MISMATCH);

        assertThat(plane.installed().kind()).isEqualTo(TableKind.TURNS);
        assertThat(plane.forward(1, 0, 0, new Random(1))).isEqualTo(new Hop(2, 0));
    }

    @Test
    void shouldTellWhatTheSwitchLeadsOverSpares() throws Exception {
        MemoryPlane plane = MemoryPlane.ofGrid(0x30, "row0", 2);
        MemoryPlane leaf = MemoryPlane.ofGrid(0x10, "leaf0", 1);
        MemoryPlane other = MemoryPlane.ofGrid(0x11, "leaf1", 1);
        List.of(plane, leaf, other).forEach(panel::attach);
        Agent first = start(plane);
        Peer peer = manager.accept();
        peer.welcomeTakingRepairs(2000);
        peer.send(whole(5, TableKind.TURNS, TURNS));
        assertThat(peer.next().hasTableAck()).isTrue();
        peer.send(spares(5, TURNS));
        served(peer);

        panel.cut(FIRST);
        assertThat(plane.forward(2, 1, 0, new Random(1)))
                .as("the only one left")
                .isEqualTo(new Hop(2, 1));
        assertThat(repair(peer)).isEqualTo(repair(1, 1, 0));
        panel.cut(SECOND);
        assertThat(repair(peer)).isEqualTo(repair(1, 0, 1));
        assertThat(repair(peer)).isEqualTo(repair(2, 0, 1));
        panel.restore(FIRST);
        assertThat(repair(peer)).isEqualTo(repair(1, 0, 0));
        assertThat(repair(peer)).isEqualTo(repair(2, 1, 0));
        first.close();
        start(plane);
        Peer again = manager.accept();
        again.welcomeTakingRepairs(2000);
        assertThat(repair(again)).as("still holds").isEqualTo(repair(2, 1, 0));
    }

    /** The next one told, whichever reports of ports come before it. */
    private static LocalRepair repair(Peer peer) throws InterruptedException {
        AgentFrame frame = peer.next();
        while (frame.hasPortReport()) {
            frame = peer.next();
        }
        return frame.getLocalRepair();
    }

    private static LocalRepair repair(int port, int moved, int stranded) {
        return LocalRepair.newBuilder()
                .setPort(port)
                .setMoved(moved)
                .setStranded(stranded)
                .build();
    }

    @Test
    void shouldRefuseTurnsThatItsPlaneCannotForwardByAndThoseThatAreNone() throws Exception {
        MemoryPlane plane = new MemoryPlane(0x30, "plain", 2);
        byte[] routes = {1, 2};
        byte[] wrong = TURNS.clone();
        wrong[TurnTable.VIRTUAL_CHANNELS_AT] = 3;
        Agent first = start(plane);
        Peer peer = manager.accept();
        peer.welcome(2000);
        peer.send(whole(5, TableKind.ROUTES, routes));
        assertThat(peer.next().hasTableAck()).isTrue();

        peer.send(whole(6, TableKind.TURNS, TURNS));

        TableRefusal refusal = peer.next().getTableRefusal();
        assertThat(refusal.getReason()).isEqualTo(TableRefusal.Reason.UNSUPPORTED);
        assertThat(refusal.getText()).isEqualTo("a table of turns, and the switch does not forward by input class");
        assertThat(refusal.getTable().getDigest()).isEqualTo(TableDigest.of(routes));
        assertThat(plane.port(1)).isEqualTo(2);
        first.close();
        MemoryPlane grid = MemoryPlane.ofGrid(0x30, "row0", 2);
        start(grid);
        Peer again = manager.accept();
        again.welcome(2000);

        again.send(whole(5, TableKind.TURNS, wrong));

        TableRefusal malformed = again.next().getTableRefusal();
        assertThat(malformed.getReason()).isEqualTo(TableRefusal.Reason.MALFORMED);
        assertThat(malformed.getText()).isEqualTo("table of turns: entry 255 is 3; expected 2 virtual channels");
        assertThat(grid.installed().entries()).isEmpty();
    }
}
