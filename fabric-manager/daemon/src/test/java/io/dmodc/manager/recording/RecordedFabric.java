package io.dmodc.manager.recording;

import io.dmodc.manager.config.ManagerConfig;
import io.dmodc.manager.core.Act;
import io.dmodc.manager.core.Act.Verb;
import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.FabricEvent;
import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.core.FabricEvent.AgentJoined;
import io.dmodc.manager.core.FabricEvent.AgentLeft;
import io.dmodc.manager.core.FabricEvent.HeldTable;
import io.dmodc.manager.core.FabricEvent.Persisted;
import io.dmodc.manager.core.FabricEvent.PortsReported;
import io.dmodc.manager.core.FabricEvent.RingAddress;
import io.dmodc.manager.core.FabricEvent.TableAcked;
import io.dmodc.manager.core.FabricEvent.TimePassed;
import io.dmodc.manager.core.FabricRules;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.RebalanceRule;
import io.dmodc.manager.core.SwitchDomains;
import io.dmodc.manager.loop.EngineChoice;
import io.dmodc.manager.loop.FabricLoop;
import io.dmodc.manager.loop.RouteWorker;
import io.dmodc.manager.loop.TurnListener;
import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.LeaderEpoch;
import io.dmodc.manager.state.StoredState;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GroupOrder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.NodeTypes;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import io.dmodc.topology.rates.SlowLinkUse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentSkipListMap;
import org.awaitility.Awaitility;

/** A real loop and a real worker with a whole PGFT behind them; the fixture plays the agents and the store. */
final class RecordedFabric implements AutoCloseable {
    private static final int[] NO_PORTS = {};

    /** Read and changed under its own lock. */
    private final FabricViewBuilder metal;

    private final FabricView whole;
    private final Map<Long, Integer> sessions = new ConcurrentSkipListMap<>();
    private final FabricLoop loop;
    private final RouteWorker worker;
    private int lastSession;
    private final RunStart start;

    /** What was given to the store, under its own lock. */
    private final StoredState stored;

    RecordedFabric(RunStart start, String pgft, TurnListener listener) {
        this.start = start;
        metal = PgftGenerator.generate(PgftShape.parse(pgft));
        whole = metal.build(0, new NodeIndexMap(), new GuidNumbers());
        stored = StoredState.of(start.stored().records());
        worker = start.engines().worker(2, null);
        loop = new FabricLoop(start.state(), this::perform, System::nanoTime);
        loop.listen(listener);
        loop.start();
    }

    static FabricRules rules() {
        FabricRules usual = ManagerConfig.defaults().rules(SwitchDomains.none(), NodeTypes.NONE);
        long milli = Duration.ofMillis(1).toNanos();
        return new FabricRules(
                usual.ackTimeoutNanos(),
                usual.pushTries(),
                usual.drainNanos(),
                10 * milli,
                20 * milli,
                usual.flapMemoryNanos(),
                usual.settleNanos(),
                100 * milli,
                usual.discoveryTimeoutNanos(),
                usual.connectedPercent(),
                milli,
                usual.ringSeed(),
                SwitchDomains.parse("domains", List.of("0x10 rack r1", "manager feed a # comment")),
                GroupOrder.PLANE,
                NodeTypes.parse("types", List.of("io-* io")),
                null,
                new RebalanceRule(RebalanceRule.Policy.QUIET, 77),
                SlowLinkUse.IGNORE);
    }

    static RunStart start(Iterable<? extends StateRecord> records, Set<Long> expected) {
        return new RunStart(
                rules(),
                System.nanoTime(),
                1_800_000_000_000L,
                StoredState.of(records),
                expected,
                List.of(0x77L),
                null,
                3,
                new EngineChoice("dmodc", "updn", null, "roots"));
    }

    static RunStart firstStart(String pgft) {
        FabricView view = PgftGenerator.generate(PgftShape.parse(pgft)).build(0, new NodeIndexMap(), new GuidNumbers());
        Set<Long> guids = new HashSet<>();
        for (int s = 0; s < view.switchCount(); s++) {
            guids.add(view.switchGuid(s));
        }
        return start(List.of(new LeaderEpoch(1)), guids);
    }

