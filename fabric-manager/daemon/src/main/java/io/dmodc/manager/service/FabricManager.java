package io.dmodc.manager.service;

import io.dmodc.detector.net.RingKey;
import io.dmodc.manager.config.ManagerConfig;
import io.dmodc.manager.config.ManagerConfig.Authentication;
import io.dmodc.manager.core.FabricEvent;
import io.dmodc.manager.core.FabricRules;
import io.dmodc.manager.core.FabricState;
import io.dmodc.manager.core.SwitchDomains;
import io.dmodc.manager.loop.EventLog;
import io.dmodc.manager.loop.FabricLoop;
import io.dmodc.manager.loop.RouteWorker;
import io.dmodc.manager.northbound.NorthboundServer;
import io.dmodc.manager.ring.ManagerRingMember;
import io.dmodc.manager.southbound.AgentServer;
import io.dmodc.manager.state.StateRecord.LeaderEpoch;
import io.dmodc.manager.state.StoredState;
import io.dmodc.manager.store.EventJournal;
import io.dmodc.manager.store.StateStore;
import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.check.SurplusEntryRule;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.routing.minhop.MinHop;
import io.dmodc.routing.updown.RootGuids;
import io.dmodc.routing.updown.UpDown;
import io.dmodc.southbound.SouthboundProtocol;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The running service: loop, worker, agent server and northbound server, opened in this order and closed in the reverse.
 */
public final class FabricManager implements AutoCloseable {
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

    /**
     * Starts the service with the key of the ring that the settings name.
     *
     * @param expected switches to wait for besides those known from the last run; empty when none are known
     * @throws IOException in one line when the state directory, a file of the settings or an address cannot be used
     * @throws IllegalArgumentException in one line when a state file or a list of the settings is damaged
     */
    public FabricManager(ManagerConfig config, Set<Long> expected) throws IOException {
        this(config, expected, key(config.detector()));
    }

    /**
     * Starts the service.
     *
     * @param key of the ring, whatever the settings say about one
     */
    public FabricManager(ManagerConfig config, Set<Long> expected, RingKey key) throws IOException {
        this.config = config;
        lastRead = config;
        try {
            StateStore store = opened(StateStore.open(config.stateDir()));
            EventJournal journal = new EventJournal(config.stateDir());
            eventLog = new EventLog(System::currentTimeMillis, journal.history(), journal.lastNumber());
            opened(new EventKeeper(journal, eventLog, System::nanoTime));
            RecordKeeper keeper = opened(new RecordKeeper(store));
            worker = opened(worker(config.routing()));
            EffectPerformer shell = new EffectPerformer(config.detector(), worker, keeper, eventLog);
            SwitchDomains domains = domains(config.detector().domains());
            StoredState stored = nextTerm(store);
            FabricState state = new FabricState(
                    config.rules(domains), System.nanoTime(), System.currentTimeMillis(), stored, expected);
            state.allow(config.fabric().allow());
            ManagerConfig.Fallback fallback = config.routing().fallback();
            if (fallback != null) {
                state.fallBackTo(fallback.text());
            }
            loop = new FabricLoop(state, shell, System::nanoTime);
            agents = opened(new AgentServer(
                    config.southbound().listen().resolve(), config.southbound().keepAlive(), loop));
            ringMember = ringMember(config.detector(), key);
            if (ringMember != null) {
                opened(ringMember).connect(loop);
                state.takeRingPlace(ringMember.member());
            }
            keeper.connect(loop);
            shell.connect(loop, agents, ringMember);
            // Closed before the sessions are: their end is not a fault of the fabric then.
            opened(loop).start();
            northbound =
                    opened(new NorthboundServer(config.northbound().listen().resolve(), loop, eventLog, agents));
            if (ringMember != null) {
                northbound.show(ringMember.meters());
            }
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /** What the last run left, with a leader epoch above it that is durable already. */
    private static StoredState nextTerm(StateStore store) throws IOException {
        StoredState stored = store.state();
        LeaderEpoch next = new LeaderEpoch(stored.leaderEpoch() + 1);
        store.append(List.of(next));
        stored.apply(next);
        return stored;
    }

    private static RouteWorker worker(ManagerConfig.Routing routing) throws IOException {
        int threads = routing.threads() == 0 ? Runtime.getRuntime().availableProcessors() : routing.threads();
        RootGuids roots = roots(routing.roots());
        RoutingEngine engine = switch (routing.engine()) {
            case DMODC -> Dmodc.strict();
            case DMODC_PLAIN -> Dmodc.plain();
            case MINHOP -> new MinHop();
            case UPDN -> new UpDown(roots);
        };
        boolean strict = routing.engine() == ManagerConfig.Engine.DMODC;
        return new RouteWorker(
                engine,
                strict ? SurplusEntryRule.FORBIDDEN : SurplusEntryRule.NOTED,
                fallback(routing.fallback(), roots),
                threads,
                null);
    }

    private static @Nullable RoutingEngine fallback(
            ManagerConfig.@Nullable Fallback fallback, @Nullable RootGuids roots) {
        if (fallback == null) {
            return null;
        }
        return switch (fallback) {
            case MINHOP -> new MinHop();
            case UPDN -> new UpDown(roots);
        };
    }

    private static RingKey key(ManagerConfig.Detector detector) throws IOException {
        if (!detector.enabled() || detector.authentication() == Authentication.OFF) {
            return RingKey.none();
        }
        try {
            return RingKey.read(detector.keyFile());
        } catch (IOException e) {
            throw new IOException("detector.key-file: " + e.getMessage(), e);
        }
    }

    /** The second of the start is above that of any start before, also when the state directory was lost. */
    private static @Nullable ManagerRingMember ringMember(ManagerConfig.Detector detector, RingKey key)
            throws IOException {
        int incarnation = (int) Instant.now().getEpochSecond();
        return detector.enabled()
                ? ManagerRingMember.open(
                        detector.listen().resolve(), SouthboundProtocol.managerGuid(0), incarnation, key)
                : null;
    }

    private static SwitchDomains domains(@Nullable Path file) throws IOException {
        if (file == null) {
            return SwitchDomains.none();
        }
        return SwitchDomains.parse(file.toString(), lines("detector.domains", file, "lines 'guid kind domain'"));
    }

    private static @Nullable RootGuids roots(@Nullable Path file) throws IOException {
        if (file == null) {
            return null;
        }
        return RootGuids.parse(file.toString(), lines("routing.roots", file, "GUIDs of root switches, one a line"));
    }

    private static List<String> lines(String setting, Path file, String expected) throws IOException {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new IOException(setting + ": " + file + ": cannot be read (" + e + "); expected " + expected, e);
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
     * Reads settings and the files they name again, and asks all agents how their ports are. What counts from now on, and
     * what needs a restart, is told as an event; settings that cannot be used change nothing. Any thread.
     */
    public void reload(Supplier<ManagerConfig> source) {
        FabricRules rules = null;
        String text;
        try {
            ManagerConfig fresh = source.get();
            rules = fresh.rules(domains(fresh.detector().domains())).withDesign(config.design());
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
                org.slf4j.LoggerFactory.getLogger(FabricManager.class).warn("while closing", e);
            }
        }
    }
}
