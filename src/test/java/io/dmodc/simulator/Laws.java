package io.dmodc.simulator;

import io.dmodc.agent.plane.Destination;
import io.dmodc.agent.plane.TableChange;
import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.FabricEvent;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.LoggedEvent;
import io.dmodc.manager.loop.ActPlanning.Planned;
import io.dmodc.southbound.SouthboundProtocol;
import java.util.SplittableRandom;

/** Hands what happens to those who check it. Checkers look, they never touch. */
final class Laws {
    /** A port that is as it is for so long has been told. */
    private static final long HEARD_NANOS = 2 * Simulation.SECOND;

    /** A switch writes on that wrote so long ago. */
    private static final long WRITES_NANOS = 2 * Simulation.SECOND;

    private final Simulation site;
    private final PacketLaws packets;
    final IdentityLaws identity;
    private final RestartLaws restarts;
    private final RingLaws rings;
    private final TransitLaws transits;
    private final ChangeLaws changes;
    private final QuietLaws quiet;
    private final ActLaws acts;
    private final WholeActLaws wholeActs;
    private final PredictionLaws predictions;

    Laws(Simulation site, SplittableRandom random) {
        this.site = site;
        identity = new IdentityLaws(site);
        acts = new ActLaws(site);
        packets = new PacketLaws(site, identity, acts, random);
        restarts = new RestartLaws(site);
        rings = new RingLaws(site);
        transits = new TransitLaws(site);
        quiet = new QuietLaws(site, identity, packets);
        changes = new ChangeLaws(site, identity, acts, random.split());
        wholeActs = new WholeActLaws(site);
        predictions = new PredictionLaws(site);
    }

    void started(SimulatedManager manager) {
        identity.started(manager);
        restarts.started(manager);
        rings.started();
        packets.started();
        acts.started(manager);
        wholeActs.started(manager);
    }

    void died(SimulatedManager manager) {
        restarts.died(manager);
        identity.died(manager);
    }

    void took(SimulatedManager manager, FabricEvent event) {
        site.mix(manager.state.leaderEpoch(), event.nowNanos());
        identity.took(manager, event);
        rings.took(manager, event);
        acts.took(manager, event);
        wholeActs.took(manager, event);
    }

    void pushed(SimulatedManager manager, Effect.Push push) {
        identity.pushed(manager, push.update());
        restarts.pushed(manager, push.update());
        rings.pushed(manager, push.update());
        packets.pushed(manager, push.update());
        changes.pushed(manager, push.update());
        acts.pushed(manager, push.update());
    }

    void dismissed(SimulatedManager manager, Effect.Dismiss dismiss) {
        rings.dismissed(manager, dismiss);
        SimulatedSession session = manager.session(dismiss.session());
        if (session != null
                && dismiss.reason() == Effect.DismissReason.NOT_ACKNOWLEDGING
                && session.peer instanceof SimulatedAgent agent
                && agent.well()
                && site.now() - agent.wroteNanos < WRITES_NANOS) {
            site.violated(Law.WHO_WRITES_IS_NOT_FLAGGED, agent.at + " is dismissed while its switch writes a table");
        }
    }

    void told(SimulatedManager manager, LoggedEvent note) {
        if (note.kind() == LoggedEvent.Kind.FORGOTTEN) {
            packets.interrupted();
        } else if (note.kind() == LoggedEvent.Kind.AGENT_JOINED) {
            identity.joined(manager, note.guid());
            packets.joined();
        }
        restarts.told(manager, note);
        identity.told(manager, note);
        rings.told(manager, note);
        acts.told(manager, note);
        wholeActs.told(manager, note);
        transits.told(manager, note);
    }

    void ringSent(SimulatedManager manager, Effect.Membership membership) {
        rings.sent(manager, membership);
    }

    void accused(long guid, int incarnation) {
        rings.accused(guid, incarnation);
    }

    void planning(SimulatedManager manager, Effect.Compute compute) {
        changes.planning(manager, compute);
        predictions.planning(manager, compute);
    }

    void planned(SimulatedManager manager, FabricEvent.Routed routed) {
        changes.planned(manager, routed);
        predictions.planned(manager, routed);
    }

    /** Returns how many plans were compared with what came of them. */
    long plansCompared() {
        return predictions.compared();
    }

    /** An act is in force. */
    void performed(SimulatedManager manager, Effect.Done done) {
        identity.performed(manager, done);
        wholeActs.performed(manager, done);
    }

    void declined(SimulatedManager manager, Effect.Declined declined) {
        wholeActs.declined(manager, declined);
        predictions.declined(declined);
    }

    /** Somebody applies what was planned for this fabric. */
    void applying(SimulatedManager manager, FabricSnapshot fabric, Planned planned) {
        predictions.applying(manager, fabric, planned);
    }

    /** The table of a switch is about to become another one. */
    void installing(SimulatedSwitch at) {
        changes.installing(at);
    }

    void installed(SimulatedSwitch at) {
        at.tableNanos = site.now();
        packets.installed();
        changes.installed(at, at.plane.installed().version());
    }

    /** Nothing is written of which nobody said what it stands for; what people had forgotten, or handed over, stands for nothing. */
    void installed(SimulatedSwitch at, TableChange change) {
        byte[] entries = change.table().entries();
        for (int index = change.changed().nextSetBit(0);
                index >= 0;
                index = change.changed().nextSetBit(index + 1)) {
            if (index < entries.length && entries[index] != SouthboundProtocol.NO_ROUTE) {
                Destination told = change.destinations().at(index);
                long owner = identity.ownerOf(index);
                boolean handed = identity.isHanded(owner) || (told != null && identity.isHanded(told.portGuid()));
                if (told == null || (owner != 0 && told.portGuid() != owner && !handed)) {
                    site.violated(
                            Law.DESTINATIONS_ARE_TOLD_FIRST,
                            at + " routes to index " + index + ", told was " + told + ", it is "
                                    + Long.toHexString(owner));
                    return;
                }
            }
        }
    }

    void turned(SimulatedManager manager) {
        restarts.turned(manager);
        acts.turned(manager);
        wholeActs.turned(manager);
        rings.turned(manager);
        transits.turned(manager);
        if (packets.turned(manager)) {
            quiet.hostIsWhereItIsUp(manager.state, HEARD_NANOS);
        }
    }

    void quiet() {
        quiet.check();
    }
}
