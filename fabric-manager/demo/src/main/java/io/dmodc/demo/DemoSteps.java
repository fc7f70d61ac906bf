package io.dmodc.demo;

import io.dmodc.demo.DemoObserver.Outcome;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.LoggedEvent.Kind;
import java.io.PrintStream;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;

/** Plays the steps of a scenario one after the other, and tells of each what the manager made of it. */
final class DemoSteps {
    private static final int NOTES_SHOWN = 3;
    private static final Set<Kind> TELLING = EnumSet.of(
            Kind.LINK_DOWN,
            Kind.AGENT_SILENT,
            Kind.SWITCH_DEAD,
            Kind.SWITCH_HEADLESS,
            Kind.LEAVES_CUT_OFF,
            Kind.AGENT_ALIVE,
            Kind.SWITCH_BACK);

    private final DemoObserver manager;
    private final PrintStream out;
    private int count;

    DemoSteps(DemoObserver manager, PrintStream out) {
        this.manager = manager;
        this.out = out;
    }

    /** The same count of steps, of a manager that was started anew. */
    DemoSteps continued(DemoObserver anew) {
        DemoSteps steps = new DemoSteps(anew, out);
        steps.count = count;
        return steps;
    }

    /** What happens to the fabric. */
    interface Fault {
        void run() throws DemoFailure;
    }

    /** Does the fault, waits for calm, and tells what happened. */
    Outcome play(String title, Fault fault, Predicate<FabricSnapshot> known) throws DemoFailure {
        title(title);
        long epochBefore = manager.epoch();
        long eventBefore = manager.lastEventNumber();
        long faultNanos = System.nanoTime();
        fault.run();
        manager.await(title, known);
        Outcome outcome = manager.outcome(faultNanos, epochBefore, eventBefore);
        tellNotes(outcome);
        tellTimes(outcome);
        return outcome;
    }

    /** Begins a step. */
    void title(String title) {
        out.println();
        out.printf(Locale.ROOT, "%2d  %s%n", ++count, title);
    }

    private void tellNotes(Outcome outcome) {
        List<String> notes = outcome.notes().stream()
                .filter(entry -> TELLING.contains(entry.note().kind()))
                .sorted(Comparator.comparing(entry -> entry.note().kind() == Kind.LINK_DOWN))
                .map(entry -> entry.note().text())
                .toList();
        notes.stream().limit(NOTES_SHOWN).forEach(text -> out.println("    " + text));
        if (notes.size() > NOTES_SHOWN) {
            out.println("    … and " + (notes.size() - NOTES_SHOWN) + " more lines in the event log");
        }
    }

    private void tellTimes(Outcome outcome) {
        if (outcome.acked() < 0) {
            out.println("    no table had to change: 0 switches, 0 blocks");
            return;
        }
        out.printf(
                Locale.ROOT,
                "    noticed after %s, computed after %s (routes %s, check %s), all acked after %s%n",
                millis(outcome.noticed()),
                millis(outcome.computed()),
                millis(outcome.routeNanos()),
                millis(outcome.checkNanos()),
                millis(outcome.acked()));
        out.printf(
                Locale.ROOT,
                "    %,d switches, %,d blocks of 64 entries, %d %s%n",
                outcome.switches(),
                outcome.blocks(),
                outcome.epochs(),
                outcome.epochs() == 1 ? "epoch" : "epochs");
        out.println("    " + outcome.change());
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.1f ms", nanos / 1e6);
    }
}
