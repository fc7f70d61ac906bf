package io.dmodc.manager.northbound;

import io.dmodc.manager.congestion.CongestionHistory;
import io.dmodc.manager.congestion.MeasuredCongestion;
import io.dmodc.manager.congestion.MeasuredCongestion.NamedPort;
import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.FabricEvent.AgentJoined;
import io.dmodc.manager.core.FabricEvent.AgentLeft;
import io.dmodc.manager.core.FabricEvent.HeldTable;
import io.dmodc.manager.core.FabricEvent.Persisted;
import io.dmodc.manager.core.FabricEvent.PortsReported;
import io.dmodc.manager.core.FabricEvent.RingAddress;
import io.dmodc.manager.core.FabricEvent.Routed;
import io.dmodc.manager.core.FabricEvent.TableAcked;
import io.dmodc.manager.core.FabricEvent.TimePassed;
import io.dmodc.manager.core.FabricRules;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.FabricState;
import io.dmodc.manager.core.RebalanceRule;
import io.dmodc.manager.core.SwitchDomains;
import io.dmodc.manager.loop.ActPlanning;
import io.dmodc.manager.loop.EngineChoice;
import io.dmodc.manager.loop.EventLog;
import io.dmodc.manager.loop.FabricLoop;
import io.dmodc.manager.loop.TableComputation;
import io.dmodc.manager.southbound.AgentRules;
import io.dmodc.manager.southbound.AgentServer;
import io.dmodc.manager.state.StateRecord.ExpectedPort;
import io.dmodc.manager.state.StateRecord.ExpectedSwitch;
import io.dmodc.manager.state.StateRecord.LeaderEpoch;
import io.dmodc.manager.state.StateRecord.NodeIndex;
import io.dmodc.manager.state.StoredState;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.check.SurplusEntryRule;
import io.dmodc.routing.check.TableCheck;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.routing.quality.CongestionSummary;
import io.dmodc.routing.quality.CongestionSummary.HotPort;
import io.dmodc.routing.quality.CongestionSummary.Sampled;
import io.dmodc.southbound.TableDigest;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GroupOrder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.Host;
import io.dmodc.topology.HostAddresses;
import io.dmodc.topology.LinkRate;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.NodeTypes;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import io.dmodc.topology.rates.SlowLinkUse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A real loop with a whole PGFT behind it: the fixture plays the agents and the computation, and its clock stands still unless
 * it is moved. {@link #calm} returns when nothing is left to do.
 */
public final class TestFabric implements AutoCloseable {
    static final long ROUTE_NANOS = 1_234_000;
    static final long CHECK_NANOS = 567_000;

    private static final long MILLISECOND = 1_000_000;
    private static final int ROUNDS_MAX = 10_000;

    final FabricLoop loop;
    final CongestionHistory congestion = new CongestionHistory();
    final EventLog eventLog;
    final AgentServer agents;

    private final AtomicLong clock = new AtomicLong(1_000 * MILLISECOND);
    private final AtomicLong wallClock = new AtomicLong(1_800_000_000_000L);

    /** {@code null}: tables are those of {@link UpDownTables}, and nothing is planned. */
    private volatile @Nullable TableComputation computation;

    private volatile Sticky stick = () -> {};

    /** Without another one everything is kept at once. */
    volatile Disk disk = (records, kept) -> kept.run();

    private final FabricViewBuilder metal;
    private final List<Long> guids = new ArrayList<>();
    private final Set<String> down = ConcurrentHashMap.newKeySet();
    private final Set<Long> mute = ConcurrentHashMap.newKeySet();

    /** Keeps records, and says so. */
    interface Disk {
        void keep(Effect.Persist records, Runnable kept);
    }

    private TestFabric(FabricViewBuilder metal, StoredState stored) throws IOException {
        this.metal = metal;
        FabricView whole = metal.build(1, new NodeIndexMap(), new GuidNumbers());
        for (int s = 0; s < whole.switchCount(); s++) {
            guids.add(whole.switchGuid(s));
        }
        eventLog = new EventLog(() -> wallClock.addAndGet(1));
        FabricState state = new FabricState(rules(), clock.get(), 0, stored, Set.of());
        loop = new FabricLoop(state, this::perform, this::clock);
        agents = new AgentServer(loopback(), new AgentRules(Duration.ofSeconds(2), 64, anywhere -> false, null), loop);
        loop.start();
    }

    /** A whole fabric, all agents there, all tables acknowledged. */
    public static TestFabric of(String shape) throws IOException {
        TestFabric fabric = empty(shape);
        fabric.joinAll();
        return fabric;
    }

    /** The same, with tables of the strict engine and changes that are planned. */
    static TestFabric planned(String shape) throws IOException {
        TestFabric fabric = empty(shape);
        fabric.computation = new TableComputation(Dmodc.standard(), SurplusEntryRule.FORBIDDEN, Parallel.sequential());
        fabric.joinAll();
        return fabric;
    }

    /** A manager that knows nothing yet. */
    public static TestFabric empty(String shape) throws IOException {
        return new TestFabric(
                PgftGenerator.generate(PgftShape.parse(shape)), StoredState.of(List.of(new LeaderEpoch(1))));
    }

    /** A manager that knew a host from before, with index 0, whose port nobody has seen it at since. */
    static TestFabric restarted(String shape, String leaf, int port, Host lost) throws IOException {
        FabricViewBuilder metal = PgftGenerator.generate(PgftShape.parse(shape));
        FabricView whole = metal.build(1, new NodeIndexMap(), new GuidNumbers());
        int s = 0;
        while (!whole.switchName(s).equals(leaf)) {
            s++;
        }
        long guid = whole.switchGuid(s);
        metal.apply(new PortSeen(guid, port, false, null));
        int ports = metal.portCount(guid);
        TestFabric fabric = new TestFabric(
                metal,
                StoredState.of(List.of(
                        new LeaderEpoch(1),
                        new NodeIndex(lost.portGuid(), 0),
                        new ExpectedSwitch(guid, leaf, ports, List.of(new ExpectedPort(port, new ToHost(lost)))))));
        fabric.joinAll();
        return fabric;
    }

    /** What the loop shows at present. */
    public FabricSnapshot snapshot() {
        return loop.snapshot();
    }

    public FabricLoop loop() {
        return loop;
    }

    /** As if the newest epoch had been measured; the two ports are those of leaf0 up. */
    void measure() {
        Sampled permutations = new Sampled(100, 6.8, 9);
        Sampled shifts = new Sampled(100, 1.25, 2);
        List<HotPort> hottest = List.of(new HotPort(0, 3, 31), new HotPort(0, 4, 29));
        List<NamedPort> named =
                List.of(new NamedPort(guid("leaf0"), "leaf0", 3, 31), new NamedPort(guid("leaf0"), "leaf0", 4, 29));
        congestion.add(new MeasuredCongestion(
                snapshot().epoch(),
                350_000_000,
                new CongestionSummary(12, 4, 31, permutations, shifts, hottest),
                named));
    }

    static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    private static FabricRules rules() {
        long second = 1_000 * MILLISECOND;
        return new FabricRules(
                second,
                3,
                second / 10,
                second,
                60 * second,
                600 * second,
                0,
                MILLISECOND,
                second,
                50,
                MILLISECOND,
                1,
                SwitchDomains.none(),
                GroupOrder.PLANE,
                NodeTypes.NONE,
                null,
                RebalanceRule.STANDARD,
                SlowLinkUse.IGNORE);
    }

    final ActPlanning planning = new ActPlanning(new EngineChoice("dmodc", null, null, "roots"), true, 1);

    NorthboundServer serve() throws IOException {
        return new NorthboundServer(loopback(), loop, congestion, eventLog, agents, planning);
    }

    NorthboundServer serve(NorthboundServer.Limits limits) throws IOException {
        return new NorthboundServer(loopback(), loop, congestion, eventLog, agents, planning, limits);
    }

    /** The shell of the loop, on its thread. */
    private void perform(Effect effect) {
        if (effect instanceof Effect.Compute compute) {
            TableComputation planning = computation;
            loop.offer(planning == null ? routed(compute.view()) : planning.compute(compute, this::tick));
        } else if (effect instanceof Effect.Push push
                && !mute.contains(push.update().guid())) {
            Effect.TableUpdate update = push.update();
            loop.offer(
                    new TableAcked(tick(), push.session(), update.guid(), update.fabricEpoch(), update.resultDigest()));
        } else if (effect instanceof Effect.QueryPorts query) {
            long guid = guids.get((int) query.session() - 1);
            List<PortSeen> ports = query.ports().stream()
                    .map(port -> seen(guid, port, !down.contains(guid + "/" + port)))
                    .toList();
            loop.offer(new PortsReported(tick(), query.session(), guid, false, ports));
        } else if (effect instanceof Effect.Persist persist) {
            disk.keep(persist, () -> loop.offer(new Persisted(tick(), persist.number())));
        } else if (effect instanceof Effect.Tell tell) {
            eventLog.write(tell.note());
        }
    }

    private Routed routed(FabricView view) {
        RoutingResult result = UpDownTables.of(view);
        LftSet tables = Objects.requireNonNull(result.tables());
        long[] digests = new long[tables.switchCount()];
        for (int s = 0; s < digests.length; s++) {
            digests[s] = TableDigest.of(tables.row(s).toBytes());
        }
        return new Routed(
                tick(),
                view.epoch(),
                result,
                digests,
                TableCheck.check(view, tables, Parallel.sequential()),
                ROUTE_NANOS,
                CHECK_NANOS);
    }

    private long tick() {
        return clock.addAndGet(1_000);
    }

    /** GUID of a switch by its name in the generated fabric. */
    public long guid(String name) {
        return guids.stream()
                .filter(guid -> metal.name(guid).equals(name))
                .findFirst()
                .orElseThrow();
    }

    private long session(long guid) {
        return guids.indexOf(guid) + 1L;
    }

    void joinAll() {
        guids.forEach(this::join);
        // All joins are taken in before the clock moves, or the first few would count as a whole fabric.
        known();
        passTime(10);
        calm();
    }

    private void join(long guid) {
        loop.offer(new AgentJoined(
                tick(),
                session(guid),
                guid,
                metal.name(guid),
                metal.portCount(guid),
                1,
                new HeldTable(0, 0, 0, 0),
                new RingAddress("127.0.0.1", 0)));
        List<PortSeen> ports = new ArrayList<>();
        for (int port = 1; port <= metal.portCount(guid); port++) {
            ports.add(seen(guid, port, true));
        }
        loop.offer(new PortsReported(tick(), session(guid), guid, true, ports));
    }

    private PortSeen seen(long guid, int port, boolean up) {
        return new PortSeen(guid, port, up, metal.neighbour(guid, port));
    }

    /** Both ends of a cable report it down. */
    public void cut(String name, int port) {
        report(guid(name), port, false);
        if (metal.neighbour(guid(name), port) instanceof ToSwitch to) {
            report(to.guid(), to.port(), false);
        }
        calm();
    }

    /** Both ends of a cable report it up. */
    void mend(String name, int port) {
        plugIn(name, port);
        calm();
    }

    /** The same; nobody waits for what comes of it. */
    void plugIn(String name, int port) {
        report(guid(name), port, true);
        if (metal.neighbour(guid(name), port) instanceof ToSwitch to) {
            report(to.guid(), to.port(), true);
        }
    }

    /** The agent of a leaf learns by which addresses the host at a port is reached. */
    void address(String name, int port, HostAddresses addresses) {
        Host host = ((ToHost) Objects.requireNonNull(metal.neighbour(guid(name), port))).host();
        adapter(name, port, new Host(host.portGuid(), host.hostGuid(), host.hostPort(), host.name(), addresses));
    }

    /** This adapter is at a port from now on. */
    void adapter(String name, int port, Host now) {
        metal.apply(new PortSeen(guid(name), port, true, new ToHost(now)));
        report(guid(name), port, true);
        calm();
    }

    private void report(long guid, int port, boolean up) {
        if (up) {
            down.remove(guid + "/" + port);
        } else {
            down.add(guid + "/" + port);
        }
        loop.offer(new PortsReported(tick(), session(guid), guid, false, List.of(seen(guid, port, up))));
    }

    /** The agent says what the link of this port carries. */
    void train(String name, int port, LinkRate rate) {
        long guid = guid(name);
        loop.offer(new PortsReported(
                tick(), session(guid), guid, false, List.of(seen(guid, port, true)), Map.of(), Map.of(port, rate)));
        calm();
    }

    /** Its agent goes, the switch forwards on. */
    void behead(String name) {
        loop.offer(new AgentLeft(tick(), session(guid(name)), guid(name), "connection lost"));
        calm();
    }

    /** The switch goes: no agent, and all neighbours see their links down. */
    void kill(String name) {
        long guid = guid(name);
        for (int port = 1; port <= metal.portCount(guid); port++) {
            if (metal.neighbour(guid, port) instanceof ToSwitch to) {
                report(to.guid(), to.port(), false);
            }
        }
        behead(name);
    }

    /** Its agent takes tables and never answers. */
    public void mute(String name) {
        mute.add(guid(name));
    }

    void passTime(long millis) {
        clock.addAndGet(millis * MILLISECOND);
        loop.offer(new TimePassed(clock.get()));
    }

    /** What is known once everything was taken in that was handed over before. */
    FabricSnapshot known() {
        return loop.tell(new TimePassed(clock.get())).join();
    }

    /** Time passes that nobody tells the loop of. */
    void clockMoves(long millis) {
        clock.addAndGet(millis * MILLISECOND);
    }

    /** Does something while the loop is stuck in the middle of a batch. */
    <T> T whileStuck(Supplier<T> what) {
        CountDownLatch goesOn = new CountDownLatch(1);
        CountDownLatch isStuck = new CountDownLatch(1);
        stick = () -> {
            isStuck.countDown();
            goesOn.await();
        };
        try {
            loop.offer(new TimePassed(clock.get()));
            isStuck.await();
            return what.get();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            stick = () -> {};
            goesOn.countDown();
        }
    }

    private interface Sticky {
        void hold() throws InterruptedException;
    }

    /** The loop's clock, in which a test can hold it; others read it at once. */
    private long clock() {
        if (Thread.currentThread().getName().equals("fabric-loop")) {
            try {
                stick.hold();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return clock.get();
    }

    /** Waits until nothing is being computed or pushed, agents that are mute left out. Each round drains the queue. */
    void calm() {
        for (int round = 0; round < ROUNDS_MAX; round++) {
            FabricSnapshot known = known();
            boolean busy = !known.calm() && (known.computing() || known.outstanding() != mute.size());
            if (!busy && loop.queued() == 0 && round > 1) {
                return;
            }
        }
        throw new AssertionError("the fabric does not come to rest");
    }

    @Override
    public void close() {
        agents.close();
        planning.close();
        loop.close();
    }
}
