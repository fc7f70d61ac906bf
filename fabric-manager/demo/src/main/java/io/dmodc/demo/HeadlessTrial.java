package io.dmodc.demo;

import io.dmodc.agent.plane.Cable;
import io.dmodc.agent.plane.Neighbour;
import io.dmodc.demo.DemoObserver.Outcome;
import io.dmodc.detector.acceptance.AcceptanceRow;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.core.LoggedEvent.Severity;
import io.dmodc.manager.core.SwitchRecord.Condition;
import io.dmodc.manager.core.SwitchRecord.Forwarding;
import io.dmodc.manager.core.SwitchSnapshot;
import io.dmodc.manager.loop.EventLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * Row A14: an agent that dies, or hangs, leaves its switch forwarding and the tables of all others alone; when its links
 * then go, too, routes lead around it at once. They do also when the switch hangs with its agent, and its links stay up.
 */
final class HeadlessTrial {
    /** Behind δ of the ring: its round of opinions, and two rounds of hellos through the switch. */
    private static final long HUNG_NANOS = 1_000_000_000L;

    private final DemoFabric fabric;
    private final DemoObserver manager;
    private final EventLog eventLog;
    private final List<Long> switches;
    private final long suspicionNanos;
    private final List<Long> noticed = new ArrayList<>();
    private final List<Long> rerouted = new ArrayList<>();
    private final List<Long> ledAround = new ArrayList<>();

    /**
     * @param switches above the leaves, to be treated one after the other
     * @param suspicionNanos δ of the ring
     */
    HeadlessTrial(
            DemoFabric fabric, DemoObserver manager, EventLog eventLog, List<Long> switches, long suspicionNanos) {
        this.fabric = fabric;
        this.manager = manager;
        this.eventLog = eventLog;
        this.switches = List.copyOf(switches);
        this.suspicionNanos = suspicionNanos;
    }

    /** What happened while agents were gone and links up. */
    private static final class Tally {
        private int agents;
        private int headless;
        private int alarms;
        private int epochs;
        private long blocks;

        private AcceptanceRow row(String claim) {
            return AcceptanceRow.judged(
                    "A14",
                    claim,
                    agents + " agents: " + headless + " headless, " + alarms + " alarms, " + epochs + " epochs, "
                            + blocks + " blocks pushed elsewhere",
                    "each headless with an alarm, 0 blocks pushed",
                    headless == agents && alarms == agents && blocks == 0 && epochs == 0);
        }
    }

    List<AcceptanceRow> run() throws DemoFailure {
        Tally killed = new Tally();
        Tally hung = new Tally();
        for (int i = 0; i < switches.size(); i++) {
            boolean hangs = i % 2 == 1;
            long guid = switches.get(i);
            loseAgent(guid, hangs, hangs ? hung : killed);
            cutLinks(guid);
            bringBack(guid);
            if (fabric.detectionNanos() > 0) {
                hang(guid);
            }
        }
        Percentiles had = new Percentiles(noticed);
        Percentiles done = new Percentiles(rerouted);
        Percentiles around = new Percentiles(ledAround);
        return List.of(
                killed.row("agent killed, links up, hellos come through the switch"),
                hung.row(
                        "agent hung, links up, its hellos missed by all neighbours, but others come through the switch"),
                AcceptanceRow.judged(
                        "A14",
                        "switch hung with its agent, all its links up",
                        String.format(
                                Locale.ROOT,
                                "%d switches: routed around, all tables acknowledged after %.0f ms (median), %.0f ms (most)",
                                ledAround.size(),
                                around.at(0.5) / 1e6,
                                around.max() / 1e6),
                        "tables acknowledged <= delta " + LinkTrial.millis(suspicionNanos) + " + "
                                + LinkTrial.millis(HUNG_NANOS),
                        ledAround.size() == switches.size() && around.max() <= suspicionNanos + HUNG_NANOS),
                AcceptanceRow.judged(
                        "A14",
                        "links of the headless switch then cut",
                        String.format(
                                Locale.ROOT,
                                "%d switches: noticed after %.1f ms at most; routed around, all tables acknowledged after "
                                        + "%.1f ms (median), %.1f ms (most)",
                                switches.size(),
                                had.max() / 1e6,
                                done.at(0.5) / 1e6,
                                done.max() / 1e6),
                        "noticed <= " + LinkTrial.millis(LinkTrial.LINK_EVENT_NANOS) + ", tables acknowledged <= "
                                + LinkTrial.millis(2 * LinkTrial.LINK_EVENT_NANOS),
                        had.max() <= LinkTrial.LINK_EVENT_NANOS && done.max() <= 2 * LinkTrial.LINK_EVENT_NANOS));
    }

