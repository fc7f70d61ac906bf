package io.dmodc.manager.core;

import io.dmodc.manager.core.Effect.TableUpdate;
import io.dmodc.manager.core.FabricEvent.AgentJoined;
import io.dmodc.manager.core.FabricEvent.AgentLeft;
import io.dmodc.manager.core.FabricEvent.HeldTable;
import io.dmodc.manager.core.FabricEvent.Persisted;
import io.dmodc.manager.core.FabricEvent.PortsReported;
import io.dmodc.manager.core.FabricEvent.RefusalReason;
import io.dmodc.manager.core.FabricEvent.RingAddress;
import io.dmodc.manager.core.FabricEvent.RingReported;
import io.dmodc.manager.core.FabricEvent.TableAcked;
import io.dmodc.manager.core.FabricEvent.TableRefused;
import io.dmodc.manager.core.FabricEvent.TimePassed;
import io.dmodc.manager.core.FabricEvent.TransitReported;
import io.dmodc.manager.loop.RowDigests;
import io.dmodc.manager.loop.TableComputation;
import io.dmodc.manager.state.StateRecord.LeaderEpoch;
import io.dmodc.manager.state.StoredState;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.check.SurplusEntryRule;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.southbound.TableDigest;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GroupOrder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.LinkRate;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.NodeTypes;
import io.dmodc.topology.PortPlace;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import io.dmodc.topology.rates.SlowLinkUse;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The real step, engine and check, with agents, cables and time played by the test: everything happens in virtual time
 * on one thread. What each switch forwards with is kept as the pushes say, so tests look at real tables.
 */
final class SimulatedFabric {
    static final long MILLI = 1_000_000L;
    static final FabricRules RULES = rules(null, SwitchDomains.none());

    /** What an agent says of such a one. */
    static final String FOREIGN = "the kernel has a route of protocol 4 for it, which is not touched";

    /** A manager that does not come to rest, or wakes again and again at one moment, fails the test instead of hanging it. */
    private static final int ROUNDS_MAX = 3_000;

    private static final int IDLE_ROUNDS_MAX = 100;

    private static FabricRules rules(@Nullable PgftShape design, SwitchDomains domains) {
        return new FabricRules(
                1000 * MILLI,
                3,
                100 * MILLI,
                1000 * MILLI,
                60_000 * MILLI,
                600_000 * MILLI,
                0,
                2000 * MILLI,
                15_000 * MILLI,
                50,
                500 * MILLI,
                1,
                domains,
                GroupOrder.PLANE,
                NodeTypes.NONE,
                design,
                RebalanceRule.STANDARD,
                SlowLinkUse.IGNORE);
    }

    /** The metal: cables as they are, whoever looks. */
    final FabricViewBuilder metal;

    final FabricState state;
    final FabricStep step;
    final List<Effect> log = new ArrayList<>();
    final Map<Long, byte[]> held = new TreeMap<>(Long::compareUnsigned);
    final Map<Long, Integer> incarnations = new HashMap<>();
    /** Where agents receive heartbeats; the same after a restart unless a test changes it. */
    final Map<Long, RingAddress> ringAddresses = new HashMap<>();

    final Set<Long> mute = new HashSet<>();
    /** Switches whose planes carry hellos through neighbours, and those that forward nothing. */
    final Set<Long> transitHellos = new HashSet<>();

    final Set<Long> hung = new HashSet<>();

    /** Agents that hear no hellos that come through neighbours. */
    final Set<Long> hearsNoTransits = new HashSet<>();

    /** Ports at which cables carry no hellos through their switch, though they are up. */
    final Set<PortPlace> carriesNothing = new HashSet<>();

    final Set<Long> deaf = new HashSet<>();

    /** Of agents that say that their switch has another number of ports. */
    final Map<Long, Integer> saidPortCounts = new HashMap<>();

    /** By switch, entries in whose place the plane has somebody else's: all others of a table it takes, and its agent says so. */
    final Map<Long, Set<Integer>> foreign = new HashMap<>();

    /** False: agents are of before they could say which entries are not taken. */
    boolean saysEntries = true;

    /** True: where they do not take an entry they take nothing, and name that entry alone. */
    boolean takesNothing;

