package io.dmodc.routing.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.change.ChangePlan.Verdict;
import java.util.BitSet;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Judges plans by every mix of entries that they allow ({@link MixTwin}) and every circle of channels ({@link ChannelTwin}), and counts them. */
final class PlanJudge {
    int plans;
    int inRounds;
    int drained;
    int unorderedUnsafe;
    int notProvable;

    /** Columns of which nothing is proven and in which no mix has packets come back: all that worked must arrive. */
    int kept;

    int withSuspects;
    int mostRounds;
    int free;
    int quiesced;
    long mixes;

    /** Counts one more plan, and fails where it is not as it says. */
    void judge(ChangedFabric fabric, ChangePlan plan, SplittableRandom random, String where) {
        plans++;
        withSuspects += plan.suspects().isEmpty() ? 0 : 1;
        LftSet tables = fabric.inForce.withUntold(fabric.tables);
        MixTwin twin = new MixTwin(fabric.works, fabric.inForce, tables, plan.suspects(), plan.free(), plan.quiesced());
        LftRow[][] held = MixTwin.schedule(fabric.inForce, tables, plan, random::nextInt);
        for (int s = 0; s < fabric.works.switchCount() && plan.rounds() > 0; s++) {
            if (fabric.works.alive(s) && !fabric.inForce.isUntold(s)) {
                assertThat(held[plan.rounds()][s].toBytes())
                        .as(where)
                        .isEqualTo(fabric.tables.row(s).toBytes());
            }
        }
        MixTwin.Result atOnce = atOnce(fabric, tables, plan, held);
        MixTwin.Result result = twin.tryAll(held);
        if (plan.verdict() == Verdict.NOT_PROVABLE) {
            notProvable++;
            if (allKnown(fabric)) {
                assertThat(atOnce.safe())
                        .as("%s: at once %s, but %s", where, atOnce, plan.text())
                        .isFalse();
            }
            requireWhatWorksKept(fabric, tables, plan, twin, held, where);
            return;
        }
        assertThat(result.safe())
                .as("%s: %s; suspects %s", where, result, plan.suspects())
                .isTrue();
        if (plan.rounds() > 0 && !ChannelTwin.hasCircle(fabric.works, held[0])) {
            assertThat(ChannelTwin.closesCircle(fabric.works, held, plan.drains()))
                    .as("%s: a circle of channels by %s", where, plan.text())
                    .isFalse();
        }
        quiesced += plan.quiesced().isEmpty() ? 0 : 1;
        free += plan.free().isEmpty() ? 0 : 1;
        if (plan.turning().isEmpty() && plan.quiesced().isEmpty() && allKnown(fabric)) {
            // Where packets turn already, one on its way may meet the same switch twice, with the old entry and the
            // new.
            assertThat(plan.rounds() > 1)
                    .as("%s: at once %s, but %s", where, atOnce, waiting(plan, twin, held))
                    .isEqualTo(!atOnce.safe());
        }
        inRounds += plan.rounds() > 1 ? 1 : 0;
        mostRounds = Math.max(mostRounds, plan.rounds());
        drained += plan.drains().isEmpty() ? 0 : 1;
        unorderedUnsafe += atOnce.safe() ? 0 : 1;
        mixes += result.mixes;
        if (!fabric.inForce.anyUntold()) {
            requireRestoredFirst(fabric, plan, twin, held, where);
            requireNamedWhatRestores(fabric, plan, twin, held, where);
        }
    }

    /** Columns of which nothing is proven may turn or loop, and lose nothing that arrived otherwise. */
    private void requireWhatWorksKept(
            ChangedFabric fabric, LftSet tables, ChangePlan plan, MixTwin twin, LftRow[][] held, String where) {
        BitSet all = new BitSet();
        all.set(0, fabric.works.nodeCount());
        MixTwin turning = new MixTwin(fabric.works, fabric.inForce, tables, plan.suspects(), all, new BitSet());
        for (int d = plan.suspects().nextSetBit(0); d >= 0; d = plan.suspects().nextSetBit(d + 1)) {
            if (!twin.tryColumn(d, held, new MixTwin.Result()).safe()) {
                MixTwin.Result result = turning.tryColumn(d, held, new MixTwin.Result());
                if (!result.loops) {
                    kept++;
                    assertThat(result.loses)
                            .as("%s: %s, %s", where, result, plan.text())
                            .isFalse();
                }
            }
        }
    }