    private void loseAgent(long guid, boolean hangs, Tally tally) throws DemoFailure {
        long epochBefore = manager.epoch();
        long eventBefore = eventLog.lastNumber();
        long start = System.nanoTime();
        if (hangs) {
            fabric.hangAgent(guid);
        } else {
            fabric.killAgent(guid);
        }
        manager.await(
                "agent gone",
                state -> condition(state, guid) != Condition.CONNECTED
                        && allUnheard(state, guid)
                        && isShownToForward(state, guid));
        Outcome outcome = manager.outcome(start, epochBefore, eventBefore);
        tally.agents++;
        tally.headless += manager.ask(state -> condition(state, guid) == Condition.HEADLESS) ? 1 : 0;
        tally.alarms += outcome.notes().stream()
                        .map(EventLog.Entry::note)
                        .anyMatch(note -> note.kind() == Kind.SWITCH_HEADLESS
                                && note.severity() == Severity.ALARM
                                && note.guid() == guid)
                ? 1
                : 0;
        tally.epochs += outcome.epochs();
        tally.blocks += outcome.blocks();
    }

    /** Waits out what the missing hellos could do: without them there is nothing to wait for. */
    private boolean allUnheard(FabricSnapshot state, long guid) {
        return fabric.detectionNanos() == 0
                || fabric.linksOf(guid).stream().allMatch(cable -> isUnheardFrom(state, cable, guid));
    }

    private boolean isShownToForward(FabricSnapshot state, long guid) {
        return fabric.detectionNanos() == 0 || known(state, guid).forwarding() == Forwarding.PROVED;
    }

    private static boolean isUnheardFrom(FabricSnapshot state, Cable cable, long guid) {
        return cable.far() instanceof Neighbour.SwitchPort far
                && (cable.guid() == guid
                        ? state.unheard(far.guid(), far.port())
                        : state.unheard(cable.guid(), cable.port()));
    }

    private void cutLinks(long guid) throws DemoFailure {
        long epochBefore = manager.epoch();
        long eventBefore = eventLog.lastNumber();
        List<Cable> links = fabric.linksOf(guid);
        long start = System.nanoTime();
        links.forEach(fabric::cut);
        manager.await("links of a headless switch cut", state -> condition(state, guid) == Condition.DEAD);
        Outcome outcome = manager.outcome(start, epochBefore, eventBefore);
        noticed.add(outcome.noticed());
        rerouted.add(outcome.acked());
    }

    private void bringBack(long guid) throws DemoFailure {
        fabric.linksOf(guid).forEach(fabric::mend);
        fabric.killAgent(guid);
        fabric.startAgent(guid);
        awaitBack(guid);
    }

    private void awaitBack(long guid) throws DemoFailure {
        List<Cable> links = fabric.linksOf(guid);
        manager.await(
                "switch back",
                state -> condition(state, guid) == Condition.CONNECTED
                        && links.stream().allMatch(cable -> state.isLive(cable.guid(), cable.port())));
    }

    private void hang(long guid) throws DemoFailure {
        awaitItsPlace();
        long epochBefore = manager.epoch();
        long eventBefore = eventLog.lastNumber();
        long start = System.nanoTime();
        fabric.hangSwitch(guid);
        manager.await("switch hung", state -> condition(state, guid) == Condition.DEAD);
        ledAround.add(manager.outcome(start, epochBefore, eventBefore).acked());
        fabric.resumeSwitch(guid);
        awaitBack(guid);
    }

    /** Who is new in the ring is given 2 δ until it is heard for the first time: that is not what is measured. */
    private void awaitItsPlace() throws DemoFailure {
        long begun = System.nanoTime();
        manager.await("heard in the ring", state -> System.nanoTime() - begun >= suspicionNanos);
    }

    private static Condition condition(FabricSnapshot state, long guid) {
        return known(state, guid).condition();
    }

    private static SwitchSnapshot known(FabricSnapshot state, long guid) {
        return Objects.requireNonNull(state.findSwitch(guid));
    }
}
