package io.dmodc.manager.core;

import io.dmodc.manager.core.Act.HostPair;
import io.dmodc.manager.core.ExchangedHosts.Exchanged;
import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.Guid;
import io.dmodc.topology.Host;
import io.dmodc.topology.PortPlace;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Gives the node index of a host port that is gone to the one in its place, so that no route changes its way for it. One that was not
 * seen yet is expected where the old one was, under its name and addresses until it says its own. An index that the new one had
 * is given to nobody until the manager is started again: switches may hold entries of it for a while.
 */
final class HostReplacement {
    /** Why nothing else is done to a host port meanwhile. */
    static final String UNDER_WAY = "tables with what was replaced last are being computed; ask again in a moment";

    private final FabricState state;

    HostReplacement(FabricState state) {
        this.state = state;
    }

    /** Why these cannot be replaced now; {@code null} when they can. */
    static @Nullable String obstacle(FabricState state, List<HostPair> pairs) {
        Set<Long> named = new HashSet<>();
        for (HostPair pair : pairs) {
            if (pair.oldGuid() == pair.newGuid()) {
                return Guid.format(pair.oldGuid()) + ": a host port does not replace itself";
            }
            if (!named.add(pair.oldGuid()) || !named.add(pair.newGuid())) {
                return "a host port is named twice";
            }
            String found = obstacle(state, pair);
            if (found != null) {
                return found;
            }
        }
        return pairs.isEmpty() ? "it names no host" : null;
    }

    private static @Nullable String obstacle(FabricState state, HostPair pair) {
        if (!state.identity.nodes.knows(pair.oldGuid())) {
            return "host port " + Guid.format(pair.oldGuid()) + " has no node index";
        }
        if (pair.newGuid() == 0) {
            // Agents that are told such a destination end the session.
            return "no host port has GUID 0";
        }
        if (state.switches.containsKey(pair.newGuid()) || state.inventory().hasSwitch(pair.newGuid())) {
            return state.nameOf(pair.newGuid()) + " is a switch";
        }
        if (state.intent.isReplacing(pair.oldGuid()) || state.intent.isReplacing(pair.newGuid())) {
            return UNDER_WAY;
        }
        PortPlace there = whereUp(state, pair.oldGuid());
        return there == null ? null : "host port " + Guid.format(pair.oldGuid()) + " is up at " + end(state, there);
    }

    private static @Nullable PortPlace whereUp(FabricState state, long portGuid) {
        return state.cabling.claimants(portGuid).stream()
                .filter(at ->
                        state.cabling.claimsUpNow(at.guid(), at.port()) || state.cabling.saysUp(at.guid(), at.port()))
                .findFirst()
                .orElse(null);
    }

    /** What a person may do who finds another adapter at the port of a host. */
    static String advice(Host old, Host fresh) {
        return "'plan replace node " + Guid.format(old.portGuid()) + " " + Guid.format(fresh.portGuid())
                + "' gives it the node index";
    }

    /** Does it; there must be no {@link #obstacle}, and it must be kept: tables rest on it. */
    void perform(ActAsked asked, long nowNanos, List<Effect> effects) {
        asked.act().replacedHosts().forEach(pair -> handOver(pair, nowNanos, asked.asker(), effects));
    }

    /**
     * Hands the index over, unless something is against it by now.
     *
     * @param asker behind what is told
     */
    void handOver(HostPair pair, long nowNanos, String asker, List<Effect> effects) {
        String obstacle = obstacle(state, pair);
        if (obstacle != null) {
            state.intent.notReplaced(pair);
            tell(0, "not replaced: " + obstacle + asker, nowNanos, effects);
            return;
        }
        PortPlace at = placeOf(pair.newGuid(), placeOf(pair.oldGuid(), null));
        int ownIndex = state.identity.nodes.indexOf(pair.newGuid());
        int index = state.identity.nodes.indexOf(pair.oldGuid());
        String text = "host port " + Guid.format(pair.newGuid()) + " takes the place of " + Guid.format(pair.oldGuid())
                + nameOf(pair.oldGuid()) + ", node index " + index;
        takePlace(pair);
        state.identity.nodes.handOver(pair.oldGuid(), pair.newGuid());
        if (ownIndex >= 0) {
            state.identity.nodes.retire(ownIndex);
        }
        state.identity.nodeHandedOver(pair, index);
        state.intent.replaced(pair, index);
        state.news.addAct(nowNanos, text);
        tell(at == null ? 0 : at.guid(), text + asker, nowNanos, effects);
        state.alarms.recordChanges();
    }

    private void tell(long guid, String text, long nowNanos, List<Effect> effects) {
        String name = guid == 0 ? "" : state.nameOf(guid);
        effects.add(new Effect.Tell(new LoggedEvent(
                nowNanos,
                state.epoch,
                LoggedEvent.Severity.INFO,
                LoggedEvent.Kind.HOST_REPLACED,
                guid,
                name,
                null,
                text)));
    }

    /**
     * The new host is where the old one is remembered, if it was not seen anywhere yet, and the old one nowhere. What a port that is up
     * says stays.
     */
    private void takePlace(HostPair pair) {
        boolean unseen = state.cabling.claimants(pair.newGuid()).isEmpty();
        Host expected = expectedHost(pair.oldGuid());
        for (PortPlace at : state.cabling.claimants(pair.oldGuid())) {
            if (state.cabling.claim(at.guid(), at.port()) instanceof ToHost to
                    && !state.cabling.saysUp(at.guid(), at.port())) {
                boolean here = unseen && state.cabling.neighbour(at.guid(), at.port()) instanceof ToHost;
                Neighbour fresh = here ? new ToHost(to.host().replacedBy(pair.newGuid())) : null;
                state.apply(new PortSeen(at.guid(), at.port(), false, fresh));
                state.touchPort(at.guid(), at.port());
            }
        }
        if (expected != null) {
            state.inventory()
                    .replaceHost(pair.oldGuid(), expected.replacedBy(pair.newGuid()))
                    .forEach(at -> state.touchPort(at.guid(), at.port()));
        }
    }

    private @Nullable Host expectedHost(long portGuid) {
        PortPlace at = state.inventory().portOf(portGuid);
        return at != null && state.inventory().expected(at.guid(), at.port()) instanceof ToHost to ? to.host() : null;
    }

    /** Where it is, or should be. */
    private @Nullable PortPlace placeOf(long portGuid, @Nullable PortPlace otherwise) {
        PortPlace at = state.inventory().portOf(portGuid);
        List<PortPlace> claimants = state.cabling.claimants(portGuid);
        return at != null ? at : claimants.isEmpty() ? otherwise : claimants.get(0);
    }

    private String nameOf(long portGuid) {
        Exchanged was = state.identity.exchanged.all().get(portGuid);
        Host known = was != null ? was.host() : expectedHost(portGuid);
        return known == null ? "" : " (" + known.name() + ")";
    }

    private static String end(FabricState state, PortPlace at) {
        return state.nameOf(at.guid()) + " port " + at.port();
    }
}
