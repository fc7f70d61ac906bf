package io.dmodc.simulator;

import io.dmodc.detector.Overlay;
import io.dmodc.detector.RingRules;
import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.FabricEvent;
import io.dmodc.manager.core.FabricEvent.AgentLeft;
import io.dmodc.manager.core.FabricEvent.RevokeHeard;
import io.dmodc.manager.core.FabricEvent.RingAddress;
import io.dmodc.manager.core.FabricEvent.Routed;
import io.dmodc.manager.core.FabricEvent.StoreReported;
import io.dmodc.manager.core.FabricRules;
import io.dmodc.manager.core.FabricState;
import io.dmodc.manager.core.FabricStep;
import io.dmodc.manager.core.RebalanceRule;
import io.dmodc.manager.core.SwitchDomains;
import io.dmodc.manager.loop.CheckedEngine;
import io.dmodc.manager.loop.EngineChoice;
import io.dmodc.manager.loop.RowDigests;
import io.dmodc.manager.loop.TableComputation;
import io.dmodc.manager.southbound.AgentFrames;
import io.dmodc.manager.southbound.AgentTranslator.Heard;
import io.dmodc.manager.southbound.DestinationFrames;
import io.dmodc.manager.southbound.SessionAlternatives;
import io.dmodc.manager.southbound.SessionDestinations;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.change.ChangePlan;
import io.dmodc.routing.check.CheckReport;
import io.dmodc.routing.check.SurplusEntryRule;
import io.dmodc.southbound.SouthboundProtocol;
import io.dmodc.southbound.TableDigest;
import io.dmodc.southbound.proto.AgentFrame;
import io.dmodc.southbound.proto.ManagerFrame;
import io.dmodc.southbound.proto.Refusal;
import io.dmodc.southbound.proto.TableState;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.GroupOrder;
import io.dmodc.topology.NodeTypes;
import io.dmodc.topology.rates.SlowLinkUse;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** One life of a manager's process: the real step, engine and check; it may die before or after any effect. */
final class SimulatedManager {
    static final FabricRules RULES = new FabricRules(
            Simulation.SECOND,
            5,
            Simulation.SECOND / 10,
            Simulation.SECOND,
            4 * Simulation.SECOND,
            60 * Simulation.SECOND,
            2_000_000,
            2 * Simulation.SECOND,
            15 * Simulation.SECOND,
            50,
            500_000_000,
            1,
            SwitchDomains.none(),
            GroupOrder.PLANE,
            NodeTypes.NONE,
            null,
            RebalanceRule.STANDARD,
            SlowLinkUse.IGNORE);

    /** Name of an engine that makes none. */
    static final String NO_TABLES = "none";

    private static final long IDLE_NANOS = Simulation.SECOND;

    /** How late a batch is taken in at most: what came until then is in it. */
    private static final long TURN_NANOS = 1_000_000;

    private static final int KEEP_ALIVE_MILLIS = 2000;
    private static final int VIEWS_KEPT = 8;
    private static final int SPINS_MAX = 1000;
    private static final RingRules RING = new RingRules(100_000_000, Simulation.SECOND, 0, 0, Overlay.Kind.BINOMIAL);

    private final Simulation site;
    final SimulatedDisk disk;

    private final SplittableRandom random;
    private final DestinationFrames destinations = new DestinationFrames();
    private Effect.@Nullable TellAlternatives alternatives;
    final FabricState state;
    private final FabricStep step;
    private final TableComputation computation =
            new TableComputation(SimulatedManager::engine, null, Parallel.sequential());
    private final Map<Long, SimulatedSession> sessions = new HashMap<>();
    private final List<FabricEvent> queue = new ArrayList<>();
    private final List<Effect> effects = new ArrayList<>();
    private final Deque<FabricView> drawn = new ArrayDeque<>();
    private Effect.@Nullable Membership lastMembership;
    private byte[] lastMembershipBytes = {};
    /** Tables of an engine that may turn packets are, or were, in force: of hosts that it makes no way for, those of a drained leaf, too. */
    boolean mayTurn;

    /** Columns whose packets may turn, as some plan said: no circle of channels comes of it. */
    final BitSet plannedTurns = new BitSet();

    private boolean alive = true;
    private boolean turnDue;
    private long wakeNanos = Long.MAX_VALUE;
    private int spins;
    private long clockOffset;
    private long pausedUntil;

