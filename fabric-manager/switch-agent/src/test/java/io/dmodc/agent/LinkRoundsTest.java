package io.dmodc.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.agent.plane.Cable;
import io.dmodc.agent.plane.HelloChannel;
import io.dmodc.agent.plane.MemoryPlane;
import io.dmodc.agent.plane.Neighbour.SwitchPort;
import io.dmodc.agent.plane.PatchPanel;
import io.dmodc.detector.link.LinkRules;
import io.netty.channel.DefaultEventLoop;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Hellos on a plane that has a thread for them: a thread whose rounds the test makes. */
class LinkRoundsTest {
    private static final LinkRules RULES = LinkRules.of(TimeUnit.MILLISECONDS.toNanos(50), 3);
    private static final List<Cable> CABLES =
            List.of(new Cable(0x10, 1, new SwitchPort(0x20, 1)), new Cable(0x10, 2, new SwitchPort(0x20, 2)));

    private final DefaultEventLoop loop = new DefaultEventLoop();
    private final MemoryPlane leaf = new MemoryPlane(0x10, "leaf", 2);
    private final PatchPanel panel = PatchPanel.of(CABLES);
    private final Carrier carrier = new Carrier();
    private final LinkHost host;

    LinkRoundsTest() {
        panel.attach(leaf);
        panel.attach(new MemoryPlane(0x20, "spine", 2));
        host = Objects.requireNonNull(
                LinkHost.open(loop, new ToldPlane(leaf, carrier), new HelloConfig(1, RULES), 1, port -> {}));
    }

    @AfterEach
    void end() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    /** Keeps what is said. */
    private static final class Carrier implements HelloChannel, HelloChannel.Rounds {
        final List<Integer> said = new ArrayList<>();
        Round round = read -> 0;
        int calls;

        @Override
        public void send(int port, ByteBuffer hello) {
            said.add(port);
        }

        @Override
        public void listen(Listener listener) {}

        @Override
        public Rounds rounds() {
            return this;
        }

        @Override
        public void begin(Round wanted) {
            round = wanted;
        }

        @Override
        public void call() {
            calls++;
        }
    }

    @Test
    void shouldMakeNoRoundsWhileNoPortHasCarrier() {
        CABLES.forEach(panel::cut);

        leaf.ports().forEach(host::see);

        assertThat(carrier.calls).isZero();
        assertThat(carrier.round.run(System.nanoTime())).isEqualTo(Long.MAX_VALUE);
        assertThat(carrier.said).isEmpty();
    }

    @Test
    void shouldMakeTwoRoundsInAnIntervalForAllPortsTogether() {
        leaf.ports().forEach(host::see);
        long next = carrier.round.run(System.nanoTime()) - System.nanoTime();

        assertThat(carrier.said).as("at the start").containsExactly(1, 2);
        assertThat(carrier.calls).isPositive();
        assertThat(next).isLessThan(RULES.transmitNanos() / 2);
    }

    @Test
    void shouldCountOneThatCameEarlyAsARound() {
        leaf.ports().forEach(host::see);

        long[] next = LongStream.generate(() -> carrier.round.run(System.nanoTime()))
                .limit(8)
                .toArray();

        assertThat(next).as("each as far from the one before it").doesNotHaveDuplicates();
    }

    @Test
    void shouldEndItsRoundsWithTheLastCarrier() {
        leaf.ports().forEach(host::see);
        CABLES.forEach(panel::cut);
        leaf.ports().forEach(host::see);

        assertThat(carrier.round.run(System.nanoTime())).isEqualTo(Long.MAX_VALUE);
    }
}
