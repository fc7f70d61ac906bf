package io.dmodc.manager.core;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.change.ChangePlan;
import io.dmodc.routing.change.ChangePlan.Verdict;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * In what order the tables of an epoch replace what switches hold, as it was planned beside them. Switches and their indices are those
 * of the view of the epoch.
 *
 * @param plan {@code null} if there is none: then all leave at once
 * @param ordered by switch, what those are given that do not get their table at once or as a whole, in order of rounds
 * @param untold switches that could not be told anything when it was asked for: they are given nothing
 * @param unknown those among them of which it is not known what they hold
 * @param strangers how many live switches there are of which nothing is known
 * @param problem why there is no plan though there should be; else empty
 * @param nanos time it took
 */
public record PlannedChange(
        @Nullable ChangePlan plan,
        Map<Integer, List<PlannedTable>> ordered,
        BitSet untold,
        BitSet unknown,
        int strangers,
        String problem,
        long nanos) {
    /** Nothing was asked for: every switch is given its table at once. */
    public static final PlannedChange NONE = unplanned("", 0);

    /** All at once, for want of a plan. */
    public static PlannedChange unplanned(String problem, long nanos) {
        return new PlannedChange(null, Map.of(), new BitSet(), new BitSet(), 0, problem, nanos);
    }

    /** The same, with the time it took. */
    public PlannedChange after(long nanosTaken) {
        return new PlannedChange(plan, ordered, untold, unknown, strangers, problem, nanosTaken);
    }

    public PlannedChange {
        ordered = Map.copyOf(ordered);
    }

    /** What a live switch is given, in order of rounds: the last is this row. */
    List<PlannedTable> tables(int s, LftRow row, long digest) {
        if (untold.get(s)) {
            return List.of();
        }
        List<PlannedTable> tables = ordered.get(s);
        return tables == null ? List.of(new PlannedTable(1, row, digest)) : tables;
    }

    /** Switches whose tables must be acknowledged before {@code s} is given that of {@code round}. */
    BitSet awaited(int s, int round) {
        return plan == null ? new BitSet() : plan.awaited(s, round);
    }

    /** True if packets that were sent before must have left before this round. */
    boolean drains(int round) {
        return plan != null && plan.drains().get(round);
    }

    /** True if a switch that holds already what it should is to hold something else meanwhile. */
    boolean quiesces(int s) {
        return plan != null && !plan.quiesced().isEmpty() && !plan.dropped(s).isEmpty();
    }

    /** True if a round begins for all, not for each switch when those that it waits for are done. */
    boolean roundsForAll() {
        return plan != null && !plan.suspects().isEmpty();
    }

    /** True if no mix of these tables and those in force turns a packet, whatever the order: a switch without a table harms nobody by taking one. */
    boolean neverTurns() {
        return plan != null && plan.suspects().isEmpty();
    }

    /** What is known of the change in a word; {@code null} if nothing was asked for. */
    @Nullable
    Verdict verdict() {
        return plan != null ? plan.verdict() : problem.isEmpty() ? null : Verdict.NOT_PROVABLE;
    }

    /** Switches to begin with: what restores pairs is among them. */
    BitSet restoring() {
        return plan == null ? new BitSet() : plan.restoring();
    }

    /** What is known of the change, for people; empty if nothing was asked for. */
    public String text() {
        if (plan == null) {
            return problem.isEmpty() ? "" : "not provable: " + problem;
        }
        return plan.text() + (strangers == 0 ? "" : "; " + strangers + " switches hold what nobody knows");
    }
}
