package io.dmodc.manager.core;

import io.dmodc.manager.core.Act.HostPair;
import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.core.Forgettable.CableAt;
import io.dmodc.manager.core.Forgettable.HostPort;
import io.dmodc.manager.core.Forgettable.SwitchGuid;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.state.StateRecord.Intent;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchForgotten;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.Guid;
import io.dmodc.topology.PortPlace;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Takes what was replaced or removed out of everything that waits for it: inventory, alarms, ring, levels, the list of
 * switches a start waits for. What is there cannot be forgotten; what comes back is simply there again. The
 * node index of a forgotten host is free for another, those of hosts behind a forgotten switch stay theirs.
 */
final class Forgetting {
    /** Why something is not forgotten, nor replaced, that is not there. */
    private static final String UNKNOWN = "it is not known any more";

    private final FabricState state;
    private final TableDistributor distributor;
    private final HostReplacement hostReplacement;

    Forgetting(FabricState state, TableDistributor distributor, HostReplacement hostReplacement) {
        this.state = state;
        this.distributor = distributor;
        this.hostReplacement = hostReplacement;
    }

    /** True if the manager knows of it. */
    static boolean knows(FabricState state, Forgettable what) {
        if (what instanceof SwitchGuid it) {
            return state.switches.containsKey(it.guid()) || state.inventory().hasSwitch(it.guid());
        }
        if (what instanceof CableAt it) {
            return state.inventory().expected(it.guid(), it.port()) instanceof ToSwitch;
        }
        return state.inventory().portOf(((HostPort) what).portGuid()) != null;
    }

    /** Why it cannot be forgotten now; {@code null} when it can. */
    static @Nullable String obstacle(FabricState state, Forgettable what) {
        if (!knows(state, what)) {
            return UNKNOWN;
        }
        if (what instanceof SwitchGuid it) {
            return obstacle(state, it.guid());
        }
        if (what instanceof CableAt it) {
            return state.works(it.guid(), it.port()) ? "the cable is up" : null;
        }
        long portGuid = ((HostPort) what).portGuid();
        if (state.intent.isReplacing(portGuid)) {
            return HostReplacement.UNDER_WAY;
        }
        PortPlace at = state.inventory().portOf(portGuid);
        if (at != null && state.holdDown.holds(at.guid(), at.port())) {
            return "the host is up again, held down as it flapped";
        }
        return at != null && state.works(at.guid(), at.port()) ? "the host is up" : null;
    }

    private static @Nullable String obstacle(FabricState state, long guid) {
        SwitchRecord record = state.switches.get(guid);
        if (record != null && record.session != 0) {
            return record.name + ": its agent is connected";
        }
        if (record == null ? heard(state, guid) : AgentTracker.seenUp(state, record)) {
            return state.nameOf(guid) + ": its neighbours see links to it up";
        }
        return record != null && carries(state, record)
                ? record.name + ": links to it were up, and no neighbour's agent is connected to say they are not"
                : null;
    }

    /** True if a neighbour sees a link up to a switch that has not come in since the start. */
    private static boolean heard(FabricState state, long guid) {
        for (int port = 1; port <= state.inventory().portCount(guid); port++) {
            if (state.inventory().expected(guid, port) instanceof ToSwitch to
                    && state.cabling.knows(to.guid())
                    && to.port() <= state.cabling.portCount(to.guid())
                    && state.cabling.saysUp(to.guid(), to.port())
                    && new ToSwitch(guid, port).equals(state.cabling.neighbour(to.guid(), to.port()))) {
                return true;
            }
        }
        return false;
    }

