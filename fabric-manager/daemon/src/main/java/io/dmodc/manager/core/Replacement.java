package io.dmodc.manager.core;

import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.core.Forgettable.SwitchGuid;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.PortPlace;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Puts a new switch in the place of one that is gone: it takes over the level, and the cables and hosts that are still
 * expected at ports where it says nothing else; the old one is forgotten.
 */
final class Replacement {
    /** Takes switches in that count from now on. */
    interface Arrivals {
        void attach(long nowNanos, List<Effect> effects);
    }

    private final FabricState state;
    private final Forgetting forgetting;
    private final Arrivals arrivals;

    Replacement(FabricState state, Forgetting forgetting, Arrivals arrivals) {
        this.state = state;
        this.forgetting = forgetting;
        this.arrivals = arrivals;
    }

    /** Why the one cannot take the other's place now; {@code null} when it can. */
    static @Nullable String obstacle(FabricState state, long oldGuid, long newGuid) {
        if (oldGuid == newGuid) {
            return state.nameOf(oldGuid) + ": a switch does not replace itself";
        }
        SwitchRecord record = find(state, newGuid);
        if (record == null || !record.portsKnown) {
            return state.nameOf(newGuid) + ": its agent has not told its ports yet";
        }
        int oldLevel = level(state, oldGuid);
        int newLevel = level(state, newGuid);
        if (oldLevel >= 0 && newLevel >= 0 && oldLevel != newLevel) {
            // A level once learnt stays: with another one a switch that works would turn its links around.
            return state.nameOf(oldGuid) + " has level " + oldLevel + ", " + state.nameOf(newGuid) + " has level "
                    + newLevel;
        }
        return Forgetting.obstacle(state, new SwitchGuid(oldGuid));
    }

    private static int level(FabricState state, long guid) {
        return state.identity.levels().levels().getOrDefault(guid, FabricView.UNRANKED);
    }

    private static @Nullable SwitchRecord find(FabricState state, long guid) {
        SwitchRecord attached = state.switches.get(guid);
        return attached == null ? state.strangers.find(guid) : attached;
    }

    /**
     * Does it; there must be no {@link #obstacle}. A switch that nothing ties to the fabric yet is tied to it by a person's word.
     *
     * @param atMillis when it was asked for, as what was written ahead says
     */
    void perform(ActAsked asked, long atMillis, long nowNanos, List<Effect> effects) {
        long oldGuid = asked.act().oldGuid();
        long newGuid = asked.act().newGuid();
        if (state.strangers.find(newGuid) != null) {
            state.strangers.admit(newGuid);
            arrivals.attach(nowNanos, effects);
        }
        SwitchRecord record = Objects.requireNonNull(find(state, newGuid));
        // One that was tied in by this very word is not expected yet, and could take nothing over.
        touch(state.inventory().addSwitch(newGuid, record.name, record.portCount));
        String text = state.nameOf(newGuid) + " takes the place of " + state.nameOf(oldGuid);
        int level = level(state, oldGuid);
        if (level >= 0) {
            state.identity.deal(state.identity.levels().with(newGuid, level));
        }
        state.identity.handOverPlane(oldGuid, newGuid);
        state.touchSwitch(newGuid);
        touch(state.inventory().handOver(oldGuid, newGuid, (port, far) -> isFree(newGuid, port, far)));
        forgetting.moveDrains(asked, nowNanos, effects);
        state.intent.forget(new SwitchGuid(oldGuid), asked.by(), atMillis, asked.why());
        forgetting.forgetSwitch(oldGuid, nowNanos, asked.asker(), effects);
        state.news.add(nowNanos, text);
        effects.add(new Effect.Tell(new LoggedEvent(
                nowNanos,
                state.epoch,
                LoggedEvent.Severity.INFO,
                LoggedEvent.Kind.SWITCH_REPLACED,
                newGuid,
                state.nameOf(newGuid),
                null,
                text + asked.asker())));
        state.alarms.recordChanges();
    }

    private void touch(List<PortPlace> ports) {
        ports.forEach(port -> state.touchPort(port.guid(), port.port()));
    }

    private boolean isFree(long guid, int port, Neighbour far) {
        Neighbour says = state.cabling.claim(guid, port);
        return says == null || says.isSameEnd(far);
    }
}
