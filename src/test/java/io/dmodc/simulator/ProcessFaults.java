package io.dmodc.simulator;

import io.dmodc.southbound.SouthboundProtocol;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Faults of agents, sessions, managers and disks. What cannot happen now does not. */
final class ProcessFaults {
    private static final long SECOND = Simulation.SECOND;
    private static final long[] POISON = {
        (1L << 31) - 1, 1L << 31, (1L << 31) + 1, Long.MAX_VALUE - 1, Long.MAX_VALUE, -1, 1L << 62
    };

    private final Simulation site;
    private final Faults faults;
    private final SplittableRandom random;

    ProcessFaults(Simulation site, Faults faults, SplittableRandom random) {
        this.site = site;
        this.faults = faults;
        this.random = random;
    }

    boolean inject(FaultKind kind) {
        SimulatedAgent agent = faults.anyAgent();
        SimulatedManager manager = site.network.listening;
        return (agent != null && ofAgent(kind, agent))
                || (manager != null && manager.alive() && ofManager(kind, manager))
                || ofOthers(kind);
    }

    private boolean ofAgent(FaultKind kind, SimulatedAgent agent) {
        switch (kind) {
            case AGENT_CRASH -> crash(agent, faults.absenceNanos());
            case AGENT_CRASH_BEFORE_INSTALL -> crashAt(agent, SimulatedAgent.CrashPoint.BEFORE_INSTALL);
            case AGENT_CRASH_AFTER_INSTALL -> crashAt(agent, SimulatedAgent.CrashPoint.AFTER_INSTALL);
            case AGENT_CRASH_LOOP -> crashLoop(agent, site.now() + 5 * SECOND + random.nextLong(10 * SECOND));
            case AGENT_PAUSED -> pause(agent, random.nextBoolean() ? 10 * SECOND : random.nextLong(5 * SECOND));
            case SWITCH_HANGS -> hang(agent, 10 * SECOND + random.nextLong(30 * SECOND));
            case AGENT_DEAF -> {
                agent.deaf = true;
                site.after(faults.absenceNanos(), () -> agent.deaf = false);
            }
            case AGENT_MUTE -> {
                agent.mute = true;
                site.after(faults.absenceNanos(), agent::endMute);
            }
            case AGENT_CUT_OFF -> cutOff(agent, faults.absenceNanos());
            case PLANE_SLOW -> ofPlanes(agent, this::slowPlane);
            case PLANE_FORGETS -> ofPlanes(agent, SimulatedAgent::forget);
            case PLANE_FAILS -> ofPlanes(agent, this::failingPlane);
            case SESSION_BROKEN -> session(agent).cut(site.network.delayNanos(), site.network.delayNanos());
            case SESSION_HALF_OPEN -> halfOpen(session(agent));
            case SLOW_READER -> session(agent).slowUntil = site.now() + random.nextLong(6 * SECOND);
            case FALSE_SILENCE -> site.ring.accuseFalsely(agent);
            default -> {
                return false;
            }
        }
        site.trace("it is the agent of %s", agent.at);
        return true;
    }

    private SimulatedSession session(SimulatedAgent agent) {
        @Nullable SimulatedSession session = agent.session();
        if (session == null) {
            throw new IllegalStateException("an agent that is well has a session");
        }
        return session;
    }

    private void crash(SimulatedAgent agent, long absence) {
        agent.crash();
        site.ring.watch(agent);
        site.after(absence, agent::start);
    }

    /** A cable beside it goes down, or comes up and goes down again after the crash, so that a table comes soon. */
    private void crashAt(SimulatedAgent agent, SimulatedAgent.CrashPoint point) {
        SimulatedSwitch above = faults.anySwitch(s -> s.level > 0 && s.agent != null && s.agent.well());
        SimulatedSwitch at = above == null ? agent.at : above;
        int port = 1;
        while (port <= at.portCount && (!site.fabric.live(at, port) || random.nextInt(3) != 0)) {
            port++;
        }
        if (port > at.portCount) {
            at.agent().crashPoint = point;
            return;
        }
        int cut = port;
        Runnable mend = () -> site.fabric.setCable(at, cut, true);
        site.fabric.setCable(at, cut, false);
        if (random.nextBoolean()) {
            at.agent().crashPoint = point;
            site.after(faults.absenceNanos() + SECOND, mend);
        } else {
            site.after(2 * SECOND, mend);
            SimulatedAgent.CrashPoint none = SimulatedAgent.CrashPoint.NONE;
            site.after(2 * SECOND + SECOND / 2, () -> at.agent().crashPoint = faults.over ? none : point);
            site.after(4 * SECOND, () -> site.fabric.setCable(at, cut, faults.over));
            site.after(5 * SECOND + faults.absenceNanos(), mend);
        }
        faults.mendLater(mend);
    }