    private void perform(Effect effect) {
        if (effect instanceof Effect.Compute compute) {
            worker.start(compute, loop);
        } else if (effect instanceof Effect.Push push) {
            tell(new TableAcked(
                    loop.nowNanos(),
                    push.session(),
                    push.update().guid(),
                    push.update().fabricEpoch(),
                    push.update().resultDigest()));
        } else if (effect instanceof Effect.QueryPorts query) {
            sessions.forEach((guid, session) -> {
                if (session == query.session()) {
                    tell(report(
                            guid, query.ports().stream().mapToInt(port -> port).toArray()));
                }
            });
        } else if (effect instanceof Effect.Persist persist) {
            synchronized (stored) {
                persist.records().forEach(stored::apply);
            }
            tell(new Persisted(loop.nowNanos(), persist.number()));
        }
    }

    void tell(FabricEvent event) {
        if (!loop.offer(event)) {
            throw new AssertionError("the queue is full");
        }
    }

    long now() {
        return loop.nowNanos();
    }

    /** What is known once all was taken in that was told before, and the effects of that were performed. */
    FabricSnapshot known() {
        return loop.tell(new TimePassed(now())).join();
    }

    void joinAll() {
        for (int s = 0; s < whole.switchCount(); s++) {
            join(whole.switchGuid(s));
        }
        awaitCalm();
    }

    synchronized void join(long guid) {
        int session = ++lastSession;
        sessions.put(guid, session);
        tell(new AgentJoined(
                now(),
                session,
                guid,
                metal.name(guid),
                metal.portCount(guid),
                session,
                new HeldTable(0, 0, 0, 0),
                new RingAddress("127.0.0.1", 0)));
        tell(report(guid, NO_PORTS));
    }

    void leave(long guid) {
        int session = Objects.requireNonNull(sessions.remove(guid));
        tell(new AgentLeft(now(), session, guid, "gone"));
    }

    /** @param ports none: a complete report */
    private PortsReported report(long guid, int... ports) {
        List<PortSeen> seen = new ArrayList<>();
        synchronized (metal) {
            for (int port = 1; port <= metal.portCount(guid); port++) {
                int number = port;
                if (ports.length == 0 || java.util.Arrays.stream(ports).anyMatch(one -> one == number)) {
                    seen.add(new PortSeen(guid, port, metal.saysUp(guid, port), metal.neighbour(guid, port)));
                }
            }
        }
        return new PortsReported(now(), sessions.getOrDefault(guid, 0), guid, ports.length == 0, seen);
    }

    /** Pulls a cable between switches, or plugs it in; both ends tell. */
    private void set(int s, int port, boolean up) {
        int peer = whole.peerSwitch(s, port);
        int peerPort = whole.peerPort(s, port);
        long guid = whole.switchGuid(s);
        long peerGuid = whole.switchGuid(peer);
        synchronized (metal) {
            metal.apply(new PortSeen(guid, port, up, metal.neighbour(guid, port)));
            metal.apply(new PortSeen(peerGuid, peerPort, up, metal.neighbour(peerGuid, peerPort)));
        }
        tell(report(guid, port));
        tell(report(peerGuid, peerPort));
    }

    /** Cables are pulled, come back; agents go and come. */
    void faults(long seed, int count) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < count; i++) {
            int s = random.nextInt(whole.switchCount());
            int port = 1 + random.nextInt(whole.portCount(s));
            if (i % 4 == 3) {
                leave(whole.switchGuid(s));
                awaitCalm();
                join(whole.switchGuid(s));
            } else if (whole.peerSwitch(s, port) >= 0) {
                set(s, port, false);
                if (random.nextBoolean()) {
                    awaitCalm();
                    set(s, port, true);
                }
            }
            awaitCalm();
        }
    }

    /** A person asks for something at this moment. */
    void act(Act act) {
        tell(new ActAsked(loop.nowNanos(), act, 0, "ada", "planned work"));
        awaitCalm();
    }

    /** Nothing is sent for so long. */
    void pause(long millis) {
        long nowMillis = start.millis() + (loop.nowNanos() - start.nowNanos()) / 1_000_000;
        act(new Act(Verb.PAUSE, List.of(), Long.toString(nowMillis + millis)));
    }

    long anySpine() {
        int s = 0;
        while (whole.isLeaf(s)) {
            s++;
        }
        return whole.switchGuid(s);
    }

    void awaitCalm() {
        Awaitility.await("nothing left to do")
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(2))
                .until(() -> {
                    FabricSnapshot known = known();
                    return known.calm() && known.heldDownCount() == 0;
                });
    }

    /** What a store would hold now. */
    List<StateRecord> stored() {
        known();
        synchronized (stored) {
            return List.copyOf(stored.records());
        }
    }

    @Override
    public void close() {
        loop.close();
        worker.close();
    }
}