    /** What ports say that their links carry, as far as they know. */
    final Map<PortPlace, LinkRate> rates = new HashMap<>();
    /** What effects of type Persist have put on the disk. */
    final StoredState disk;
    /** What agents obeyed before they met this manager. */
    final Map<Long, Long> obeyed = new HashMap<>();

    /** False: nothing reaches the disk. */
    boolean diskTakes = true;

    final Map<Long, Long> heldEpoch = new HashMap<>();
    private final Map<Long, Long> sessionOf = new HashMap<>();
    private final Map<Long, Long> guidOf = new HashMap<>();
    private final Deque<FabricEvent> events = new ArrayDeque<>();
    private static final Detours UNFOLLOWED = new Detours(List.of(), 0, LostPairs.UNLOOKED, Map.of());
    private final RoutingEngine engine = Dmodc.standard();
    private long lastSession;
    private int idleRounds;
    long now;

    /** Otherwise a part that fails by a mistake fails the test. */
    boolean defectsExpected;

    /** Makes tables for each method; the real engine unless a test puts another one in its place. */
    final Map<Effect.Method, RoutingEngine> engines = new EnumMap<>(Effect.Method.class);

    /** What is asked by name, and not of the engine of the settings. */
    final Map<String, RoutingEngine> named = new HashMap<>();

    /** Computations wait here while {@link #holdComputations}; otherwise they run at once. */
    boolean holdComputations;

    private final Deque<Effect.Compute> heldComputations = new ArrayDeque<>();

    /** Pushes wait here while {@link #holdPushes}; otherwise they are taken at once. */
    boolean holdPushes;

    final List<Effect.Push> heldPushes = new ArrayList<>();

    /** False: all tables leave at once, whatever was planned. */
    boolean followsPlans = true;

    /** False where an engine does not follow what switches send that cannot be told anything. */
    boolean followsHeldTables = true;

    /** False: what readers are shown is not compared with the whole state after each batch, which costs more than all else. */
    boolean comparesSnapshots = true;

    /** Told of each computation before it is made. */
    Consumer<Effect.Compute> computing = any -> {};

    /** By engine, what it keeps from one view to the next. */
    private final Map<RoutingEngine, TableComputation> computations = new HashMap<>();

    SimulatedFabric(String pgft) {
        this(PgftGenerator.generate(PgftShape.parse(pgft)));
    }

    SimulatedFabric(FabricViewBuilder metal) {
        this(metal, RULES, first(), 0);
    }

    /** @param design what the manager is told the fabric should be */
    SimulatedFabric(FabricViewBuilder metal, PgftShape design) {
        this(metal, rules(design, SwitchDomains.none()), first(), 0);
    }

    /** @param domains what the manager is told may fail as one */
    SimulatedFabric(FabricViewBuilder metal, SwitchDomains domains) {
        this(metal, rules(null, domains), first(), 0);
    }

    private static StoredState first() {
        return StoredState.of(List.of(new LeaderEpoch(1)));
    }

    private SimulatedFabric(FabricViewBuilder metal, FabricRules rules, StoredState disk, long startNanos) {
        this.metal = metal;
        this.disk = disk;
        now = startNanos;
        Set<Long> expected = new HashSet<>();
        FabricView view = whole();
        for (int s = 0; s < view.switchCount() && disk.fabricEpoch() == 0; s++) {
            expected.add(view.switchGuid(s));
        }
        state = new FabricState(rules, now, startNanos / MILLI, disk, expected);
        state.digestsBy(RowDigests.RULE);
        step = new FabricStep(state);
    }

    /** A new manager with what the old one stored; the switches hold what they hold. */
    SimulatedFabric restarted() {
        return restarted(RULES);
    }

    /** A new manager with other settings. */
    SimulatedFabric restarted(FabricRules rules) {
        StoredState kept = StoredState.of(disk.records());
        kept.apply(new LeaderEpoch(disk.leaderEpoch() + 1));
        SimulatedFabric next = new SimulatedFabric(metal, rules, kept, now);
        next.held.putAll(tablesHeld());
        next.heldEpoch.putAll(heldEpoch);
        next.incarnations.putAll(incarnations);
        next.obeyed.putAll(obeyed);
        next.ringAddresses.putAll(ringAddresses);
        next.rates.putAll(rates);
        return next;
    }

