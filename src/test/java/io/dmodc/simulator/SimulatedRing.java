package io.dmodc.simulator;

import io.dmodc.manager.core.Effect;
import io.dmodc.southbound.TableVersion;
import io.dmodc.southbound.proto.FaultReport;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * What the heartbeat ring would tell, without heartbeats: an agent that stops is told silent after a while by all others,
 * one that goes on is told alive. It may also be wrong.
 */
final class SimulatedRing {
    private static final long SUSPICION_NANOS = Simulation.SECOND;

    private final Simulation site;
    private final SplittableRandom random;
    private final Set<Long> told = new HashSet<>();

    SimulatedRing(Simulation site, SplittableRandom random) {
        this.site = site;
        this.random = random;
    }

    /** An agent may have stopped: if it still is when suspicion is over, all are told. */
    void watch(SimulatedAgent agent) {
        int incarnation = agent.incarnation;
        site.after(SUSPICION_NANOS + random.nextLong(SUSPICION_NANOS / 2), () -> {
            boolean silent = !agent.running() || agent.paused() || !site.network.reaches(agent.guid());
            if (silent && agent.incarnation == incarnation && told.add(agent.guid())) {
                tell(agent, incarnation, true);
            }
        });
    }

    /** It goes on: it refutes what was said of it. */
    void back(SimulatedAgent agent) {
        if (told.remove(agent.guid()) && agent.running()) {
            refute(agent);
        }
    }

    /** Accuses an agent that is well; mostly it finds out and refutes it, else because it hears nobody, some for good. */
    void accuseFalsely(SimulatedAgent agent) {
        tell(agent, agent.incarnation, true);
        if (random.nextInt(4) != 0) {
            site.after(100_000_000 + random.nextLong(2 * Simulation.SECOND), () -> refute(agent));
        } else {
            agent.hears(true);
            if (agent.incarnation % 2 == 0) {
                site.after(3 * Simulation.SECOND, () -> agent.hears(false));
            }
        }
    }

    private void refute(SimulatedAgent agent) {
        agent.raiseIncarnation();
        tell(agent, agent.incarnation, false);
    }

    private void tell(SimulatedAgent subject, int incarnation, boolean silent) {
        site.trace("ring: %s is %s, incarnation %d", subject.at, silent ? "silent" : "alive", incarnation);
        if (silent) {
            site.laws.accused(subject.guid(), incarnation);
        }
        long observer = 0;
        for (SimulatedSwitch other : site.fabric.switches) {
            SimulatedAgent agent = other.agent;
            if (agent != null && agent != subject && agent.running() && site.network.reaches(other.guid)) {
                observer = observer == 0 ? other.guid : observer;
                FaultReport report = FaultReport.newBuilder()
                        .setKind(silent ? FaultReport.Kind.AGENT_SILENT : FaultReport.Kind.AGENT_ALIVE)
                        .setSubjectGuid(subject.guid())
                        .setSubjectIncarnation(incarnation)
                        .setObserverGuid(observer)
                        .setSilenceNanos(SUSPICION_NANOS)
                        .setHops(observer == other.guid ? 0 : 1)
                        .build();
                site.after(random.nextLong(20_000_000), () -> agent.ringNews(report));
            }
        }
    }

    /** A manager lets all members know which tables must not be applied any more. */
    void revoke(SimulatedManager from, Effect.Revoke revoke) {
        TableVersion below = new TableVersion(revoke.leaderEpoch(), revoke.fabricEpoch());
        for (SimulatedSwitch other : site.fabric.switches) {
            SimulatedAgent agent = other.agent;
            if (agent != null && site.network.reaches(other.guid)) {
                site.after(random.nextLong(20_000_000), () -> agent.revoked(below));
            }
        }
        for (SimulatedManager manager : site.managers) {
            if (manager != from) {
                site.after(random.nextLong(20_000_000), () -> manager.heardRevoke(revoke));
            }
        }
    }
}
