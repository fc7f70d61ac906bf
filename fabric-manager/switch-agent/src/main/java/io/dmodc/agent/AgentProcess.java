package io.dmodc.agent;

import io.dmodc.agent.plane.MemoryPlane;
import io.dmodc.settings.HostPort;
import io.dmodc.southbound.FrameLimits;
import io.dmodc.southbound.Guids;
import io.dmodc.southbound.Transport;
import io.netty.channel.EventLoopGroup;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One agent in a process of its own. The only place of the agent that reads a clock. */
final class AgentProcess {
    private static final Logger LOG = LoggerFactory.getLogger(AgentProcess.class);

    private final long guid;
    private final AgentSettings settings;
    private final Path file;
    private final Map<String, String> overrides;

    AgentProcess(long guid, AgentSettings settings, Path file, Map<String, String> overrides) {
        this.guid = guid;
        this.settings = settings;
        this.file = file;
        this.overrides = overrides;
    }

    /** Runs until the process is asked to end; its shutdown hook closes the agent. */
    void run() throws InterruptedException {
        String label = settings.name() == null ? Guids.text(guid) : settings.name();
        MemoryPlane plane = new MemoryPlane(guid, label, settings.plane().portCount());
        settings.plug(plane);
        EventLoopGroup loops = Transport.best().group(1, "switch-agent");
        CountDownLatch ended = new CountDownLatch(1);
        try {
            AgentConfig config = config();
            Agent agent = Agent.start(config, plane, loops);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(agent, loops, ended), "shutdown"));
            SettingsWatch watch = new SettingsWatch(file, overrides, plane);
            loops.scheduleWithFixedDelay(
                    watch, SettingsWatch.PERIOD_MILLIS, SettingsWatch.PERIOD_MILLIS, TimeUnit.MILLISECONDS);
            LOG.info(
                    "switch {}: agent started, incarnation {}",
                    Guids.text(guid),
                    Integer.toUnsignedString(config.incarnation()));
            ended.await();
        } finally {
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }

    private static void stop(Agent agent, EventLoopGroup loops, CountDownLatch ended) {
        agent.close();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
        ended.countDown();
    }

    private AgentConfig config() {
        int fromTime = (int) Instant.now().getEpochSecond();
        IncarnationFile store = settings.stateDir() == null ? null : new IncarnationFile(settings.stateDir());
        int incarnation = store == null ? fromTime : store.next(fromTime);
        IntConsumer remember = store == null ? raised -> {} : store::store;
        HostPort manager = settings.manager();
        InetSocketAddress address = InetSocketAddress.createUnresolved(manager.host(), manager.port());
        return new AgentConfig(address, detector(), incarnation, guid ^ incarnation, remember, FrameLimits.DEFAULT);
    }

    private @Nullable InetSocketAddress detector() {
        return settings.detector().enabled() ? settings.detector().listen().resolve() : null;
    }
}
