package io.dmodc.manager.core;

import io.dmodc.manager.core.FabricEvent.ReplaceAsked;
import io.dmodc.manager.core.FabricEvent.SwitchGuid;
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
    private final FabricState state;
    private final Forgetting forgetting;

    Replacement(FabricState state, Forgetting forgetting) {
        this.state = state;
        this.forgetting = forgetting;
    }

    /** Why the one cannot take the other's place now; {@code null} when it can. Both must be known. */
    static @Nullable String obstacle(FabricState state, long oldGuid, long newGuid) {
        if (oldGuid == newGuid) {
            return state.nameOf(oldGuid) + ": a switch does not replace itself";
        }
        if (!state.storeFailure.isEmpty()) {
            return "its level could not be kept: " + state.storeFailure;
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
        return state.levels().levels().getOrDefault(guid, FabricView.UNRANKED);
    }

    private static @Nullable SwitchRecord find(FabricState state, long guid) {
        SwitchRecord attached = state.switches.get(guid);
        return attached == null ? state.strangers.find(guid) : attached;
    }

    /** A switch that nothing ties to the fabric yet is tied to it by a person's word. */
    void admit(ReplaceAsked asked) {
        if (state.strangers.find(asked.newGuid()) != null
                && Forgetting.knows(state, new SwitchGuid(asked.oldGuid()))
                && obstacle(state, asked.oldGuid(), asked.newGuid()) == null) {
            state.strangers.admit(asked.newGuid());
        }
    }

    void asked(ReplaceAsked asked, List<Effect> effects) {
        long oldGuid = asked.oldGuid();
        long newGuid = asked.newGuid();
        String obstacle = Forgetting.knows(state, new SwitchGuid(oldGuid))
                ? obstacle(state, oldGuid, newGuid)
                : Forgetting.UNKNOWN;
        if (obstacle != null) {
            effects.add(new Effect.Declined(asked, obstacle));
            return;
        }
        SwitchRecord record = Objects.requireNonNull(find(state, newGuid));
        // One that was tied in by this very word is not expected yet, and could take nothing over.
        touch(state.inventory().addSwitch(newGuid, record.name, record.portCount));
        String text = state.nameOf(newGuid) + " takes the place of " + state.nameOf(oldGuid);
        int level = level(state, oldGuid);
        if (level >= 0) {
            state.deal(state.levels().with(newGuid, level));
        }
        state.touchSwitch(newGuid);
        touch(state.inventory().handOver(oldGuid, newGuid, (port, far) -> isFree(newGuid, port, far)));
        forgetting.forgetSwitch(oldGuid, asked.nowNanos(), effects);
        state.news(asked.nowNanos(), text);
        effects.add(new Effect.Tell(new LoggedEvent(
                asked.nowNanos(),
                state.epoch,
                LoggedEvent.Severity.INFO,
                LoggedEvent.Kind.SWITCH_REPLACED,
                newGuid,
                state.nameOf(newGuid),
                null,
                text)));
    }

    private void touch(List<PortPlace> ports) {
        ports.forEach(port -> state.touchPort(port.guid(), port.port()));
    }

    private boolean isFree(long guid, int port, Neighbour far) {
        Neighbour says = state.cabling.claim(guid, port);
        return says == null || says.isSameEnd(far);
    }
}