    FabricView whole() {
        return metal.build(0, new NodeIndexMap(), new GuidNumbers());
    }

    /** All agents connect, everything settles. */
    SimulatedFabric start() {
        FabricView view = whole();
        for (int s = 0; s < view.switchCount(); s++) {
            join(view.switchGuid(s));
        }
        calm();
        return this;
    }

    long guid(String name) {
        FabricView view = whole();
        for (int s = 0; s < view.switchCount(); s++) {
            if (view.switchName(s).equals(name)) {
                return view.switchGuid(s);
            }
        }
        throw new IllegalArgumentException("no switch " + name);
    }

    /** By their numbers it is known by which door sessions came. */
    void countSessionsFrom(long number) {
        lastSession = number;
    }

    long join(long guid) {
        long session = ++lastSession;
        guidOf.put(session, guid);
        sessionOf.put(guid, session);
        int incarnation = incarnations.merge(guid, 1, Integer::sum);
        byte[] table = held.get(guid);
        long leader = obeyed.getOrDefault(guid, table == null ? 0L : 1L);
        HeldTable heldTable = table == null
                ? new HeldTable(leader, 0, 0, 0)
                : new HeldTable(leader, heldEpoch.getOrDefault(guid, 0L), table.length, TableDigest.of(table));
        events.add(new AgentJoined(
                now,
                session,
                guid,
                metal.name(guid),
                saidPortCounts.getOrDefault(guid, metal.portCount(guid)),
                incarnation,
                heldTable,
                ringAddresses.computeIfAbsent(guid, any -> new RingAddress("127.0.0.1", (int) (10_000 + session))),
                transitHellos.contains(guid)));
        return session;
    }

    void leave(long guid) {
        Long session = sessionOf.remove(guid);
        if (session != null) {
            events.add(new AgentLeft(now, session, guid, "connection closed"));
        }
    }

    void send(FabricEvent event) {
        events.add(event);
    }

    /** The disk takes what it did not. */
    void keepWhatWaits() {
        for (Effect effect : List.copyOf(log)) {
            if (effect instanceof Effect.Persist persist) {
                persist.records().forEach(disk::apply);
                send(new Persisted(now, persist.number()));
            }
        }
        work();
    }

    long session(long guid) {
        return sessionOf.getOrDefault(guid, 0L);
    }

    /** The first cable between two switches, with the end of the first one. */
    Cable cable(long near, long far) {
        return Degradation.cables(whole()).stream()
                .filter(cable -> cable.guid() == near && cable.farGuid() == far)
                .findFirst()
                .orElseThrow();
    }

    /** The first cable between this switch and another. */
    Cable cableAt(long guid) {
        return Degradation.cables(whole()).stream()
                .filter(cable -> cable.guid() == guid || cable.farGuid() == guid)
                .findFirst()
                .orElseThrow();
    }

    /** Sets both ends of a cable; reachable agents report unless told to keep quiet. */
    void setCable(Cable cable, boolean up, boolean report) {
        setPort(cable.guid(), cable.port(), up, report);
        setPort(cable.farGuid(), cable.farPort(), up, report);
    }

    void setPort(long guid, int port, boolean up, boolean report) {
        PortSeen seen = new PortSeen(guid, port, up, metal.claim(guid, port));
        metal.apply(seen);
        if (report && !mute.contains(guid) && sessionOf.containsKey(guid)) {
            events.add(report(guid, false, List.of(seen)));
        }
    }

    /** Both ends of a cable say that it carries this much; reachable agents report. */
    void setRate(Cable cable, LinkRate rate) {
        setRate(new PortPlace(cable.guid(), cable.port()), rate);
        setRate(new PortPlace(cable.farGuid(), cable.farPort()), rate);
    }

    void setRate(PortPlace place, LinkRate rate) {
        rates.put(place, rate);
        setPort(place.guid(), place.port(), metal.saysUp(place.guid(), place.port()), true);
    }