    private void crashLoop(SimulatedAgent agent, long end) {
        agent.crash();
        site.after(100_000_000, agent::start);
        if (site.now() < end && !faults.over) {
            site.after(400_000_000, () -> crashLoop(agent, end));
        }
    }

    private void pause(SimulatedAgent agent, long nanos) {
        agent.pause(nanos);
        site.ring.watch(agent);
        site.after(nanos + 1_000_000, () -> site.ring.back(agent));
    }

    /** The switch does, and its agent with it; both go on later. */
    private void hang(SimulatedAgent agent, long nanos) {
        pause(agent, nanos);
        site.fabric.hang(agent.at, true);
        Runnable mend = () -> {
            if (agent.at.hung) {
                site.fabric.hang(agent.at, false);
                agent.pausedUntil = site.now();
            }
        };
        site.after(nanos, mend);
        faults.mendLater(mend);
    }

    private void cutOff(SimulatedAgent agent, long nanos) {
        site.network.cutOff(agent.guid());
        site.ring.watch(agent);
        site.after(nanos, () -> {
            site.network.rejoin(agent.guid());
            site.ring.back(agent);
        });
    }

    /** One switch, and now and then others of its kind with it. */
    private void ofPlanes(SimulatedAgent one, Consumer<SimulatedAgent> fault) {
        boolean ofAKind = random.nextInt(3) == 0;
        for (SimulatedSwitch s : site.fabric.switches) {
            if (s.agent == one || (ofAKind && s.agent != null && s.agent.well() && random.nextInt(4) == 0)) {
                fault.accept(s.agent());
            }
        }
    }

    /** Now and then the session breaks while a table is on its way into force, and the tables of before are wanted again. */
    private void slowPlane(SimulatedAgent agent) {
        long nanos = 5 * SECOND + random.nextLong(20 * SECOND);
        agent.slowPlaneUntil = Math.max(agent.slowPlaneUntil, site.now() + nanos);
        int times = 1 + random.nextInt(3);
        for (int i = 0; i < times; i++) {
            site.after(random.nextLong(nanos), () -> pullFor(agent.at, 300_000_000 + random.nextLong(4 * SECOND)));
        }
        if (random.nextBoolean()) {
            site.after(random.nextLong(nanos), () -> {
                @Nullable SimulatedSession session = agent.session();
                if (session != null) {
                    session.cut(site.network.delayNanos(), site.network.delayNanos());
                }
            });
        }
    }

    private void failingPlane(SimulatedAgent agent) {
        long nanos = faults.absenceNanos();
        if (!agent.capabilities().allOrNothing() && site.now() % 2 == 0) {
            // What the moment decides takes no chance from what histories of before did.
            int hosts = site.fabric.hosts.size();
            agent.foreign((int) (site.now() / 2 % hosts), nanos);
            site.after(random.nextLong(nanos + 1), () -> pullFor(agent.at, 300_000_000 + random.nextLong(10 * SECOND)));
            return;
        }
        agent.failingPlaneUntil = Math.max(agent.failingPlaneUntil, site.now() + nanos);
        site.after(random.nextLong(nanos + 1), () -> pullFor(agent.at, 300_000_000 + random.nextLong(10 * SECOND)));
    }

    /** Any cable between switches that this switch has goes down for a while, so that it is sent tables. */
    private void pullFor(SimulatedSwitch at, long nanos) {
        int start = random.nextInt(at.portCount);
        for (int i = 0; i < at.portCount && !faults.over; i++) {
            int port = 1 + (start + i) % at.portCount;
            if (site.fabric.live(at, port)) {
                Runnable mend = () -> site.fabric.setCable(at, port, true);
                site.fabric.setCable(at, port, false);
                site.after(nanos, mend);
                faults.mendLater(mend);
                return;
            }
        }
    }

