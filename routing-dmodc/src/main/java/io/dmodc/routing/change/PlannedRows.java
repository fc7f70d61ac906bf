package io.dmodc.routing.change;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftRowBuilder;
import io.dmodc.routing.PortPattern;
import io.dmodc.routing.change.ChangePlan.Delay;
import io.dmodc.routing.change.ChangePlan.Step;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** The rows of a switch whose entries change in several rounds: the new one, with what waits as it was. */
final class PlannedRows {
    private PlannedRows() {}

    /** @param held what the switch may have; where some of its entries wait these have them all alike, or serve alike */
    static List<Step> steps(LftRow[] held, LftRow row, Delay delay, LftRowBuilder builder) {
        List<Step> steps = new ArrayList<>();
        BitSet waiting = new BitSet();
        delay.later.values().forEach(waiting::or);
        addStep(steps, 1, partly(held, row, waiting, delay.dropped, builder), held);
        delay.later.forEach((round, columns) -> {
            waiting.andNot(columns);
            addStep(steps, round, partly(held, row, waiting, delay.dropped, builder), held);
        });
        return steps;
    }

    /** A step that changes nothing is none. */
    private static void addStep(List<Step> steps, int round, LftRow row, LftRow[] held) {
        boolean changes = steps.isEmpty()
                ? held.length != 1 || !held[0].sameEntries(row)
                : !steps.get(steps.size() - 1).row().sameEntries(row);
        if (changes) {
            steps.add(new Step(round, row));
        }
    }

    private static LftRow partly(LftRow[] held, LftRow row, BitSet waiting, BitSet dropped, LftRowBuilder builder) {
        if (waiting.isEmpty()) {
            return row;
        }
        builder.begin(row);
        for (int from = waiting.nextSetBit(0); from >= 0; ) {
            boolean drop = dropped.get(from);
            int to = Math.min(waiting.nextClearBit(from), drop ? dropped.nextClearBit(from) : firstSet(dropped, from));
            if (drop || held.length == 0) {
                builder.put(from, to, PortPattern.NO_ROUTE);
            } else {
                builder.put(from, to, held[0]);
            }
            from = waiting.nextSetBit(to);
        }
        return builder.build();
    }

    private static int firstSet(BitSet columns, int from) {
        int next = columns.nextSetBit(from);
        return next < 0 ? Integer.MAX_VALUE : next;
    }
}