    private PortsReported report(long guid, boolean complete, List<PortSeen> ports) {
        Map<Integer, LinkRate> known = new HashMap<>();
        for (PortSeen seen : ports) {
            LinkRate rate = rates.get(new PortPlace(guid, seen.port()));
            if (rate != null && seen.up()) {
                known.put(seen.port(), rate);
            }
        }
        return new PortsReported(now, session(guid), guid, complete, ports, Map.of(), known);
    }

    /** Sets all links of a switch to others; the neighbours report unless told to keep quiet. */
    void setLinks(long guid, boolean up, boolean report) {
        for (int port = 1; port <= metal.portCount(guid); port++) {
            if (metal.neighbour(guid, port) instanceof ToSwitch to) {
                setCable(new Cable(guid, port, to.guid(), to.port()), up, report);
            }
        }
    }

    /** What is back has refuted, by a higher incarnation. */
    void ringSays(boolean silent, long subject) {
        if (!silent) {
            incarnations.merge(subject, 1, Integer::sum);
        }
        long observer = sessionOf.keySet().stream()
                .filter(guid -> guid != subject && !mute.contains(guid))
                .min(Long::compareUnsigned)
                .orElseThrow();
        events.add(new RingReported(
                now,
                session(observer),
                silent,
                subject,
                incarnations.getOrDefault(subject, 1),
                observer,
                1000 * MILLI,
                0));
    }

    /** Rules with others of those that settings may change while a manager runs. */
    static FabricRules read(FabricRules rules, long ackTimeoutNanos, int pushTries, RebalanceRule rebalance) {
        return read(rules, ackTimeoutNanos, pushTries, rebalance, rules.slowLinks());
    }

    /** The same rules but for what is done with slow links. */
    static FabricRules withSlowLinks(FabricRules rules, SlowLinkUse use) {
        return read(rules, rules.ackTimeoutNanos(), rules.pushTries(), rules.rebalance(), use);
    }

    private static FabricRules read(
            FabricRules rules, long ackTimeoutNanos, int pushTries, RebalanceRule rebalance, SlowLinkUse slowLinks) {
        return new FabricRules(
                ackTimeoutNanos,
                pushTries,
                rules.drainNanos(),
                rules.holdDownNanos(),
                rules.holdDownMaxNanos(),
                rules.flapMemoryNanos(),
                rules.settleNanos(),
                rules.discoveryQuietNanos(),
                rules.discoveryTimeoutNanos(),
                rules.connectedPercent(),
                rules.membershipQuietNanos(),
                rules.ringSeed(),
                rules.domains(),
                rules.groupOrder(),
                rules.nodeTypes(),
                rules.design(),
                rebalance,
                slowLinks);
    }

    /** The settings are read again, with another rule of when entries are moved. */
    void setRebalance(RebalanceRule rule) {
        FabricRules read = read(state.rules, state.rules.ackTimeoutNanos(), state.rules.pushTries(), rule);
        send(new FabricEvent.SettingsRead(now, read, "read again"));
        calm();
    }

    /** Lets everything happen that can without time passing, then answers due timers until nothing is left to do. */
    void calm() {
        work();
        // A refused epoch is tried again for ever.
        int rounds = 0;
        while (step.nextDeadline() != Long.MAX_VALUE && step.nextDeadline() != state.refused.nextDeadline()) {
            if (++rounds > ROUNDS_MAX) {
                throw new AssertionError("never at rest: due at " + step.nextDeadline() + ", now " + now);
            }
            answerTimer();
        }
    }

    /** Lets time pass up to {@code nanos} from now. */
    void pass(long nanos) {
        long end = now + nanos;
        work();
        while (step.nextDeadline() <= end) {
            answerTimer();
        }
        now = end;
        events.add(new TimePassed(now));
        work();
    }

    private void answerTimer() {
        idleRounds = step.nextDeadline() > now ? 0 : idleRounds + 1;
        if (idleRounds > IDLE_ROUNDS_MAX) {
            throw new AssertionError("spins: due at " + step.nextDeadline() + ", now " + now);
        }
        now = Math.max(now, step.nextDeadline());
        events.add(new TimePassed(now));
        work();
    }