    /** One end knows soon, the other one misses keep-alives first. */
    private void halfOpen(SimulatedSession session) {
        if (random.nextBoolean()) {
            session.cut(site.network.delayNanos(), site.network.keepAliveNanos());
        } else {
            session.cut(site.network.keepAliveNanos(), site.network.delayNanos());
        }
    }

    private boolean ofManager(FaultKind kind, SimulatedManager manager) {
        switch (kind) {
            case MANAGER_CRASH -> manager.crash("by itself");
            case MANAGER_CRASH_AT_EFFECT -> {
                manager.crashIn = 1 + random.nextInt(60);
                manager.crashBefore = random.nextBoolean();
            }
            case MANAGER_STALL -> manager.pause(500_000_000 + random.nextLong(5 * SECOND));
            case CLOCK_JUMP -> manager.jumpClock(random.nextLong(20 * SECOND));
            case RESTART_WITH_AGENTS_AWAY -> restartWithAgentsAway(manager);
            case SECOND_MANAGER -> {
                return secondManager(manager);
            }
            case ENGINE_DEFECT -> manager.engineDefects = 1;
            default -> {
                return false;
            }
        }
        return true;
    }

    private void restartWithAgentsAway(SimulatedManager manager) {
        manager.crash("and some agents are away");
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            SimulatedSwitch at = faults.anySwitch(s -> s.agent != null && s.agent.running());
            if (at != null) {
                cutOff(at.agent(), 10 * SECOND + random.nextLong(30 * SECOND));
            }
        }
    }

    /** Another machine takes the address over; in the end one of the two is switched off. */
    private boolean secondManager(SimulatedManager first) {
        if (faults.takeover != null || site.disk.full()) {
            return false;
        }
        SimulatedDisk copy = site.disk.copy();
        SimulatedManager second = site.startManager(copy);
        for (SimulatedSession session : List.copyOf(site.network.sessions())) {
            if (session.manager == first && random.nextBoolean()) {
                session.cut(site.network.delayNanos(), site.network.delayNanos());
            }
        }
        faults.takeover = copy;
        Runnable end = () -> {
            if (faults.takeover == copy) {
                site.disk = copy;
                faults.takeover = null;
                List.copyOf(site.managers).stream().filter(m -> m != second).forEach(m -> m.crash("and stays away"));
                faults.startManager();
            }
        };
        site.after(2 * SECOND + random.nextLong(15 * SECOND), end);
        faults.mendLater(end);
        return true;
    }

    private boolean ofOthers(FaultKind kind) {
        switch (kind) {
            case STRANGERS -> strangers();
            case DUPLICATE_GUID -> {
                SimulatedSwitch at = faults.anySwitch(s -> s.agent != null);
                if (at == null) {
                    return false;
                }
                site.fabric.changes++;
                RawPeer.say(
                        site,
                        at.guid,
                        at.portCount,
                        at.agent().incarnation - 1 + random.nextInt(2),
                        0,
                        0,
                        random.nextLong(8 * SECOND));
            }
            case POISONED_HELLO -> poison();
            case DISK_FULL -> site.disk.fullUntil = site.now() + random.nextLong(20 * SECOND);
            case DISK_SLOW -> site.disk.slowUntil = site.now() + random.nextLong(5 * SECOND);
            case TORN_WRITE -> site.disk.tearNext = true;
            default -> {
                return false;
            }
        }
        return true;
    }

    private void strangers() {
        int count = random.nextInt(20) == 0 ? 300 : 1 + random.nextInt(8);
        for (int i = 0; i < count; i++) {
            long guid = 0x02ee_0000_0000_0000L + random.nextInt(1 << 20);
            site.after(
                    random.nextLong(SECOND),
                    () -> RawPeer.say(
                            site,
                            guid,
                            1 + random.nextInt(SouthboundProtocol.MAX_PORTS),
                            1,
                            0,
                            0,
                            random.nextLong(5 * SECOND)));
        }
    }

    private void poison() {
        long leader = random.nextBoolean() ? POISON[random.nextInt(POISON.length)] : 0;
        long epoch = leader == 0 || random.nextBoolean() ? POISON[random.nextInt(POISON.length)] : 0;
        long guid = 0x02ed_0000_0000_0000L + random.nextInt(1 << 20);
        site.trace("a Hello with leader epoch %d, fabric epoch %d", leader, epoch);
        RawPeer.say(site, guid, 8, 1, leader, epoch, random.nextLong(5 * SECOND));
    }
}
