package io.dmodc.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.agent.plane.Cable;
import io.dmodc.agent.plane.MemoryPlane;
import io.dmodc.agent.plane.Neighbour.SwitchPort;
import io.dmodc.agent.plane.PatchPanel;
import io.dmodc.detector.link.LinkRules;
import io.netty.channel.DefaultEventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When the hellos of a switch wake its loop: a loop whose timers the test fires. */
class LinkHostTest {
    private static final long INTERVAL = TimeUnit.MILLISECONDS.toNanos(10);
    private static final LinkRules RULES = LinkRules.of(INTERVAL, 5);
    private static final Cable CABLE = new Cable(0x10, 1, new SwitchPort(0x20, 2));

    private final WatchedLoop loop = new WatchedLoop();
    private final MemoryPlane leaf = new MemoryPlane(0x10, "leaf", 4);
    private final MemoryPlane spine = new MemoryPlane(0x20, "spine", 4);
    private final PatchPanel panel = PatchPanel.of(List.of(CABLE));
    private final List<String> said = new ArrayList<>();
    private final LinkHost host;

    LinkHostTest() {
        panel.attach(leaf);
        panel.attach(spine);
        Objects.requireNonNull(spine.hellos()).listen((port, hello) -> said.add("hello"));
        host = Objects.requireNonNull(LinkHost.open(loop, leaf, new HelloConfig(1, RULES), 1, port -> {}));
    }

    @AfterEach
    void end() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    private record Timer(Runnable work, long delayNanos) {}

    private static final class WatchedLoop extends DefaultEventLoop {
        final List<Timer> timers = new CopyOnWriteArrayList<>();

        @Override
        public ScheduledFuture<?> schedule(Runnable work, long delay, TimeUnit unit) {
            timers.add(new Timer(work, unit.toNanos(delay)));
            return super.schedule(() -> {}, 1, TimeUnit.HOURS);
        }

        @Override
        public ScheduledFuture<?> scheduleAtFixedRate(Runnable work, long first, long period, TimeUnit unit) {
            return schedule(work, first, unit);
        }
    }

    @Test
    void shouldNotWakeWhileNoPortHasCarrier() {
        panel.cut(CABLE);
        loop.submit(() -> {}).awaitUninterruptibly();

        leaf.ports().forEach(host::see);

        assertThat(loop.timers).isEmpty();
        assertThat(said).isEmpty();
    }

    @Test
    void shouldWakeForTheNextHelloAndNotBefore() {
        host.see(leaf.portState(1));
        assertThat(said).as("at the start").hasSize(1);

        assertThat(loop.timers).hasSize(1);
        Timer timer = loop.timers.get(0);
        assertThat(timer.delayNanos).isBetween(RULES.slowNanos() / 2, RULES.slowNanos());
        timer.work.run();
        assertThat(said).as("too early").hasSize(1);
        assertThat(loop.timers).hasSize(1);
    }

    @Test
    void shouldRestAfterTheLastCarrierIsGone() {
        host.see(leaf.portState(1));
        panel.cut(CABLE);
        host.see(leaf.portState(1));

        loop.timers.get(0).work.run();

        assertThat(loop.timers).hasSize(1);
        assertThat(said).hasSize(1);
    }
}
