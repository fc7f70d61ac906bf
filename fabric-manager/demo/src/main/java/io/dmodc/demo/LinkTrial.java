package io.dmodc.demo;

import io.dmodc.agent.plane.Cable;
import io.dmodc.demo.DemoObserver.Outcome;
import io.dmodc.detector.acceptance.AcceptanceRow;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.loop.EventLog;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Row A13 in one process, where a cable is cut by a call: how soon the manager has a link's fault, whether both ends make one event, and what a train of flaps costs. Cables
 * are cut one at a time, each once and in a seeded order, and mended in groups, so that no hold-down of an earlier cut is in
 * the way.
 */
final class LinkTrial {
    /** What the manager may take to have a fault an agent knows of. */
    static final long LINK_EVENT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final int GROUP = 20;
    private static final int SILENT_CUTS = 100;
    private static final long HALF_FLAP_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int FLAPS_PER_SECOND = 10;
    private static final int EPOCHS_MAX = 10;

    private final DemoFabric fabric;
    private final DemoObserver manager;
    private final EventLog eventLog;
    private final List<Cable> cables;
    private int next;

    /** @param cables all between switches, at least two */
    LinkTrial(DemoFabric fabric, DemoObserver manager, EventLog eventLog, List<Cable> cables, long seed) {
        this.fabric = fabric;
        this.manager = manager;
        this.eventLog = eventLog;
        this.cables = new ArrayList<>(cables);
        Collections.shuffle(this.cables, new Random(seed));
    }

    /** A way to break one cable. */
    private interface Fault {
        void run(Cable cable);
    }

    /** What a number of cuts did. */
    private record Cuts(Percentiles noticed, int notes, long epochs, long flaps) {}

    List<AcceptanceRow> run(int cuts, int seconds) throws DemoFailure {
        List<AcceptanceRow> rows = new ArrayList<>();
        Cuts pulled = cutAll(cuts, fabric::cut, fabric::mend);
        rows.add(AcceptanceRow.judged(
                "A13",
                "in one process: port down at an agent, the manager has it",
                pulled.noticed().text(),
                "p99 <= " + millis(LINK_EVENT_NANOS),
                pulled.noticed().at(0.99) <= LINK_EVENT_NANOS));
        rows.add(oneEvent("in one process: both ends of a link are one event", cuts, pulled));
        Cuts silent = cutAll(Math.min(cuts, SILENT_CUTS), this::silence, fabric::unmute);
        long bound = fabric.detectionNanos() + LINK_EVENT_NANOS;
        rows.add(AcceptanceRow.judged(
                "A13",
                "in one process: cable silent with both ports up, every third one way only: the manager has it",
                silent.noticed().text(),
                "p99 <= detection time " + millis(fabric.detectionNanos()) + " + " + millis(LINK_EVENT_NANOS),
                silent.noticed().at(0.99) <= bound));
        rows.add(oneEvent("in one process: a silent cable is one event", Math.min(cuts, SILENT_CUTS), silent));
        rows.add(train(seconds, true));
        rows.add(train(Math.max(1, seconds / 10), false));
        return rows;
    }

    private static AcceptanceRow oneEvent(String claim, int cuts, Cuts done) {
        return AcceptanceRow.judged(
                "A13",
                claim,
                cuts + " cuts: " + done.notes() + " notes, " + done.epochs() + " epochs, " + done.flaps()
                        + " flaps counted",
                "one of each per cut",
                done.notes() == cuts && done.epochs() == cuts && done.flaps() == cuts);
    }

    private void silence(Cable cable) {
        if (next % 3 == 0) {
            fabric.mute(cable.guid(), cable.port());
        } else {
            fabric.mute(cable);
        }
    }

    private Cuts cutAll(int cuts, Fault fault, Fault mend) throws DemoFailure {
        List<Long> noticed = new ArrayList<>();
        List<Cable> broken = new ArrayList<>();
        int notes;
        long epochs = 0;
        long flapsBefore = manager.ask(FabricSnapshot::linkFlaps);
        try (EventWatch watch = new EventWatch(eventLog, Kind.LINK_DOWN)) {
            for (int i = 0; i < cuts; i++) {
                long epochBefore = manager.epoch();
                Cable cable = cables.get(next++ % cables.size());
                long start = System.nanoTime();
                fault.run(cable);
                noticed.add(watch.next("cut " + (i + 1)).nanos() - start);
                broken.add(cable);
                manager.await("cut " + (i + 1), state -> !live(state, cable));
                epochs += manager.epoch() - epochBefore;
                if (broken.size() == GROUP || i == cuts - 1) {
                    mendAll(broken, mend);
                }
            }
            notes = cuts + watch.rest().size();
        }
        return new Cuts(new Percentiles(noticed), notes, epochs, manager.ask(FabricSnapshot::linkFlaps) - flapsBefore);
    }

    private void mendAll(List<Cable> broken, Fault mend) throws DemoFailure {
        broken.forEach(mend::run);
        List<Cable> mended = List.copyOf(broken);
        broken.clear();
        manager.await("mended", state -> mended.stream().allMatch(cable -> live(state, cable)));
    }

    private static boolean live(FabricSnapshot state, Cable cable) {
        return state.isLive(cable.guid(), cable.port());
    }

    private AcceptanceRow train(int seconds, boolean lastUp) throws DemoFailure {
        Cable cable = cables.get(next++ % cables.size());
        long epochBefore = manager.epoch();
        long eventBefore = eventLog.lastNumber();
        long flapsBefore = manager.ask(FabricSnapshot::linkFlaps);
        long start = System.nanoTime();
        int flaps = seconds * FLAPS_PER_SECOND;
        for (int i = 0; i < flaps; i++) {
            fabric.cut(cable);
            pauseUntil(start + (2L * i + 1) * HALF_FLAP_NANOS);
            fabric.mend(cable);
            pauseUntil(start + (2L * i + 2) * HALF_FLAP_NANOS);
        }
        if (!lastUp) {
            fabric.cut(cable);
        }
        manager.await("train of flaps", state -> live(state, cable) == lastUp && state.heldDownCount() == 0);
        Outcome outcome = manager.outcome(start, epochBefore, eventBefore);
        long counted = manager.ask(FabricSnapshot::linkFlaps) - flapsBefore;
        fabric.mend(cable);
        manager.await("mended", state -> live(state, cable));
        return AcceptanceRow.judged(
                "A13",
                "in one process: train of " + flaps + " flaps in " + seconds + " s, then " + (lastUp ? "up" : "down"),
                String.format(
                        Locale.ROOT,
                        "%d epochs, %d tables pushed, %d flaps counted, last state %s",
                        outcome.epochs(),
                        outcome.switches(),
                        counted,
                        lastUp ? "up" : "down"),
                "<= " + EPOCHS_MAX + " epochs pushed, the last state right",
                outcome.epochs() <= EPOCHS_MAX);
    }

    private static void pauseUntil(long nanos) {
        for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    static String millis(long nanos) {
        return nanos / 1_000_000 + " ms";
    }
}
