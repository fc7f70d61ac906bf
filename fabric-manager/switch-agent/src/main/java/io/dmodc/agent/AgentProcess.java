package io.dmodc.agent;

import io.dmodc.agent.AgentConfig.RingPlace;
import io.dmodc.detector.net.RingKey;
import io.dmodc.detector.net.RingLoop;
import io.dmodc.settings.HostPort;
import io.dmodc.settings.cli.HangUp;
import io.dmodc.southbound.FrameLimits;
import io.dmodc.southbound.Guids;
import io.dmodc.southbound.Transport;
import io.netty.channel.EventLoopGroup;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One agent in a process of its own. The only place of the agent that reads a clock. */
final class AgentProcess {
    /** How often the file that lists the cables is looked at. */
    private static final long LOOK_MILLIS = 200;

    /** How often it is looked whether the file of the ring's key changed. */
    private static final long KEY_MILLIS = 5_000;

    /** When what the start left behind is thrown away: about a tenth of what the process keeps, in 10 to 30 ms. */
    private static final long SWEEP_SECONDS = 5;

    private static final Logger LOG = LoggerFactory.getLogger(AgentProcess.class);

    private final long guid;
    private final AgentSettings settings;
    private final Path file;
    private final Map<String, String> overrides;

    /** What a signal finds. */
    private record Running(Agent agent, Supplier<RingKey> ringKey) {}

    private AgentProcess(long guid, AgentSettings settings, Path file, Map<String, String> overrides) {
        this.guid = guid;
        this.settings = settings;
        this.file = file;
        this.overrides = overrides;
    }

    /** Runs until the process is asked to end; its shutdown hook closes the agent. */
    static void run(AgentSettings settings, Path file, Map<String, String> overrides) throws InterruptedException {
        new AgentProcess(settings.identity(file + ": "), settings, file, overrides).run();
    }

    private void run() throws InterruptedException {
        PlaneHost host = PlaneHost.open(guid, settings, file, overrides);
        CableList cables = host.cables();
        // What leads packets around a dead cable goes before what tells the manager of it. For one connection the JDK's
        // selector, which
        // cables and ring use anyway, is enough, and no native library is unpacked.
        EventLoopGroup loops = Transport.NIO.group(1, "switch-agent", Thread.MIN_PRIORITY);
        // Not on the event loop: while a large topology is read, heartbeats must go on.
        ScheduledExecutorService editor = Executors.newSingleThreadScheduledExecutor(AgentProcess::editorThread);
        RingLoop ringLoop = RingLoop.start("detector");
        CountDownLatch ended = new CountDownLatch(1);
        try {
            AtomicReference<Running> running = new AtomicReference<>();
            AtomicBoolean asked = new AtomicBoolean();
            // First of all: without it, a SIGHUP during the start would end the process.
            HangUp.handle(() -> {
                if (asked.compareAndSet(false, true)) {
                    editor.execute(() -> {
                        asked.set(false);
                        refresh(cables, running.get());
                    });
                }
            });
            Supplier<RingKey> ringKey =
                    settings.detector().enabled() ? settings.detector().key() : RingKey::none;
            AgentConfig config = config(ringKey.get(), ringLoop);
            if (config.tls() == null) {
                LOG.warn(
                        "switch {}: authentication: off: whoever answers at {} can have this switch forward as it likes",
                        Guids.text(guid),
                        settings.manager());
            }
            Agent agent = Agent.start(config, host.plane(), loops);
            if (config.hello() != null && host.plane().hellos() == null) {
                LOG.info(
                        "switch {}: this plane carries no hellos, so the state of the ports alone counts",
                        Guids.text(guid));
            }
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(() -> stop(agent, host, loops, ringLoop, ended), "shutdown"));
            editor.scheduleWithFixedDelay(
                    () -> agent.useRingKey(ringKey.get()), KEY_MILLIS, KEY_MILLIS, TimeUnit.MILLISECONDS);
            editor.schedule(System::gc, SWEEP_SECONDS, TimeUnit.SECONDS);
            running.set(new Running(agent, ringKey));
            host.start();
            if (cables != null) {
                editor.scheduleWithFixedDelay(cables::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
            }
            LOG.info(
                    "switch {}: agent started, incarnation {}",
                    Guids.text(guid),
                    Integer.toUnsignedString(config.incarnation()));
            ended.await();
        } finally {
            editor.shutdownNow();
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            ringLoop.close();
        }
    }

    private void refresh(@Nullable CableList cables, @Nullable Running running) {
        if (running != null) {
            LOG.info("switch {}: SIGHUP: cables are read again, all ports are told", Guids.text(guid));
            running.agent.useRingKey(running.ringKey.get());
            if (cables != null) {
                cables.readAgain();
            }
            running.agent.refresh();
        }
    }

    private static Thread editorThread(Runnable work) {
        Thread thread = new Thread(work, "cables");
        thread.setDaemon(true);
        return thread;
    }

    private static void stop(
            Agent agent, PlaneHost host, EventLoopGroup loops, RingLoop ringLoop, CountDownLatch ended) {
        agent.close();
        host.close();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
        ringLoop.close();
        ended.countDown();
    }

    private AgentConfig config(RingKey ringKey, RingLoop ringLoop) {
        int fromTime = (int) Instant.now().getEpochSecond();
        IncarnationFile store = settings.stateDir() == null ? null : new IncarnationFile(settings.stateDir());
        int incarnation = store == null ? fromTime : store.next(fromTime);
        IntConsumer remember = store == null ? raised -> {} : store::store;
        HostPort manager = settings.manager();
        InetSocketAddress address = InetSocketAddress.createUnresolved(manager.host(), manager.port());
        return new AgentConfig(
                address,
                place(ringKey, ringLoop),
                incarnation,
                guid ^ incarnation,
                remember,
                FrameLimits.DEFAULT,
                hello(),
                settings.tls());
    }

    private @Nullable HelloConfig hello() {
        AgentSettings.Links links = settings.links();
        return links.hello() ? new HelloConfig(links.cluster(), links.rules()) : null;
    }

    private @Nullable RingPlace place(RingKey key, RingLoop ringLoop) {
        AgentSettings.Detector detector = settings.detector();
        return detector.enabled() ? new RingPlace(detector.listen().resolve(), key, ringLoop) : null;
    }
}
