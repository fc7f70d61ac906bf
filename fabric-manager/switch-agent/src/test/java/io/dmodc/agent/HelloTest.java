package io.dmodc.agent;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.dmodc.agent.TinyManager.Peer;
import io.dmodc.agent.plane.Cable;
import io.dmodc.agent.plane.MemoryPlane;
import io.dmodc.agent.plane.Neighbour.SwitchPort;
import io.dmodc.agent.plane.PatchPanel;
import io.dmodc.detector.link.LinkRules;
import io.dmodc.southbound.Transport;
import io.dmodc.southbound.proto.LocalRepair;
import io.dmodc.southbound.proto.Port;
import io.dmodc.southbound.proto.Port.Hello;
import io.netty.channel.EventLoopGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Two agents with hellos over one cable, each at a tiny manager: what they report of it, whenever they get to it. */
class HelloTest {
    private static final Cable CABLE = new Cable(0x10, 1, new SwitchPort(0x20, 2));
    private static final HelloConfig HELLO = new HelloConfig(1, LinkRules.of(20_000_000L, 5));

    private final EventLoopGroup group = Transport.best().group(2, "test");
    private final TinyManager leafManager = new TinyManager(group);
    private final TinyManager spineManager = new TinyManager(group);
    private final MemoryPlane leaf = new MemoryPlane(0x10, "leaf", 4);
    private final MemoryPlane spine = new MemoryPlane(0x20, "spine", 4);
    private final PatchPanel panel = PatchPanel.of(List.of(CABLE));
    private final List<Agent> agents = new ArrayList<>();

    @BeforeEach
    void connect() {
        panel.attach(leaf);
        panel.attach(spine);
    }

    @AfterEach
    void stop() {
        agents.forEach(Agent::close);
        leafManager.close();
        spineManager.close();
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private Agent start(MemoryPlane plane, TinyManager manager) {
        return start(plane, manager, HELLO);
    }

    private Agent start(MemoryPlane plane, TinyManager manager, HelloConfig hello) {
        AgentConfig config = AgentConfig.of(manager.address(), null, 7, plane.guid());
        Agent agent = Agent.start(config.withHello(hello), plane, group);
        agents.add(agent);
        return agent;
    }

    /** Takes frames in until one reports the cable's port so; returns it. */
    private static Port awaitPort(Peer peer, boolean up, Hello hello) throws InterruptedException {
        while (true) {
            for (Port port : peer.next().getPortReport().getPortsList()) {
                if (port.hasSwitchNeighbour() && port.getUp() == up && port.getHello() == hello) {
                    return port;
                }
            }
        }
    }

    @Test
    void shouldReportASilentCableUnheardAtBothEndsAndSureWhenItCarriesAgain() throws Exception {
        start(leaf, leafManager);
        start(spine, spineManager);
        Peer leafPeer = leafManager.accept();
        Peer spinePeer = spineManager.accept();
        leafPeer.welcome(10_000);
        spinePeer.welcome(10_000);

        panel.mute(0x10, 1);
        awaitPort(spinePeer, true, Hello.UNHEARD);
        awaitPort(leafPeer, true, Hello.UNHEARD);
        panel.unmute(CABLE);

        assertThat(awaitPort(leafPeer, true, Hello.SURE).getNumber()).isEqualTo(1);
        assertThat(awaitPort(spinePeer, true, Hello.SURE).getNumber()).isEqualTo(2);
    }

    @Test
    void shouldReportThePortUnheardWhenTheFarAgentHangsAndSureWhenItIsStartedAnew() throws Exception {
        start(leaf, leafManager);
        Agent hung = start(spine, spineManager);
        Peer leafPeer = leafManager.accept();
        leafPeer.welcome(10_000);

        hung.silence();
        awaitPort(leafPeer, true, Hello.UNHEARD);
        start(spine, spineManager);

        awaitPort(leafPeer, true, Hello.SURE);
    }

    @Test
    void shouldReportThePortDownWhenTheCableIsCut() throws Exception {
        start(leaf, leafManager);
        start(spine, spineManager);
        Peer leafPeer = leafManager.accept();
        leafPeer.welcome(10_000);

        panel.cut(CABLE);
        awaitPort(leafPeer, false, Hello.SURE);
        panel.restore(CABLE);

        awaitPort(leafPeer, true, Hello.SURE);
    }

    /** At once, without any manager; and a cable that is plugged in again is used when both ends hear each other. */
    @Test
    void shouldTellThePlaneWhichPortsAreUsable() throws Exception {
        ToldPlane told = new ToldPlane(leaf);
        AgentConfig config = AgentConfig.of(leafManager.address(), null, 7, leaf.guid());
        agents.add(Agent.start(config.withHello(HELLO), told, group));
        start(spine, spineManager);

        assertThat(next(told, 1)).isTrue();
        panel.mute(0x10, 1);
        assertThat(next(told, 1)).isFalse();
        panel.unmute(CABLE);
        assertThat(next(told, 1)).isTrue();
        panel.cut(CABLE);
        assertThat(next(told, 1)).isFalse();
        panel.restore(CABLE);
        assertThat(next(told, 1)).isTrue();
    }

    private static boolean next(ToldPlane told, int port) throws InterruptedException {
        while (true) {
            ToldPlane.Usable said =
                    Objects.requireNonNull(told.told.poll(30, TimeUnit.SECONDS), "nothing more is said");
            if (said.port() == port) {
                return said.usable();
            }
        }
    }

    @Test
    void shouldTellTheManagerWhatThePlaneRepaired() throws Exception {
        ToldPlane plane = new ToldPlane(leaf);
        AgentConfig config = AgentConfig.of(leafManager.address(), null, 7, leaf.guid());
        agents.add(Agent.start(config.withHello(HELLO), plane, group));
        Peer peer = leafManager.accept();
        plane.listener.repaired(1, 5, 2);
        peer.welcomeTakingRepairs(10_000);

        LocalRepair said = peer.next().getLocalRepair();
        while (said.getPort() == 0) {
            said = peer.next().getLocalRepair();
        }
        assertThat(said.getMoved()).isEqualTo(5);
        assertThat(said.getStranded()).isEqualTo(2);
    }

    /** links.cluster differs by mistake: both ends stay unheard, and each log says why, once. */
    @Test
    void shouldSayOnceWhyHellosAreDropped() throws Exception {
        BlockingQueue<String> told = new LinkedBlockingQueue<>();
        Logger logger = (Logger) LoggerFactory.getLogger(LinkHost.class);
        AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent event) {
                told.add(event.getFormattedMessage());
            }
        };
        appender.start();
        logger.addAppender(appender);
        try {
            start(leaf, leafManager);
            start(spine, spineManager, new HelloConfig(2, HELLO.rules()));
            Peer leafPeer = leafManager.accept();
            leafPeer.welcome(10_000);
            List<String> both = List.of(
                    Objects.requireNonNull(told.poll(30, TimeUnit.SECONDS)),
                    Objects.requireNonNull(told.poll(30, TimeUnit.SECONDS)));
            awaitPort(leafPeer, true, Hello.UNHEARD);

            assertThat(both)
                    .containsExactlyInAnyOrder(
                            "switch 0x10 port 1: drops hellos of cluster 2; expected links.cluster 1",
                            "switch 0x20 port 2: drops hellos of cluster 1; expected links.cluster 2");
            assertThat(told).isEmpty();
        } finally {
            logger.detachAppender(appender);
        }
    }
}
