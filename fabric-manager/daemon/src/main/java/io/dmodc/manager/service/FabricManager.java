package io.dmodc.manager.service;

import io.dmodc.detector.net.RingKey;
import io.dmodc.manager.config.ManagerConfig;
import io.dmodc.manager.config.ManagerNumber;
import io.dmodc.manager.congestion.CongestionHistory;
import io.dmodc.manager.congestion.CongestionWorker;
import io.dmodc.manager.core.FabricEvent;
import io.dmodc.manager.core.FabricRules;
import io.dmodc.manager.core.FabricState;
import io.dmodc.manager.core.SwitchDomains;
import io.dmodc.manager.loop.ActPlanning;
import io.dmodc.manager.loop.EngineChoice;
import io.dmodc.manager.loop.EventLog;
import io.dmodc.manager.loop.FabricLoop;
import io.dmodc.manager.loop.QuietRebalance;
import io.dmodc.manager.loop.RouteWorker;
import io.dmodc.manager.northbound.NorthboundServer;
import io.dmodc.manager.opensm.OpenSmBridge;
import io.dmodc.manager.recording.EventRecorder;
import io.dmodc.manager.recording.RunStart;
import io.dmodc.manager.ring.ManagerRingMember;
import io.dmodc.manager.ring.RingKeyWatch;
import io.dmodc.manager.southbound.AgentRules;
import io.dmodc.manager.southbound.AgentServer;
import io.dmodc.manager.state.LeaderEpochs;
import io.dmodc.manager.state.StateRecord.LeaderEpoch;
import io.dmodc.manager.state.StoredState;
import io.dmodc.manager.store.EventJournal;
import io.dmodc.manager.store.ManagerNumberFile;
import io.dmodc.manager.store.StateStore;
import io.dmodc.settings.Reasons;
import io.dmodc.southbound.SouthboundProtocol;
import io.dmodc.subnet.OpenSmSettings;
import io.dmodc.topology.NodeTypes;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The running service: loop, worker, agent server and northbound server, opened in this order and closed in the reverse.
 */
