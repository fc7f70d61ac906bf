package io.dmodc.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.agent.TinyManager.Peer;
import io.dmodc.agent.plane.Cable;
import io.dmodc.agent.plane.InstalledTable;
import io.dmodc.agent.plane.MemoryPlane;
import io.dmodc.agent.plane.Neighbour.SwitchPort;
import io.dmodc.agent.plane.PatchPanel;
import io.dmodc.detector.link.LinkRules;
import io.dmodc.detector.link.TransitHello;
import io.dmodc.southbound.TableVersion;
import io.dmodc.southbound.Transport;
import io.dmodc.southbound.proto.AgentFrame;
import io.dmodc.southbound.proto.ManagerFrame;
import io.dmodc.southbound.proto.TransitQuery;
import io.dmodc.southbound.proto.TransitReport;
import io.netty.channel.EventLoopGroup;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two leaves below a spine without an agent: hellos go through it by its table, and say whether it forwards. */
class TransitTest {
    private static final long SPINE = 0x30;
    private static final Cable FIRST = new Cable(0x10, 1, new SwitchPort(SPINE, 1));
    private static final Cable SECOND = new Cable(0x20, 2, new SwitchPort(SPINE, 2));
    private static final HelloConfig HELLO = new HelloConfig(1, LinkRules.of(50_000_000L, 3));

    /** Destination 0 is behind the first leaf, destination 1 behind the second. */
    private static final InstalledTable TABLE = new InstalledTable(new TableVersion(1, 1), new byte[] {1, 2});

    private final EventLoopGroup group = Transport.best().group(2, "test");
    private final TinyManager manager = new TinyManager(group);
    private final MemoryPlane first = new MemoryPlane(0x10, "first", 4);
    private final MemoryPlane second = new MemoryPlane(0x20, "second", 4);
    private final MemoryPlane spine = new MemoryPlane(SPINE, "spine", 4);
    private final PatchPanel panel = PatchPanel.of(List.of(FIRST, SECOND));
    private final List<Agent> agents = new ArrayList<>();

    @BeforeEach
    void connect() {
        List.of(first, second, spine).forEach(panel::attach);
        spine.force(TABLE);
    }

    @AfterEach
    void stop() {
        agents.forEach(Agent::close);
        manager.close();
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private Peer start(MemoryPlane plane) throws InterruptedException {
        return start(plane, HELLO);
    }

    private Peer start(MemoryPlane plane, HelloConfig hello) throws InterruptedException {
        AgentConfig config = AgentConfig.of(manager.address(), null, 7, plane.guid());
        agents.add(Agent.start(config.withHello(hello), plane, group));
        Peer peer = manager.accept();
        assertThat(peer.welcome(5000).getHello().getTransitHellos()).isTrue();
        return peer;
    }

    private static TransitReport ask(Peer peer, int port, int there, int back) throws InterruptedException {
        peer.send(ManagerFrame.newBuilder()
                .setTransitQuery(TransitQuery.newBuilder()
                        .setNumber(17)
                        .setPort(port)
                        .setThere(there)
                        .setBack(back))
                .build());
        AgentFrame frame = peer.next();
        while (!frame.hasTransitReport()) {
            frame = peer.next();
        }
        assertThat(frame.getTransitReport().getNumber()).isEqualTo(17);
        return frame.getTransitReport();
    }

    private static TransitReport report(int sent, int answered) {
        return TransitReport.newBuilder()
                .setNumber(17)
                .setSent(sent)
                .setAnswered(answered)
                .build();
    }

    @Test
    void shouldHearHellosThatASwitchForwards() throws Exception {
        Peer asker = start(first);
        Peer other = start(second);

        assertThat(ask(asker, 1, 1, 0)).isEqualTo(report(TransitHost.HELLOS, TransitHost.HELLOS));
        assertThat(ask(other, 2, 0, 1)).isEqualTo(report(TransitHost.HELLOS, TransitHost.HELLOS));
    }

    @Test
    void shouldSayThatNothingComesBackFromASwitchThatHangs() throws Exception {
        Peer asker = start(first);
        start(second);
        panel.hang(SPINE);
        assertThat(first.portState(1).up()).as("its ports stay lit").isTrue();

        assertThat(ask(asker, 1, 1, 0)).isEqualTo(report(TransitHost.HELLOS, 0));

        panel.resume(SPINE);
        assertThat(ask(asker, 1, 1, 0)).isEqualTo(report(TransitHost.HELLOS, TransitHost.HELLOS));
    }

    @Test
    void shouldGoByTheTableOfTheSwitchBothWays() throws Exception {
        Peer asker = start(first);
        start(second);

        assertThat(ask(asker, 1, 1, 1)).as("does not lead back").isEqualTo(report(TransitHost.HELLOS, 0));
        assertThat(ask(asker, 1, 7, 0)).as("leads nowhere").isEqualTo(report(TransitHost.HELLOS, 0));
    }

    @Test
    void shouldAnswerItselfByAnotherCable() throws Exception {
        PatchPanel two = PatchPanel.of(List.of(FIRST, new Cable(0x10, 3, new SwitchPort(SPINE, 3))));
        List.of(first, spine).forEach(two::attach);
        spine.force(new InstalledTable(new TableVersion(1, 2), new byte[] {1, 3}));
        Peer asker = start(first);

        assertThat(ask(asker, 1, 1, 0)).isEqualTo(report(TransitHost.HELLOS, TransitHost.HELLOS));
    }

    @Test
    void shouldSayThatNothingIsSentWhereThereIsNoSwitch() throws Exception {
        Peer asker = start(first);

        assertThat(ask(asker, 3, 1, 0)).isEqualTo(report(0, 0));
        assertThat(ask(asker, 9, 1, 0)).isEqualTo(report(0, 0));
        assertThat(ask(asker, 1, 1 << 19, 0)).isEqualTo(report(0, 0));
        assertThat(ask(asker, 1, 1, -1)).isEqualTo(report(0, 0));
    }

    @Test
    void shouldNotAnswerAnotherFabric() throws Exception {
        Peer asker = start(first);
        start(second, new HelloConfig(2, HELLO.rules()));

        assertThat(ask(asker, 1, 1, 0)).isEqualTo(report(TransitHost.HELLOS, 0));
    }

    /** Who knows no number that was drawn cannot say that a switch forwards. */
    @Test
    void shouldNotBelieveAnswersThatItDidNotAskFor() throws Exception {
        BlockingQueue<byte[]> asked = new LinkedBlockingQueue<>();
        Objects.requireNonNull(second.transits()).listen((port, hello) -> {
            byte[] copy = new byte[hello.remaining()];
            hello.duplicate().get(copy);
            asked.add(copy);
            TransitHello answer = new TransitHello();
            assertThat(answer.read(hello.duplicate())).isNull();
            answer.answer = true;
            answer.number++;
            ByteBuffer forged = ByteBuffer.allocate(TransitHello.LENGTH);
            answer.write(forged);
            Objects.requireNonNull(second.transits()).send(port, answer.back, forged.flip());
            answer.number--;
            answer.subjectGuid++;
            forged.clear();
            answer.write(forged);
            Objects.requireNonNull(second.transits()).send(port, answer.back, forged.flip());
        });
        Peer asker = start(first);

        assertThat(ask(asker, 1, 1, 0)).isEqualTo(report(TransitHost.HELLOS, 0));
        assertThat(asked).hasSize(TransitHost.HELLOS);
    }
}