    /** Dies at this many effects from now, 0: not. */
    int crashIn;

    boolean crashBefore;

    /** So many computations end as a defect of the engine. */
    int engineDefects;

    /** Starts from what the disk holds. */
    SimulatedManager(Simulation site, SimulatedDisk disk, SplittableRandom random) {
        this.site = site;
        this.disk = disk;
        this.random = random;
        state = started(disk, clock());
        state.takeRingPlace(new Effect.Member(
                SouthboundProtocol.managerGuid(disk.managerNumber),
                (int) (site.now() / Simulation.SECOND),
                new RingAddress("", 7471)));
        step = new FabricStep(state);
        site.laws.started(this);
        wake();
    }

    /** What a manager that starts from this disk knows. */
    static FabricState started(SimulatedDisk disk, long nowNanos) {
        FabricState state = new FabricState(RULES, nowNanos, nowNanos / 1_000_000, disk.nextTerm(), Set.of());
        state.takeNumber(disk.managerNumber);
        state.digestsBy(RowDigests.RULE);
        return state;
    }

    private static final class NoTables implements RoutingEngine {
        @Override
        public String name() {
            return NO_TABLES;
        }

        @Override
        public RoutingResult route(FabricView view, Parallel parallel) {
            return new RoutingResult.Unroutable("it makes no tables");
        }

        @Override
        public LftSet routeSwitches(FabricView view, Parallel parallel) {
            throw new IllegalStateException("nobody asks for tables towards switches");
        }
    }

    /** By the name that people choose it by. */
    static CheckedEngine engine(String name) {
        return name.equals(NO_TABLES)
                ? new CheckedEngine(new NoTables(), SurplusEntryRule.NOTED)
                : new EngineChoice("dmodc", null, null, "").own(name);
    }

    boolean alive() {
        return alive;
    }

    /** Its monotonic clock, which may run ahead of ours. */
    long clock() {
        return site.now() + clockOffset;
    }

    void jumpClock(long nanos) {
        clockOffset += nanos;
        turnSoon();
    }

    void pause(long nanos) {
        pausedUntil = site.now() + nanos;
    }

    @Nullable
    SimulatedSession session(long id) {
        return sessions.get(id);
    }

    void connected(SimulatedSession session) {
        sessions.put(session.id, session);
    }

    void received(SimulatedSession session, AgentFrame frame) {
        if (!alive) {
            return;
        }
        if (frame.hasHello()) {
            session.hello = frame.getHello();
        }
        if (session.peer instanceof SimulatedAgent agent && says(frame, agent.at)) {
            agent.at.knowLoss.add(this);
        }
        Heard heard = session.translator.hear(frame, clock(), InetAddress::getLoopbackAddress);
        if (heard.event() != null) {
            tell(heard.event());
        }
        if (heard.answer() != null) {
            session.toPeer(heard.answer().toByteArray());
        }
        if (heard.refusal() != null) {
            refuse(session, heard.refusal());
        }
    }

    /** True if the frame says what the switch forwards with now. */
    private static boolean says(AgentFrame frame, SimulatedSwitch at) {
        TableState told = frame.hasHello()
                ? frame.getHello().getTable()
                : frame.hasTableLost()
                        ? frame.getTableLost().getTable()
                        : frame.getTableRefusal().getTable();
        return (frame.hasHello() || frame.hasTableLost() || frame.hasTableRefusal())
                && told.getDigest() == TableDigest.of(at.plane.installed().entries());
    }

    void ended(SimulatedSession session, String why) {
        if (alive && sessions.remove(session.id) != null && session.translator.greeted()) {
            tell(new AgentLeft(clock(), session.id, session.translator.guid(), why));
        }
    }

    /** One of the last views drawn, with what is drained; {@code null} when it is none of them. */
    @Nullable
    FabricView view(long epoch) {
        for (FabricView view : drawn) {
            if (view.epoch() == epoch) {
                return view;
            }
        }
        return null;
    }

    void heardRevoke(Effect.Revoke revoke) {
        if (alive) {
            tell(new RevokeHeard(clock(), revoke.leaderEpoch(), revoke.fabricEpoch()));
        }
    }

    void storeReported(String failure) {
        if (alive) {
            tell(new StoreReported(clock(), failure));
        }
    }