    /** Works until the queue is empty, a batch at a time, without time passing. */
    void work() {
        int batches = 0;
        do {
            if (++batches > ROUNDS_MAX) {
                throw new AssertionError("each batch of effects brings the next one about");
            }
            List<Effect> effects = new ArrayList<>();
            while (!events.isEmpty()) {
                step.accept(events.removeFirst(), effects);
            }
            step.settle(now, effects);
            if (comparesSnapshots) {
                SnapshotTwin.verify(state);
            }
            log.addAll(effects);
            effects.forEach(this::perform);
        } while (!events.isEmpty());
    }

    private void askThrough(Effect.AskThrough asked) {
        long asker = guidOf(asked.session());
        if (!mute.contains(asker)) {
            int answered = comesBack(asker, asked) ? 5 : 0;
            events.add(new TransitReported(now, asked.session(), asker, asked.number(), 5, answered));
        }
    }

    private boolean comesBack(long asker, Effect.AskThrough asked) {
        if (!metal.isLive(asker, asked.port())
                || !(metal.neighbour(asker, asked.port()) instanceof ToSwitch through)
                || hung.contains(through.guid())) {
            return false;
        }
        byte[] table = held.getOrDefault(through.guid(), new byte[0]);
        int out = asked.there() < table.length ? Byte.toUnsignedInt(table[asked.there()]) : 0;
        int in = asked.back() < table.length ? Byte.toUnsignedInt(table[asked.back()]) : 0;
        return out >= 1
                && out <= metal.portCount(through.guid())
                && metal.isLive(through.guid(), out)
                && metal.neighbour(through.guid(), out) instanceof ToSwitch answerer
                && transitHellos.contains(answerer.guid())
                && !hung.contains(answerer.guid())
                && !hearsNoTransits.contains(answerer.guid())
                && !hearsNoTransits.contains(asker)
                && !carriesNothing.contains(new PortPlace(through.guid(), in))
                && !carriesNothing.contains(new PortPlace(through.guid(), out))
                && in == through.port();
    }

    private void perform(Effect effect) {
        if (effect instanceof Effect.Accept accept) {
            obeyed.merge(guidOf(accept.session()), accept.leaderEpoch(), Math::max);
            report(guidOf(accept.session()));
        } else if (effect instanceof Effect.AskThrough asked) {
            askThrough(asked);
        } else if (effect instanceof Effect.QueryPorts query) {
            answer(guidOf(query.session()), query.ports());
        } else if (effect instanceof Effect.Push push) {
            if (holdPushes) {
                heldPushes.removeIf(
                        before -> before.update().guid() == push.update().guid());
                heldPushes.add(push);
            } else {
                push(push.session(), push.update());
            }
        } else if (effect instanceof Effect.Compute compute) {
            if (holdComputations) {
                heldComputations.add(compute);
            } else {
                compute(compute);
            }
        } else if (effect instanceof Effect.Persist persist) {
            if (diskTakes) {
                persist.records().forEach(disk::apply);
                events.add(new Persisted(now, persist.number()));
            }
        } else if (effect instanceof Effect.Defect defect && !defectsExpected) {
            throw new AssertionError(defect.note().text(), defect.cause());
        } else if (effect instanceof Effect.Dismiss dismiss && guidOf.containsKey(dismiss.session())) {
            long guid = guidOf(dismiss.session());
            events.add(new AgentLeft(now, dismiss.session(), guid, dismiss.text()));
            sessionOf.remove(guid, dismiss.session());
        }
    }

    private long guidOf(long session) {
        return Objects.requireNonNull(guidOf.get(session));
    }

    private void answer(long guid, List<Integer> asked) {
        if (mute.contains(guid) || !sessionOf.containsKey(guid)) {
            return;
        }
        List<PortSeen> ports = asked.stream()
                .map(port -> new PortSeen(guid, port, metal.saysUp(guid, port), metal.claim(guid, port)))
                .toList();
        events.add(report(guid, false, ports));
    }

    private void report(long guid) {
        if (mute.contains(guid) || !sessionOf.containsKey(guid)) {
            return;
        }
        List<PortSeen> ports = new ArrayList<>();
        int count = Math.min(metal.portCount(guid), saidPortCounts.getOrDefault(guid, Integer.MAX_VALUE));
        for (int port = 1; port <= count; port++) {
            ports.add(new PortSeen(guid, port, metal.saysUp(guid, port), metal.claim(guid, port)));
        }
        events.add(report(guid, true, ports));
    }