public final class FabricManager implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FabricManager.class);

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final ManagerConfig config;

    /** The settings read last that could be used; by one reload at a time. */
    private volatile ManagerConfig lastRead;

    private final FabricLoop loop;
    private final EventLog eventLog;
    private final RouteWorker worker;
    private final AgentServer agents;
    private final NorthboundServer northbound;
    private final @Nullable ManagerRingMember ringMember;
    private final @Nullable RingKeyWatch keyWatch;
    private final @Nullable OpenSmBridge opensm;

    /**
     * Starts the service with the keys that the settings name.
     *
     * @param expected switches to wait for besides those known from the last run; empty when none are known
     * @throws IOException in one line when the state directory, a file of the settings or an address cannot be used
     * @throws IllegalArgumentException in one line when a state file or a list of the settings is damaged
     */
    public FabricManager(ManagerConfig config, Set<Long> expected) throws IOException {
        this(config, expected, ManagerKeys.read(config));
    }

    /**
     * Starts the service.
     *
     * @param keys whatever the settings say about them
     */
    public FabricManager(ManagerConfig config, Set<Long> expected, ManagerKeys keys) throws IOException {
        this.config = config;
        lastRead = config;
        try {
            StateStore store = opened(StateStore.open(config.stateDir()));
            EventJournal journal = new EventJournal(config.stateDir());
            eventLog = new EventLog(System::currentTimeMillis, journal.history(), journal.lastNumber());
            opened(new EventKeeper(journal, eventLog, System::nanoTime));
            RecordKeeper keeper = opened(new RecordKeeper(store));
            EngineChoice engines = engines(config.routing());
            worker = opened(engines.worker(threads(config.routing()), null));
            EffectPerformer shell = new EffectPerformer(config.detector(), worker, keeper, eventLog);
            int number = number(config);
            StoredState stored = store.state();
            LeaderEpoch term = term(stored, number);
            stored.apply(term);
            ringMember = ringMember(config.detector(), number, keys.ring().get());
            RunStart start = new RunStart(
                    config.rules(
                            domains(config.detector().domains()),
                            nodeTypes(config.routing().nodeTypes())),
                    System.nanoTime(),
                    System.currentTimeMillis(),
                    stored,
                    expected,
                    config.fabric().allow(),
                    ringMember == null ? null : ringMember.member(),
                    number,
                    engines);
            FabricState state = start.state();
            loop = new FabricLoop(state, shell, System::nanoTime);
            loop.follow(System::currentTimeMillis);
            agents = opened(new AgentServer(
                    config.southbound().listen().resolve(),
                    new AgentRules(
                            config.southbound().keepAlive(),
                            config.southbound().sessionsPerAddress(),
                            config.detector()::allows,
                            keys.agents()),
                    loop));
            if (keys.agents() == null) {
                LOG.warn(
                        "southbound.authentication: off: whoever reaches {} can speak for any switch",
                        agents.localAddress());
            }
            if (ringMember != null) {
                ringMember.connect(loop);
            }
            keeper.connect(loop);
            shell.connect(loop, agents, ringMember);
            OpenSmSettings opensmSettings = config.southbound().opensm();
            opensm = opensmSettings == null ? null : opened(new OpenSmBridge(opensmSettings, loop));
            if (opensm != null) {
                shell.connect(opensm);
            }
            // Durable before anybody hears of it. A start that fails as somebody has its address costs none: once a
            // second, it would use all up in weeks.
            NorthboundServer.requireFree(config.northbound().listen().resolve());
            store.append(List.of(term));
            // Opening one deletes the oldest: not for a start that fails.
            record(config.recording(), start);
            // Closed before the sessions are: their end is not a fault of the fabric then.
            opened(loop).start();
            if (opensm != null) {
                opensm.start();
            }
            CongestionHistory congestion = new CongestionHistory();
            northbound = opened(new NorthboundServer(
                    config.northbound().listen().resolve(),
                    loop,
                    congestion,
                    eventLog,
                    agents,
                    opened(new ActPlanning(engines, config.push().drain().isKnown(), threads(config.routing())))));
            if (config.quality().live()) {
                opened(CongestionWorker.start(loop, congestion));
            }
            opened(QuietRebalance.start(loop, engines, config.push().drain().isKnown()));
            if (ringMember != null) {
                northbound.show(ringMember.meters());
            }
            if (opensm != null) {
                northbound.show(opensm.meters());
            }
            keyWatch = ringMember == null ? null : opened(RingKeyWatch.start(keys.ring(), ringMember));
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private LeaderEpoch term(StoredState stored, int number) {
        try {
            return new LeaderEpoch(LeaderEpochs.ofStart(stored.leaderEpoch(), number));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("state directory " + config.stateDir() + ": " + e.getMessage(), e);
        }
    }

    /** The number of the settings, or the one drawn at the first start. */
    private static int number(ManagerConfig config) throws IOException {
        ManagerNumber named = config.manager().number();
        return named.isAuto() ? ManagerNumberFile.read(config.stateDir(), new SecureRandom()) : named.number();
    }

    /** A recording is for looking back: a manager that cannot write one starts all the same. */
    private void record(ManagerConfig.Recording settings, RunStart start) {
        if (settings.directory() == null) {
            return;
        }
        try {
            EventRecorder recorder = opened(EventRecorder.open(
                    settings.directory(), start, (long) settings.megabytes() << 20, settings.files()));
            loop.listen(recorder);
            LOG.info("events are recorded in {}", recorder.file());
        } catch (IOException e) {
            LOG.warn("events are not recorded: {}", e.getMessage());
        }
    }

    private static int threads(ManagerConfig.Routing routing) {
        return routing.threads() == 0 ? Runtime.getRuntime().availableProcessors() : routing.threads();
    }

    private static EngineChoice engines(ManagerConfig.Routing routing) throws IOException {
        ManagerConfig.Fallback fallback = routing.fallback();
        Path roots = routing.roots();
        return new EngineChoice(
                routing.engine().text(),
                fallback == null ? null : fallback.text(),
                roots == null ? null : lines("routing.roots", roots, "GUIDs of root switches, one a line"),
                String.valueOf(roots));
    }

    /** The second of the start is above that of any start before, also when the state directory was lost. */
    private @Nullable ManagerRingMember ringMember(ManagerConfig.Detector detector, int number, RingKey key)
            throws IOException {
        int incarnation = (int) Instant.now().getEpochSecond();
        return detector.enabled()
                ? opened(ManagerRingMember.open(
                        detector.listen().resolve(), SouthboundProtocol.managerGuid(number), incarnation, key))
                : null;
    }

    private static SwitchDomains domains(@Nullable Path file) throws IOException {
        if (file == null) {
            return SwitchDomains.none();
        }
        return SwitchDomains.parse(file.toString(), lines("detector.domains", file, "lines 'guid kind domain'"));
    }

    private static NodeTypes nodeTypes(@Nullable Path file) throws IOException {
        if (file == null) {
            return NodeTypes.NONE;
        }
        return NodeTypes.parse(
                file.toString(), lines("routing.node-types", file, "lines 'guid type' or 'name-pattern type'"));
    }

    private static List<String> lines(String setting, Path file, String expected) throws IOException {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new IOException(
                    setting + ": " + file + ": cannot be read (" + Reasons.of(e) + "); expected " + expected, e);
        }
    }

    private <T extends AutoCloseable> T opened(T part) {
        open.push(part);
        return part;
    }

    /** The manager's own place in the ring; {@code null} when it has none. */
    public @Nullable ManagerRingMember ringMember() {
        return ringMember;
    }

    /**
     * Reads settings, the files they name and the ring's key again, and asks all agents how their ports are. What counts from now on, and
     * what needs a restart, is told as an event; settings that cannot be used change nothing. Any thread.
     */
    public void reload(Supplier<ManagerConfig> source) {
        if (keyWatch != null) {
            keyWatch.look();
        }
        FabricRules rules = null;
        String text;
        try {
            ManagerConfig fresh = source.get();
            rules = fresh.rules(
                            domains(fresh.detector().domains()),
                            nodeTypes(fresh.routing().nodeTypes()))
                    .withDesign(config.design(), config.routing().groupOrder());
            text = Reload.of(config, lastRead, fresh).text();
            lastRead = fresh;
        } catch (IOException | RuntimeException e) {
            text = "settings not read again, those in force stay: " + e.getMessage();
        }
        try {
            loop.put(new FabricEvent.SettingsRead(loop.nowNanos(), rules, text + "; asking all ports"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Has all agents refuse tables older than this epoch from now on; what the newest tables are not older than.
     *
     * @return false when the loop's queue is full
     */
    public boolean revokeBelow(long fabricEpoch) {
        return loop.offer(new FabricEvent.RevokeAsked(loop.nowNanos(), fabricEpoch));
    }

    /** What stands for switches that OpenSM manages; {@code null} unless the settings have {@code southbound.opensm}. */
    public @Nullable OpenSmBridge opensm() {
        return opensm;
    }

    public FabricLoop loop() {
        return loop;
    }

    public EventLog eventLog() {
        return eventLog;
    }

    /** True once code that the next fault needs has been compiled: some seconds after the first tables. */
    public boolean warm() {
        return worker.warm();
    }

    /** Where agents connect. */
    public InetSocketAddress southboundAddress() {
        return agents.localAddress();
    }

    /** Where administrators connect. */
    public InetSocketAddress northboundAddress() {
        return northbound.localAddress();
    }

    @Override
    public void close() {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                LOG.warn("while closing", e);
            }
        }
    }
}
