package io.dmodc.ctl;

import io.dmodc.routing.change.ChangePlan;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;

/**
 * What {@code change} found.
 *
 * @param verdict any-order, in-rounds or not-provable
 * @param problem why it is not provable; else empty
 * @param drains rounds before which packets of before must have left
 */
record ChangeReport(
        String verdict,
        String problem,
        int rounds,
        List<Integer> drains,
        long changedEntries,
        long waitingEntries,
        int waitingSwitches,
        int awaitedSwitches) {
    static ChangeReport of(ChangePlan plan) {
        BitSet waiting = plan.waiting();
        return new ChangeReport(
                plan.verdict().name().toLowerCase(Locale.ROOT).replace('_', '-'),
                plan.problem(),
                plan.rounds(),
                plan.drains().stream().boxed().toList(),
                plan.changedEntries(),
                plan.waitingEntries(),
                waiting.cardinality(),
                plan.awaited().cardinality());
    }

    String text() {
        if (verdict.equals("not-provable")) {
            return "not provable: " + problem;
        }
        String changes = changedEntries + " entries change";
        if (rounds < 2) {
            return "transient-safe: any order; " + changes;
        }
        String drain =
                drains.isEmpty() ? "" : drains.size() == 1 ? " with a drain" : " with " + drains.size() + " drains";
        return "transient-safe: in " + rounds + " rounds" + drain + ": " + waitingEntries + " entries of "
                + waitingSwitches + " switches wait for " + awaitedSwitches + "; " + changes;
    }
}
