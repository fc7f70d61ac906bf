package io.dmodc.simulator;

import io.dmodc.manager.core.Effect.TableUpdate;
import io.dmodc.manager.core.FabricState;
import io.dmodc.manager.core.LoggedEvent;
import io.dmodc.manager.core.SwitchRecord;
import io.dmodc.topology.PortPlace;

/** Laws 1 and 3: a restart over an unchanged fabric writes nothing, and discovery ends. */
final class RestartLaws {
    /** Longer than any hold-down and any report. */
    private static final long SETTLED_NANOS = 10 * Simulation.SECOND;

    private static final long SLACK_NANOS = Simulation.SECOND;

    private final Simulation site;

    /** Count of changes of the fabric at which all was settled when the last manager died; −1: it was not. */
    private long settledAt = -1;

    private long startedNanos;
    private long enoughSince = -1;

    /** Nothing was known when the manager started: then also when its switches became more. */
    private boolean first;

    private int switches;
    private long grewNanos;

    RestartLaws(Simulation site) {
        this.site = site;
    }

    void started(SimulatedManager manager) {
        startedNanos = manager.clock();
        enoughSince = -1;
        first = manager.state.switches().isEmpty();
        switches = 0;
        grewNanos = startedNanos;
    }

    void died(SimulatedManager manager) {
        boolean stillUntouched = settledAt == site.fabric.changes;
        if (!stillUntouched) {
            settledAt = settled(manager) ? site.fabric.changes : -1;
        }
    }

    private boolean settled(SimulatedManager manager) {
        if (!manager.state.calm()
                || manager.state.heldDownCount() > 0
                || !manager.disk.idle()
                || site.managers.size() > 1
                || site.now() - site.fabric.lastChangeNanos < SETTLED_NANOS) {
            return false;
        }
        for (SimulatedSwitch s : site.fabric.switches) {
            SwitchRecord record = manager.state.findSwitch(s.guid);
            if (s.powered
                    && (s.lost
                            || s.agent == null
                            || !s.agent.takesTables()
                            || record == null
                            || !holdsItsTable(manager, record))) {
                return false;
            }
        }
        return true;
    }

    /** One that is drained keeps what it has. */
    private static boolean holdsItsTable(SimulatedManager manager, SwitchRecord record) {
        return record.upToDate() || manager.state.snapshot().intent().isDrained(new PortPlace(record.guid(), 0));
    }

    /** People had something forgotten or replaced: other tables are wanted. That it was asked for does not count. */
    void told(SimulatedManager manager, LoggedEvent note) {
        boolean applied = note.kind() == LoggedEvent.Kind.FORGOTTEN || note.kind() == LoggedEvent.Kind.SWITCH_REPLACED;
        settledAt = applied && manager == site.network.listening ? -1 : settledAt;
    }

    /** Law 1. */
    void pushed(SimulatedManager manager, TableUpdate update) {
        if (settledAt == site.fabric.changes && update.blocks().length > 0) {
            site.violated(
                    Law.RESTART_WRITES_NOTHING,
                    update.blocks().length + " blocks to " + site.name(update.guid()) + " after a restart, "
                            + (manager.clock() - startedNanos) / 1_000_000 + " ms after the start");
        }
    }

    /** Law 3: while half of what is known is there, discovery is over within its timeout; where nothing was known, of the last new switch. */
    void turned(SimulatedManager manager) {
        FabricState state = manager.state;
        if (!state.discovering() || manager != site.network.listening) {
            return;
        }
        int connected = 0;
        for (SwitchRecord record : state.switches()) {
            connected += record.agentConnected() && !record.agentSilent() ? 1 : 0;
        }
        boolean enough = connected > 0 && 2 * connected >= state.inventory().switchCount();
        enoughSince = !enough ? -1 : enoughSince < 0 ? manager.clock() : enoughSince;
        if (first && state.switches().size() > switches) {
            switches = state.switches().size();
            grewNanos = manager.clock();
        }
        long timeout = SimulatedManager.RULES.discoveryTimeoutNanos();
        long end = first ? Math.min(grewNanos, enoughSince + 7 * timeout) + timeout : startedNanos + timeout;
        if (enough && manager.clock() - SLACK_NANOS > Math.max(end, enoughSince)) {
            site.violated(
                    Law.DISCOVERY_ENDS,
                    "discovering after " + (manager.clock() - startedNanos) / 1_000_000 + " ms with " + connected
                            + " of " + state.inventory().switchCount() + " known switches");
        }
    }
}