    /** Queues an event; a whole batch is taken in before the core settles. */
    void tell(FabricEvent event) {
        queue.add(event);
        turnSoon();
    }

    private void turnSoon() {
        if (!turnDue) {
            turnDue = true;
            site.after(random.nextLong(TURN_NANOS), this::turn);
        }
    }

    private void turn() {
        turnDue = false;
        if (!alive) {
            return;
        }
        if (pausedUntil > site.now()) {
            turnDue = true;
            site.after(pausedUntil - site.now(), this::turn);
            return;
        }
        effects.clear();
        for (FabricEvent event : queue) {
            guarded(event, () -> step.accept(event, effects));
            site.laws.took(this, event);
        }
        queue.clear();
        guarded("time", () -> step.settle(clock(), effects));
        for (int i = 0; i < effects.size() && alive; i++) {
            performOrDie(effects.get(i));
        }
        if (alive) {
            site.laws.turned(this);
            wake();
        }
    }

    /** A defect must not stop the service; here it must not stay unseen either. */
    private void guarded(Object what, Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            String name = what instanceof String text ? text : what.getClass().getSimpleName();
            defect("on " + name, e);
        }
    }

    private void defect(String text, RuntimeException cause) {
        StackTraceElement[] stack = cause.getStackTrace();
        site.violated(Law.NOTHING_THROWS, text + ": " + cause + " at " + (stack.length == 0 ? "?" : stack[0]));
    }

    private void wake() {
        long now = clock();
        long due = Math.min(step.nextDeadline(), now + IDLE_NANOS);
        spins = due <= now ? spins + 1 : 0;
        if (spins == SPINS_MAX) {
            site.violated(Law.NOTHING_THROWS, "settles " + SPINS_MAX + " times without rest");
        }
        long at = Math.max(due, now + (spins == 0 ? 1 : 1_000_000)) - clockOffset;
        if (at < wakeNanos || wakeNanos <= site.now()) {
            wakeNanos = at;
            site.after(at - site.now(), () -> {
                if (alive && wakeNanos == at && !turnDue) {
                    turnDue = true;
                    turn();
                }
            });
        }
    }

    private void performOrDie(Effect effect) {
        boolean last = crashIn > 0 && --crashIn == 0;
        if (last && crashBefore) {
            crash("before " + effect.getClass().getSimpleName());
            return;
        }
        perform(effect);
        if (last) {
            crash("after " + effect.getClass().getSimpleName());
        }
    }

    private void perform(Effect effect) {
        if (effect instanceof Effect.Push push) {
            site.laws.pushed(this, push);
            tellDestinations(push.session());
            send(push.session(), () -> AgentFrames.push(push.update()));
            SimulatedSession session = sessions.get(push.session());
            if (session != null && session.alternatives != null) {
                session.alternatives.leads(push.update().leaderEpoch());
            }
        } else if (effect instanceof Effect.NameDestinations news) {
            destinations.tell(news);
            List.copyOf(sessions.keySet()).forEach(this::tellDestinations);
        } else if (effect instanceof Effect.TellAlternatives news) {
            alternatives = news;
            List.copyOf(sessions.keySet()).forEach(this::tellAlternatives);
        } else if (effect instanceof Effect.Tell tell) {
            site.laws.told(this, tell.note());
            site.trace("%s %s", tell.note().kind(), tell.note().text());
        } else if (effect instanceof Effect.Compute compute) {
            mayTurn |= engine(compute.engine()).surplus() != SurplusEntryRule.FORBIDDEN;
            drawn.addFirst(compute.works());
            if (drawn.size() > VIEWS_KEPT) {
                drawn.removeLast();
            }
            long nanos = 500_000 + random.nextLong(random.nextInt(20) == 0 ? 300_000_000 : 15_000_000);
            site.after(nanos, () -> computed(compute));
        } else if (effect instanceof Effect.Accept accept) {
            SimulatedSession session = sessions.get(accept.session());
            if (session != null) {
                session.translator.welcomed();
                session.destinations = new SessionDestinations(destinations, session.hello);
                send(accept.session(), () -> AgentFrames.welcome(accept.leaderEpoch(), KEEP_ALIVE_MILLIS));
                tellDestinations(accept.session());
                session.alternatives = new SessionAlternatives(session.hello);
                session.alternatives.leads(accept.leaderEpoch());
                tellAlternatives(accept.session());
            }
        } else if (effect instanceof Effect.Dismiss dismiss) {
            SimulatedSession session = sessions.get(dismiss.session());
            if (session != null) {
                site.laws.dismissed(this, dismiss);
                refuse(session, AgentFrames.refusal(dismiss));
            }
        } else if (effect instanceof Effect.QueryPorts query) {
            send(query.session(), () -> AgentFrames.portQuery(query.ports()));
        } else if (effect instanceof Effect.AskThrough asked) {
            send(asked.session(), () -> AgentFrames.transitQuery(asked));
        } else if (effect instanceof Effect.SendMembership membership) {
            site.laws.ringSent(this, membership.membership());
            byte[] bytes = membershipBytes(membership.membership());
            for (long session : membership.sessions()) {
                send(session, bytes);
            }
        } else if (effect instanceof Effect.Revoke revoke) {
            site.ring.revoke(this, revoke);
        } else if (effect instanceof Effect.Persist batch) {
            disk.keep(this, batch);
        } else if (effect instanceof Effect.Defect defect) {
            defect(defect.note().text(), defect.cause());
        } else if (effect instanceof Effect.Declined declined) {
            site.laws.declined(this, declined);
        } else if (effect instanceof Effect.Done done) {
            site.laws.performed(this, done);
        } else {
            throw new IllegalStateException("an effect nobody performs: " + effect);
        }
    }

    private void tellDestinations(long id) {
        SimulatedSession session = sessions.get(id);
        SessionDestinations told = session == null ? null : session.destinations;
        if (told != null) {
            for (ManagerFrame frame = told.next(); frame != null; frame = told.next()) {
                send(id, frame.toByteArray());
            }
        }
    }

    private void tellAlternatives(long id) {
        SimulatedSession session = sessions.get(id);
        if (session != null && session.alternatives != null && alternatives != null) {
            tellDestinations(id);
            ManagerFrame frame = session.alternatives.next(alternatives);
            if (frame != null) {
                send(id, frame.toByteArray());
            }
        }
    }

    private interface Frame {
        ManagerFrame get();
    }

    private void send(long session, Frame frame) {
        if (sessions.containsKey(session)) {
            send(session, frame.get().toByteArray());
        }
    }

    private void send(long session, byte[] bytes) {
        SimulatedSession receiver = sessions.get(session);
        if (receiver != null) {
            receiver.toPeer(bytes);
        }
    }

    /** Serialised once for all who are told the same. */
    private byte[] membershipBytes(Effect.Membership membership) {
        if (!membership.equals(lastMembership)) {
            lastMembership = membership;
            lastMembershipBytes = AgentFrames.membership(membership, 1, RING, InetAddress.getLoopbackAddress())
                    .toByteArray();
        }
        return lastMembershipBytes;
    }

    private void refuse(SimulatedSession session, Refusal refusal) {
        site.trace("manager refuses %s: %s", site.name(session.peer.guid()), refusal.getText());
        session.toPeer(ManagerFrame.newBuilder().setRefusal(refusal).build().toByteArray());
        session.refused();
    }

    private void computed(Effect.Compute compute) {
        if (!alive) {
            return;
        }
        if (engineDefects > 0) {
            engineDefects--;
            RoutingResult failed = new RoutingResult.Unroutable("defect in the engine: injected");
            tell(new Routed(clock(), compute.view().epoch(), failed, new long[0], null, 0, 0));
        } else {
            site.laws.planning(this, compute);
            Routed routed = computation.compute(compute, this::clock);
            CheckReport report = routed.report();
            if (report != null && !report.valid()) {
                site.trace("check: %s", String.join("; ", report.lines(compute.view())));
            }
            ChangePlan plan = routed.change().plan();
            if (plan != null) {
                plannedTurns.or(plan.free());
            }
            site.laws.planned(this, routed);
            tell(routed);
        }
    }

    /** The process ends at once, wherever it is. */
    void crash(String how) {
        if (alive) {
            alive = false;
            site.trace("manager with leader epoch %d dies %s", state.leaderEpoch(), how);
            site.laws.died(this);
            disk.crashed();
            site.network.processDied(this);
            site.faults.managerDied(this);
        }
    }
}