    private void push(long session, TableUpdate update) {
        long guid = update.guid();
        if (session(guid) != session || mute.contains(guid) || deaf.contains(guid)) {
            return;
        }
        byte[] row = update.row().toBytes();
        byte[] next = new byte[row.length];
        Arrays.fill(next, (byte) LftSet.NO_ROUTE);
        byte[] before = held.get(guid);
        if (!update.complete() && before != null) {
            System.arraycopy(before, 0, next, 0, before.length);
        }
        for (int block : update.blocks()) {
            int from = block * 64;
            System.arraycopy(row, from, next, from, Math.min(64, next.length - from));
        }
        if (TableDigest.of(next) != update.resultDigest()) {
            throw new AssertionError("push to " + metal.name(guid) + " does not give the table meant");
        }
        held.put(guid, next);
        obeyed.put(guid, update.leaderEpoch());
        heldEpoch.put(guid, update.fabricEpoch());
        TreeMap<Integer, Integer> untaken = new TreeMap<>();
        for (int d : foreign.getOrDefault(guid, Set.of())) {
            if (d < next.length && Byte.toUnsignedInt(next[d]) != LftSet.NO_ROUTE) {
                next[d] = (byte) LftSet.NO_ROUTE;
                untaken.put(d, LftSet.NO_ROUTE);
            }
        }
        if (!untaken.isEmpty()) {
            if (takesNothing && before != null) {
                next = before;
                held.put(guid, next);
            }
            boolean few = untaken.size() <= RefusedEntries.MAX;
            events.add(new TableRefused(
                    now,
                    session,
                    guid,
                    update.fabricEpoch(),
                    RefusalReason.OTHER,
                    FOREIGN,
                    new HeldTable(update.leaderEpoch(), update.fabricEpoch(), next.length, TableDigest.of(next)),
                    saysEntries && few ? new RefusedEntries(untaken) : RefusedEntries.NONE));
            return;
        }
        events.add(new TableAcked(now, session, guid, update.fabricEpoch(), update.resultDigest()));
    }

    /** Ends the computation under way and works on; later ones are held, too, or not. */
    void finishComputation(boolean holdLater) {
        holdComputations = holdLater;
        compute(heldComputations.removeFirst());
        work();
    }

    private void compute(Effect.Compute compute) {
        computing.accept(compute);
        RoutingEngine own = named.getOrDefault(compute.engine(), engine);
        RoutingEngine asked = engines.getOrDefault(compute.method(), own);
        FabricEvent.Routed routed = computations
                .computeIfAbsent(
                        asked, it -> new TableComputation(it, SurplusEntryRule.NOTED, it, Parallel.sequential()))
                .compute(compute, () -> now);
        PlannedChange change = followsPlans ? routed.change() : PlannedChange.NONE;
        events.add(with(routed, followsHeldTables ? routed.detours() : UNFOLLOWED, change));
    }

    private static FabricEvent.Routed with(FabricEvent.Routed routed, Detours detours, PlannedChange change) {
        return new FabricEvent.Routed(
                routed.nowNanos(),
                routed.epoch(),
                routed.result(),
                routed.digests(),
                routed.report(),
                detours,
                change,
                routed.moves(),
                routed.routeNanos(),
                routed.checkNanos());
    }

    /** A push that was held is taken; its answer waits for {@link #work}. */
    void take(Effect.Push push) {
        heldPushes.remove(push);
        push(push.session(), push.update());
    }

    /** Notes of one kind so far. */
    List<LoggedEvent> notes(LoggedEvent.Kind kind) {
        return log.stream()
                .filter(Effect.Tell.class::isInstance)
                .map(effect -> ((Effect.Tell) effect).note())
                .filter(note -> note.kind() == kind)
                .toList();
    }

    long count(Class<? extends Effect> kind) {
        return log.stream().filter(kind::isInstance).count();
    }

    /** A copy of what all switches hold. */
    Map<Long, byte[]> tablesHeld() {
        Map<Long, byte[]> copy = new TreeMap<>(Long::compareUnsigned);
        held.forEach((guid, row) -> copy.put(guid, row.clone()));
        return copy;
    }
}
