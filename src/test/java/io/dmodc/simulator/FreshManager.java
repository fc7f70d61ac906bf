package io.dmodc.simulator;

import io.dmodc.agent.plane.Neighbour;
import io.dmodc.agent.plane.PortState;
import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.FabricEvent;
import io.dmodc.manager.core.FabricEvent.AgentJoined;
import io.dmodc.manager.core.FabricEvent.HeldTable;
import io.dmodc.manager.core.FabricEvent.PortsReported;
import io.dmodc.manager.core.FabricEvent.RingAddress;
import io.dmodc.manager.core.FabricState;
import io.dmodc.manager.core.FabricStep;
import io.dmodc.manager.core.SwitchRecord;
import io.dmodc.manager.loop.TableComputation;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.Parallel;
import io.dmodc.southbound.TableDigest;
import io.dmodc.topology.FabricChange;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.Host;
import io.dmodc.topology.PortPlace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A manager that starts now on a copy of the disk, with all agents at once: the tables it wants are those in force. */
final class FreshManager {
    private static final int ROUNDS_MAX = 1000;

    private final Simulation site;
    private final FabricState state;
    private final FabricStep step;
    private final TableComputation computation =
            new TableComputation(SimulatedManager::engine, null, Parallel.sequential());
    private final List<FabricEvent> events = new ArrayList<>();
    private final List<Effect> effects = new ArrayList<>();
    private long now;

    FreshManager(Simulation site, SimulatedManager manager) {
        this.site = site;
        now = site.now();
        state = SimulatedManager.started(manager.disk.copy(), now);
        step = new FabricStep(state);
    }

    void compare() {
        for (SimulatedSwitch s : site.fabric.switches) {
            if (s.powered && s.agent != null && s.agent.running()) {
                join(s);
            }
        }
        long end = now + 60 * Simulation.SECOND;
        int rounds = 0;
        while (!events.isEmpty() || step.nextDeadline() < end) {
            if (++rounds > ROUNDS_MAX) {
                site.violated(Law.SAME_AS_A_FRESH_MANAGER, "not at rest after " + ROUNDS_MAX + " rounds");
                return;
            }
            turn();
        }
        for (SimulatedSwitch s : site.fabric.switches) {
            SwitchRecord record = state.findSwitch(s.guid);
            LftRow desired = record == null ? null : record.desiredRow();
            String wrong = desired == null
                    ? (mustBeServed(s) ? "it wants nothing of " + s : null)
                    : Arrays.equals(desired.toBytes(), s.plane.installed().entries())
                            ? null
                            : "the table of " + s + " differs";
            if (wrong != null) {
                site.violated(Law.SAME_AS_A_FRESH_MANAGER, wrong);
                return;
            }
        }
    }

    /** It has an agent, and a cable ties it to the fabric. */
    private boolean mustBeServed(SimulatedSwitch s) {
        boolean tied = false;
        for (int port = 1; port <= s.portCount && !tied; port++) {
            tied = site.fabric.live(s, port);
        }
        boolean drained = state.snapshot().intent().isDrained(new PortPlace(s.guid, 0));
        return tied && !drained && s.powered && s.agent != null && s.agent.running();
    }

    private void turn() {
        if (events.isEmpty()) {
            now = Math.max(now, step.nextDeadline());
        }
        effects.clear();
        List<FabricEvent> batch = List.copyOf(events);
        events.clear();
        batch.forEach(event -> step.accept(event, effects));
        step.settle(now, effects);
        for (Effect effect : effects) {
            if (effect instanceof Effect.Compute compute) {
                events.add(computation.compute(compute, () -> now));
            } else if (effect instanceof Effect.Persist kept) {
                events.add(new FabricEvent.Persisted(now, kept.number()));
            } else if (effect instanceof Effect.Push push) {
                events.add(new FabricEvent.TableAcked(
                        now,
                        push.session(),
                        push.update().guid(),
                        push.update().fabricEpoch(),
                        push.update().resultDigest()));
            }
        }
    }

    private void join(SimulatedSwitch s) {
        byte[] entries = s.plane.installed().entries();
        HeldTable held = new HeldTable(
                s.plane.installed().version().leaderEpoch(),
                s.plane.installed().version().fabricEpoch(),
                entries.length,
                TableDigest.of(entries));
        long session = s.index + 1L;
        events.add(new AgentJoined(
                now, session, s.guid, s.name, s.portCount, s.agent().incarnation, held, new RingAddress("", 0)));
        List<PortSeen> ports =
                s.plane.ports().stream().map(port -> seen(s, port)).toList();
        events.add(new PortsReported(now, session, s.guid, true, ports));
    }

    private static PortSeen seen(SimulatedSwitch s, PortState port) {
        return new PortSeen(s.guid, port.number(), port.up(), neighbour(port.neighbour()));
    }

    private static FabricChange.@Nullable Neighbour neighbour(@Nullable Neighbour neighbour) {
        if (neighbour instanceof Neighbour.SwitchPort end) {
            return new FabricChange.ToSwitch(end.guid(), end.port());
        }
        return neighbour instanceof Neighbour.HostPort host
                ? new FabricChange.ToHost(
                        new Host(host.portGuid(), host.hostGuid(), host.port(), host.name(), host.addresses()))
                : null;
    }
}