    private static boolean carries(FabricState state, SwitchRecord record) {
        for (int port = 1; port <= record.portCount; port++) {
            if (state.cabling.isLive(record.guid, port)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Forgets it all; there must be no {@link #obstacle}.
     *
     * @param atMillis when it was asked for, as what was written ahead says
     */
    void perform(ActAsked asked, long atMillis, long nowNanos, List<Effect> effects) {
        moveDrains(asked, nowNanos, effects);
        for (Forgettable what : asked.act().forgotten()) {
            if (!(what instanceof CableAt)) {
                state.intent.forget(what, asked.by(), atMillis, asked.why());
            }
            forget(what, nowNanos, asked.asker(), effects);
        }
        state.alarms.recordChanges();
    }

    /** Drains go where the act has them go. Before anything is forgotten: its cables lead nowhere then. */
    void moveDrains(ActAsked asked, long nowNanos, List<Effect> effects) {
        DrainMoves moves = DrainMoves.of(asked.act(), state.intent.drained(), state::farEnd);
        String gone = names(moves.gone());
        String now = names(moves.instead());
        moves.moves().forEach(state.intent::move);
        if (!now.isEmpty()) {
            tell(effects, nowNanos, Kind.DRAINED, 0, now + " drained, as what is replaced was" + asked.asker());
        }
        if (!gone.isEmpty()) {
            tell(effects, nowNanos, Kind.UNDRAINED, 0, gone + " not drained any more: gone" + asked.asker());
        }
    }

    private String names(List<PortPlace> places) {
        return places.stream().map(state::nameOf).collect(Collectors.joining(", "));
    }

    /** What the last run had not quite forgotten or replaced when it ended is, unless it came back; once its tables are known again. */
    void goOn(long nowNanos, List<Effect> effects) {
        if (state.restored.pending()) {
            return;
        }
        for (Intent intent : state.intent.takeUnfinished()) {
            String asker = " (" + intent.by() + ", before the manager was started again)";
            HostPair replaced = OperatorIntent.replaced(intent);
            if (replaced != null) {
                hostReplacement.handOver(replaced, nowNanos, asker, effects);
            } else if (!isThere(OperatorIntent.forgotten(intent))) {
                forget(OperatorIntent.forgotten(intent), nowNanos, asker, effects);
            }
        }
    }

    private boolean isThere(Forgettable what) {
        if (what instanceof SwitchGuid it) {
            SwitchRecord record = state.switches.get(it.guid());
            return record == null || obstacle(state, it.guid()) != null;
        }
        return state.cabling.claimants(((HostPort) what).portGuid()).stream()
                .anyMatch(place ->
                        state.works(place.guid(), place.port()) || state.holdDown.holds(place.guid(), place.port()));
    }

    private void forget(Forgettable what, long nowNanos, String asker, List<Effect> effects) {
        if (what instanceof SwitchGuid it) {
            forgetSwitch(it.guid(), nowNanos, asker, effects);
        } else if (what instanceof CableAt it) {
            forgetCable(it, nowNanos, asker, effects);
        } else {
            forgetHost(((HostPort) what).portGuid(), nowNanos, asker, effects);
        }
    }

    /**
     * Takes a switch out of everything; there must be no {@link #obstacle}.
     *
     * @param asker behind what is told
     */
    void forgetSwitch(long guid, long nowNanos, String asker, List<Effect> effects) {
        String name = state.nameOf(guid);
        touch(state.inventory().removeSwitch(guid));
        state.touchSwitch(guid);
        state.expected.remove(guid);
        SwitchRecord record = state.switches.get(guid);
        if (record != null) {
            distributor.forgotten(record);
            state.switches.remove(guid);
            state.share.forgotten(guid);
            state.answersDue.cancel(guid);
            state.strangers.forgotten(guid);
            state.newHosts.forgotten(guid);
            state.farEndChanges.forgotten(guid);
            state.agentEvents.forgotten(guid);
            state.comingAndGoing.forgotten(guid);
            state.returns.forgotten(guid);
            state.holdDown.forget(guid);
            state.unheard.removeIf(port -> port.guid() == guid);
            state.disagreements.touchSwitch(guid);
            state.apply(new SwitchForgotten(guid));
            state.ring.changed(nowNanos);
        }
        state.identity.deal(
                state.identity.levels().without(guid, state.inventory().linkCount()));
        state.identity.forgetPlane(guid);
        told(guid, name, nowNanos, asker, effects);
    }

    private void forgetCable(CableAt cable, long nowNanos, String asker, List<Effect> effects) {
        ToSwitch far = (ToSwitch) state.inventory().expected(cable.guid(), cable.port());
        String what =
                "cable " + end(cable.guid(), cable.port()) + (far == null ? "" : " – " + end(far.guid(), far.port()));
        touch(state.inventory().forgetPort(cable.guid(), cable.port()));
        told(cable.guid(), what, nowNanos, asker, effects);
    }

    private void forgetHost(long portGuid, long nowNanos, String asker, List<Effect> effects) {
        PortPlace expected = state.inventory().portOf(portGuid);
        List<PortPlace> claimants = state.cabling.claimants(portGuid);
        PortPlace at = expected != null || claimants.isEmpty() ? expected : claimants.get(0);
        Neighbour host = at == null
                ? null
                : expected != null
                        ? state.inventory().expected(at.guid(), at.port())
                        : state.cabling.claim(at.guid(), at.port());
        String name = host instanceof ToHost to ? to.host().name() : Guid.format(portGuid);
        if (expected != null) {
            touch(state.inventory().forgetPort(expected.guid(), expected.port()));
        }
        for (PortPlace place : claimants) {
            if (!state.cabling.claimsUpNow(place.guid(), place.port())
                    && !state.holdDown.holds(place.guid(), place.port())) {
                state.apply(new PortSeen(place.guid(), place.port(), false, null));
            }
        }
        if (state.cabling.claimants(portGuid).isEmpty() && state.identity.nodes.indexOf(portGuid) >= 0) {
            state.identity.nodes.forget(portGuid);
            state.identity.nodeRemoved(portGuid);
        }
        String where = at == null ? "" : " at " + end(at.guid(), at.port());
        told(at == null ? 0 : at.guid(), "host " + name + where, nowNanos, asker, effects);
    }

    /** Whatever was forgotten, it is an epoch: people wait for it. */
    private void told(long guid, String what, long nowNanos, String asker, List<Effect> effects) {
        state.news.add(nowNanos, what + " forgotten");
        tell(effects, nowNanos, Kind.FORGOTTEN, guid, what + " forgotten" + asker);
    }

    private void touch(List<PortPlace> ports) {
        ports.forEach(port -> state.touchPort(port.guid(), port.port()));
    }

    private String end(long guid, int port) {
        return state.nameOf(guid) + " port " + port;
    }

    private void tell(List<Effect> effects, long nowNanos, Kind kind, long guid, String text) {
        effects.add(
                new Effect.Tell(new LoggedEvent(nowNanos, state.epoch, LoggedEvent.Severity.INFO, kind, guid, text)));
    }
}
