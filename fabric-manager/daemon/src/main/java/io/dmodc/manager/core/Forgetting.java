package io.dmodc.manager.core;

import io.dmodc.manager.core.FabricEvent.CableAt;
import io.dmodc.manager.core.FabricEvent.ForgetAsked;
import io.dmodc.manager.core.FabricEvent.Forgettable;
import io.dmodc.manager.core.FabricEvent.HostPort;
import io.dmodc.manager.core.FabricEvent.SwitchGuid;
import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.Removed;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchForgotten;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.Guid;
import io.dmodc.topology.PortPlace;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes what was replaced or removed out of everything that waits for it: inventory, alarms, ring, levels, the list of
 * switches a start waits for. What is there cannot be forgotten; what comes back is simply there again. The
 * node index of a forgotten host is free for another, those of hosts behind a forgotten switch stay theirs.
 */
final class Forgetting {
    /** Why something is not forgotten, nor replaced, that is not there. */
    static final String UNKNOWN = "it is not known any more";

    private final FabricState state;
    private final TableDistributor distributor;

    Forgetting(FabricState state, TableDistributor distributor) {
        this.state = state;
        this.distributor = distributor;
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
        if (what instanceof SwitchGuid it) {
            return obstacle(state, it.guid());
        }
        if (what instanceof CableAt it) {
            return state.works(it.guid(), it.port()) ? "the cable is up" : null;
        }
        PortPlace at = state.inventory().portOf(((HostPort) what).portGuid());
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

    void asked(ForgetAsked asked, List<Effect> effects) {
        Forgettable what = asked.what();
        String obstacle = knows(state, what) ? obstacle(state, what) : UNKNOWN;
        if (obstacle != null) {
            effects.add(new Effect.Declined(asked, obstacle));
            return;
        }
        if (what instanceof SwitchGuid it) {
            forgetSwitch(it.guid(), asked.nowNanos(), effects);
        } else if (what instanceof CableAt it) {
            forgetCable(it, asked.nowNanos(), effects);
        } else {
            forgetHost(((HostPort) what).portGuid(), asked.nowNanos(), effects);
        }
    }

    /** Takes a switch out of everything; there must be no {@link #obstacle}. */
    void forgetSwitch(long guid, long nowNanos, List<Effect> effects) {
        String name = state.nameOf(guid);
        touch(state.inventory().removeSwitch(guid));
        state.touchSwitch(guid);
        state.expected.remove(guid);
        state.intent.forgotten(guid);
        SwitchRecord record = state.switches.get(guid);
        if (record != null) {
            distributor.forgotten(record);
            state.switches.remove(guid);
            state.share.forgotten(guid);
            state.answersDue.cancel(guid);
            state.strangers.forgotten(guid);
            state.newHosts.forgotten(guid);
            state.hostChanges.forgotten(guid);
            state.holdDown.forget(guid);
            state.unheard.removeIf(port -> port.guid() == guid);
            state.disagreements.touchSwitch(guid);
            state.apply(new SwitchForgotten(guid));
            state.ring.changed(nowNanos);
            state.news(nowNanos, name + " forgotten");
        }
        state.deal(state.levels().without(guid, state.inventory().linkCount()));
        tell(effects, nowNanos, guid, name + " forgotten");
    }

    private void forgetCable(CableAt cable, long nowNanos, List<Effect> effects) {
        ToSwitch far = (ToSwitch) state.inventory().expected(cable.guid(), cable.port());
        String text = "cable " + end(cable.guid(), cable.port())
                + (far == null ? "" : " – " + end(far.guid(), far.port())) + " forgotten";
        touch(state.inventory().forgetPort(cable.guid(), cable.port()));
        tell(effects, nowNanos, cable.guid(), text);
    }

    private void forgetHost(long portGuid, long nowNanos, List<Effect> effects) {
        PortPlace at = state.inventory().portOf(portGuid);
        if (at == null) {
            return;
        }
        Neighbour host = state.inventory().expected(at.guid(), at.port());
        String name = host instanceof ToHost to ? to.host().name() : Guid.format(portGuid);
        touch(state.inventory().forgetPort(at.guid(), at.port()));
        boolean named = false;
        for (PortPlace place : state.cabling.claimants(portGuid)) {
            if (!state.cabling.claimsUpNow(place.guid(), place.port())) {
                named |= state.apply(new PortSeen(place.guid(), place.port(), false, null));
            }
        }
        if (state.cabling.claimants(portGuid).isEmpty() && state.nodes.indexOf(portGuid) >= 0) {
            state.nodes.forget(portGuid);
            state.records.observed(new Removed(new StateRecord.Key(StateRecord.Kind.NODE_INDEX, portGuid, 0, "")));
            named = true;
        }
        if (named) {
            state.news(nowNanos, "host " + name + " forgotten");
        }
        tell(effects, nowNanos, at.guid(), "host " + name + " at " + end(at.guid(), at.port()) + " forgotten");
    }

    private void touch(List<PortPlace> ports) {
        ports.forEach(port -> state.touchPort(port.guid(), port.port()));
    }

    private String end(long guid, int port) {
        return state.nameOf(guid) + " port " + port;
    }

    private void tell(List<Effect> effects, long nowNanos, long guid, String text) {
        effects.add(new Effect.Tell(new LoggedEvent(
                nowNanos, state.epoch, LoggedEvent.Severity.INFO, LoggedEvent.Kind.FORGOTTEN, guid, text)));
    }
}
