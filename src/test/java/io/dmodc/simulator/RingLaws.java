package io.dmodc.simulator;

import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.Effect.TableUpdate;
import io.dmodc.manager.core.FabricEvent;
import io.dmodc.manager.core.FabricEvent.AgentJoined;
import io.dmodc.manager.core.FabricEvent.AgentLeft;
import io.dmodc.manager.core.FabricEvent.RevokeHeard;
import io.dmodc.manager.core.LoggedEvent;
import io.dmodc.manager.core.SwitchRecord;
import io.dmodc.southbound.SouthboundProtocol;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Laws 8, 10, 14 and 15: who leads, who is a member, who is accused, and when the ring is drawn. */
final class RingLaws {
    private static final long REDRAWN_NANOS = 5 * Simulation.SECOND + 500_000_000 + Simulation.SECOND;
    private static final int STRANGERS_MAX = 256;

    private final Simulation site;
    private final Set<SimulatedManager> deposed = new HashSet<>();
    private final Set<SimulatedManager> justDeposed = new HashSet<>();
    private final Map<Long, Integer> accusations = new HashMap<>();
    private final Map<Long, Integer> toldSilent = new HashMap<>();

    /** Switches that people put in the place of others, whatever their cables say. */
    private final Set<Long> tiedInByPeople = new HashSet<>();

    /** Agents that joined and are not in the ring yet: since when, by the manager's clock. */
    private final Map<Long, Long> waiting = new HashMap<>();

    RingLaws(Simulation site) {
        this.site = site;
    }

    void started() {
        toldSilent.clear();
        waiting.clear();
    }

    void took(SimulatedManager manager, FabricEvent event) {
        if (event instanceof RevokeHeard heard
                && heard.leaderEpoch() > Math.max(manager.state.leaderEpoch(), manager.disk.askedLeaderEpoch())) {
            justDeposed.add(manager);
        } else if (manager == site.network.listening && event instanceof AgentJoined joined) {
            SwitchRecord record = manager.state.findSwitch(joined.guid());
            boolean member = manager.state.membership().members().stream().anyMatch(m -> m.guid() == joined.guid());
            if (record != null && record.agentConnected() && !member && isAttached(joined.guid())) {
                waiting.putIfAbsent(joined.guid(), manager.clock());
            }
        } else if (manager == site.network.listening && event instanceof AgentLeft left) {
            waiting.remove(left.guid());
        }
    }

    private boolean isAttached(long guid) {
        for (SimulatedSwitch s : site.fabric.switches) {
            if (s.guid == guid) {
                return s.attached;
            }
        }
        return false;
    }

    /** Law 8. */
    void pushed(SimulatedManager manager, TableUpdate update) {
        if (deposed.contains(manager)) {
            site.violated(
                    Law.DEPOSED_MANAGER_IS_QUIET,
                    "pushes leader epoch " + update.leaderEpoch() + " to " + site.name(update.guid())
                            + " after a higher leader was heard of");
        }
    }

    /** Law 8. */
    void dismissed(SimulatedManager manager, Effect.Dismiss dismiss) {
        if (deposed.contains(manager) && dismiss.reason() == Effect.DismissReason.NOT_ACKNOWLEDGING) {
            site.violated(Law.DEPOSED_MANAGER_IS_QUIET, "dismisses an agent after a higher leader was heard of");
        }
    }

    void accused(long guid, int incarnation) {
        accusations.merge(guid, 1, Integer::sum);
    }

    /** Law 14. */
    void told(SimulatedManager manager, LoggedEvent note) {
        if (note.kind() == LoggedEvent.Kind.SWITCH_REPLACED) {
            tiedInByPeople.add(note.guid());
        }
        if (note.kind() == LoggedEvent.Kind.AGENT_SILENT && manager == site.network.listening) {
            int told = toldSilent.merge(note.guid(), 1, Integer::sum);
            int accused = accusations.getOrDefault(note.guid(), 0);
            if (told > accused) {
                site.violated(
                        Law.ONE_ACCUSATION_ONE_CYCLE,
                        site.name(note.guid()) + " judged silent " + told + " times after " + accused + " accusations");
            }
        }
    }

    /** Law 10: nobody is a member before a cable, or a person, ties it in. */
    void sent(SimulatedManager manager, Effect.Membership membership) {
        for (Effect.Member member : membership.members()) {
            if (manager == site.network.listening) {
                waiting.remove(member.guid());
            }
            if (!SouthboundProtocol.isManagerGuid(member.guid())
                    && !isAttached(member.guid())
                    && !tiedInByPeople.contains(member.guid())) {
                site.violated(Law.STRANGERS_COST_NOTHING, site.name(member.guid()) + " is a member of the ring");
            }
        }
    }

    /** Laws 10 and 15. */
    void turned(SimulatedManager manager) {
        deposed.addAll(justDeposed);
        justDeposed.clear();
        if (manager != site.network.listening) {
            return;
        }
        if (manager.state.switches().size() > site.fabric.switches.size() + STRANGERS_MAX) {
            site.violated(
                    Law.STRANGERS_COST_NOTHING,
                    manager.state.switches().size() + " switches on record, " + site.fabric.switches.size() + " exist");
        }
        for (Map.Entry<Long, Long> entry : waiting.entrySet()) {
            long waited = manager.clock() - entry.getValue();
            if (waited > REDRAWN_NANOS) {
                site.violated(
                        Law.RING_IS_REDRAWN_IN_TIME,
                        site.name(entry.getKey()) + " waits for its place for " + waited / 1_000_000 + " ms");
            }
        }
    }
}
