package io.dmodc.ctl;

import io.dmodc.routing.change.ChangePlan;
import io.dmodc.routing.change.ChangePlan.Verdict;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;

/**
 * What {@code change} found.
 *
 * @param verdict any-order, in-rounds or not-provable
 * @param problem why it is not provable; else empty
 * @param drains rounds before which packets of before must have left
 * @param turning nodes to which packets may turn from down to up meanwhile: no circle of channels comes of it
 * @param quiesced nodes to which nothing can be sent meanwhile, as was allowed
 * @param text the same for people
 */
record ChangeReport(
        String verdict,
        String problem,
        int rounds,
        List<Integer> drains,
        long changedEntries,
        long waitingEntries,
        int waitingSwitches,
        int awaitedSwitches,
        List<Integer> turning,
        List<Integer> quiesced,
        String text) {
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
                plan.awaited().cardinality(),
                plan.free().stream().boxed().toList(),
                plan.quiesced().stream().boxed().toList(),
                plan.text()
                        + (plan.verdict() == Verdict.NOT_PROVABLE
                                ? ""
                                : "; " + plan.changedEntries() + " entries change"));
    }
}