    /** What comes of all mixes if nobody waits: a turn is nothing bad, a circle of channels is. */
    private static MixTwin.Result atOnce(ChangedFabric fabric, LftSet tables, ChangePlan plan, LftRow[][] held) {
        BitSet all = new BitSet();
        all.set(0, fabric.works.nodeCount());
        LftRow[][] both = {held[0], held[plan.rounds()]};
        MixTwin.Result result =
                new MixTwin(fabric.works, fabric.inForce, tables, plan.suspects(), all, new BitSet()).tryAll(both);
        result.loops |= ChannelTwin.closesCircle(fabric.works, both, new BitSet());
        return result;
    }

    /** Where a switch has one of several rows, the plan serves whichever it is, and this is one of them. */
    private static boolean allKnown(ChangedFabric fabric) {
        return !fabric.inForce.anyUntold()
                && IntStream.range(0, fabric.works.switchCount()).allMatch(s -> fabric.inForce.of(s).length < 2);
    }

    static String waiting(ChangePlan plan, MixTwin twin, LftRow[][] held) {
        StringBuilder text = new StringBuilder();
        for (int round = 2; round <= plan.rounds(); round++) {
            for (int s = 0; s < held[0].length; s++) {
                BitSet later = plan.later(s, round);
                if (!later.isEmpty()) {
                    int d = later.nextSetBit(0);
                    text.append("switch " + s + " waits with " + later
                            + (plan.suspects().get(d) ? ", suspect," : "") + " until " + round
                            + twin.entries(d, held[0], held[plan.rounds()]));
                }
            }
        }
        return text.toString();
    }

    /** An entry that is replaced and led nowhere belongs to a switch that restores, unless its column is suspect. */
    private static void requireNamedWhatRestores(
            ChangedFabric fabric, ChangePlan plan, MixTwin twin, LftRow[][] held, String where) {
        LftRow[] last = held[plan.rounds()];
        for (int s = 0; s < fabric.works.switchCount(); s++) {
            for (int d = 0; fabric.works.alive(s) && d < fabric.works.nodeCount(); d++) {
                boolean restores = !plan.suspects().get(d)
                        && held[0][s].port(d) != last[s].port(d)
                        && !twin.arrives(s, d, held[0])
                        && twin.arrives(s, d, last);
                assertThat(restores && !plan.restoring().get(s))
                        .as("%s: switch %d restores column %d", where, s, d)
                        .isFalse();
            }
        }
    }

    /** What the new tables serve and the old ones did not is served when the first round is over, unless a column is suspect. */
    private static void requireRestoredFirst(
            ChangedFabric fabric, ChangePlan plan, MixTwin twin, LftRow[][] held, String where) {
        BitSet columns = new BitSet();
        columns.set(0, fabric.works.nodeCount());
        columns.andNot(plan.suspects());
        columns.andNot(plan.quiesced());
        for (int d = columns.nextSetBit(0); d >= 0 && plan.rounds() > 1; d = columns.nextSetBit(d + 1)) {
            for (int target = 0; target < fabric.works.targetCount(); target++) {
                int s = fabric.works.targetSwitch(target);
                assertThat(twin.arrives(s, d, held[1]))
                        .as("%s: from %d to %d after round 1", where, s, d)
                        .isEqualTo(twin.arrives(s, d, held[plan.rounds()]));
            }
        }
    }

    @Override
    public String toString() {
        return String.format(
                "%d plans, %d in rounds (at most %d), %d with a drain, %d with suspect columns, %d with packets that may turn, %d quiesced, %d not"
                        + " provable with %d columns that turn and lose nothing; at once %d would be"
                        + " unsafe; %d mixes",
                plans,
                inRounds,
                mostRounds,
                drained,
                withSuspects,
                free,
                quiesced,
                notProvable,
                kept,
                unorderedUnsafe,
                mixes);
    }
}
