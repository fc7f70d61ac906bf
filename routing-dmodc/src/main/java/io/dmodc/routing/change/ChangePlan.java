package io.dmodc.routing.change;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftRowBuilder;
import io.dmodc.routing.Tables;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * In what order rows are replaced, and why that is safe. Rounds count from 1; within a round any order will do, and each switch may write its
 * entries in any order. Immutable; do not change the bit sets.
 */
public final class ChangePlan {
    /** What is known of the change. */
    public enum Verdict {
        /** All may leave at once. */
        ANY_ORDER,
        /** Round by round. */
        IN_ROUNDS,
        /** No order was found that keeps every working pair and turns nothing. */
        NOT_PROVABLE
    }

    /**
     * A row a switch is given in a round.
     *
     * @param row of the last step, the one it was planned for
     */
    public record Step(int round, LftRow row) {}

    /**
     * Columns for which the cabling alone does not prove that no mix turns.
     *
     * @param turning in which packets turn by the rows in force already, or may
     * @param free of which packets may turn, because no circle comes of it
     * @param quiesced that stand still while they change
     */
    record Suspects(BitSet all, BitSet turning, BitSet free, BitSet quiesced) {
        static Suspects unlooked(BitSet all) {
            return new Suspects(all, new BitSet(), new BitSet(), new BitSet());
        }
    }

    /** What one switch does later than at once; all sets are of columns. */
    static final class Delay {
        /** Set to no route in round 1. */
        final BitSet dropped = new BitSet();

        /** Entries that work and become no route: their round is known when all others are. */
        final BitSet lost = new BitSet();

        /** By round from 2 on, the entries that keep what they were, or dropped, until then. */
        final TreeMap<Integer, BitSet> later = new TreeMap<>();

        /** By round from 2 on, switches whose earlier steps are waited for. */
        final TreeMap<Integer, BitSet> awaited = new TreeMap<>();

        /** That of a switch, made if there is none. */
        static Delay of(int s, @Nullable Delay[] delays) {
            Delay delay = delays[s];
            if (delay == null) {
                delay = new Delay();
                delays[s] = delay;
            }
            return delay;
        }

        /** Nothing waits in these columns any more. */
        void forget(BitSet columns) {
            ownSecond();
            dropped.andNot(columns);
            lost.andNot(columns);
            later.values().forEach(waiting -> waiting.andNot(columns));
            later.values().removeIf(BitSet::isEmpty);
        }

        /** True while the sets of round 2 are those of other switches, too. */
        private boolean shared;

        /** To be added to. */
        BitSet later(int round) {
            ownSecond();
            return later.computeIfAbsent(round, r -> new BitSet());
        }

        /** To be added to. */
        BitSet awaited(int round) {
            ownSecond();
            return awaited.computeIfAbsent(round, r -> new BitSet());
        }

        /** True if entries wait for round 2 and for no other, and are what they were until then. */
        boolean isOfSecond() {
            return dropped.isEmpty() && lost.isEmpty() && later.size() == 1 && later.containsKey(2);
        }

        /** Adds to round 2; the first sets are kept as they are, as many switches have the same. */
        void addSecond(BitSet columns, BitSet switches) {
            if (later.containsKey(2) || awaited.containsKey(2)) {
                later(2).or(columns);
                awaited(2).or(switches);
            } else {
                later.put(2, columns);
                awaited.put(2, switches);
                shared = true;
            }
        }

        private void ownSecond() {
            if (shared) {
                shared = false;
                later.replaceAll((round, set) -> (BitSet) set.clone());
                awaited.replaceAll((round, set) -> (BitSet) set.clone());
            }
        }
    }

    private final RowsInForce inForce;
    private final Tables tables;
    private final BitSet due;
    private final BitSet restoring;
    private final @Nullable Delay[] delays;
    private final BitSet drains;
    private final int rounds;
    private final BitSet together;
    private final Suspects suspects;
    private final String problem;

    /** @param together switches that are given all in round 2, of which some entries wait for it */
    ChangePlan(
            RowsInForce inForce,
            Tables tables,
            BitSet due,
            BitSet restoring,
            @Nullable Delay[] delays,
            BitSet drains,
            int rounds,
            BitSet together,
            Suspects suspects,
            String problem) {
        this.inForce = inForce;
        this.tables = tables;
        this.due = due;
        this.restoring = restoring;
        this.delays = delays;
        this.drains = drains;
        this.rounds = rounds;
        this.together = together;
        this.suspects = suspects;
        this.problem = problem;
    }

    public Verdict verdict() {
        return !problem.isEmpty() ? Verdict.NOT_PROVABLE : rounds > 1 ? Verdict.IN_ROUNDS : Verdict.ANY_ORDER;
    }

    /** Why it is not provable; else empty. */
    public String problem() {
        return problem;
    }

    /** How many rounds there are; 0 if nothing changes. */
    public int rounds() {
        return rounds;
    }

    /** What is known of the change, for people. */
    public String text() {
        if (!problem.isEmpty()) {
            return "not provable: " + problem;
        }
        return "transient-safe: " + quietText() + orderText() + turnText();
    }

    /** What the consent of an operator costs. */
    private String quietText() {
        int count = quiesced().cardinality();
        return count == 0
                ? ""
                : "quiesced: " + count + (count == 1 ? " column stands" : " columns stand")
                        + " still for two round trips and a drain, and packets to these nodes are lost meanwhile; ";
    }

    private String orderText() {
        if (rounds < 2) {
            return "any order";
        }
        int count = drains.cardinality();
        String drain = count == 0 ? "" : count == 1 ? " with a drain" : " with " + count + " drains";
        return "in " + rounds + " rounds" + drain + ": " + waitingEntries() + " entries of "
                + waiting().cardinality() + " switches wait for " + awaited().cardinality();
    }

    private String turnText() {
        int count = free().cardinality();
        return count == 0 ? "" : "; packets to " + count + " nodes may turn, and no circle of channels comes of it";
    }

    /** Rounds before which no packet may be about that was sent before the round before ended. */
    public BitSet drains() {
        return drains;
    }

    /** Entries that change, or may. Counted when asked for: O(spans that differ). */
    public long changedEntries() {
        long count = 0;
        for (int s = due.nextSetBit(0); s >= 0; s = due.nextSetBit(s + 1)) {
            count += inForce.differingEntries(s, tables.row(s));
        }
        return count;
    }

    /** Blocks of 64 entries that change at a switch, or may; 0 for one that is given nothing. O(spans that differ). */
    public int changedBlocks(int s) {
        return due.get(s) ? inForce.differingBlocks(s, tables.row(s)) : 0;
    }

    /** Switches that get other entries of columns which they may not deliver now: what restores pairs is among them. */
    public BitSet restoring() {
        return restoring;
    }

    /** Columns that were ordered one by one, because the cabling alone does not prove that they never turn. */
    public BitSet suspects() {
        return suspects.all();
    }

    /** Columns in which packets may turn already, by the rows in force, as a cable of theirs was plugged in elsewhere. */
    public BitSet turning() {
        return suspects.turning();
    }

    /** Columns of which packets may turn from down to up while they change: all entries that may be in force together close no circle of channels. */
    public BitSet free() {
        return suspects.free();
    }

    /** Columns that stand still while they change, as somebody allowed: no host can send there meanwhile. */
    public BitSet quiesced() {
        return suspects.quiesced();
    }

    /** Entries that wait for a later round than the first. */
    public long waitingEntries() {
        long count = 0;
        for (Delay delay : delays) {
            if (delay != null) {
                for (BitSet columns : delay.later.values()) {
                    count += columns.cardinality();
                }
            }
        }
        return count;
    }

    /** Switches with entries that wait. */
    public BitSet waiting() {
        BitSet waiting = new BitSet();
        for (int s = 0; s < delays.length; s++) {
            Delay delay = delays[s];
            if (delay != null && !delay.later.isEmpty()) {
                waiting.set(s);
            }
        }
        return waiting;
    }

    /** Switches that others wait for. */
    public BitSet awaited() {
        BitSet awaited = new BitSet();
        for (Delay delay : delays) {
            if (delay != null) {
                delay.awaited.values().forEach(awaited::or);
            }
        }
        return awaited;
    }

    /** Columns whose entry {@code s} sets to no route in round 1. */
    public BitSet dropped(int s) {
        Delay delay = delays[s];
        return delay == null ? new BitSet() : delay.dropped;
    }

    /**
     * Columns whose entry {@code s} must not change before {@code round}, which is above 1; all other changes may be made in the first. Where tables are
     * loaded in batches and nothing depends on them, {@link #steps} makes them with those that wait.
     */
    public BitSet later(int s, int round) {
        Delay delay = delays[s];
        return delay == null ? new BitSet() : delay.later.getOrDefault(round, new BitSet());
    }

    /** Switches that must have acknowledged their steps of earlier rounds before {@code s} is given that of {@code round}. */
    public BitSet awaited(int s, int round) {
        Delay delay = delays[s];
        return delay == null ? new BitSet() : delay.awaited.getOrDefault(round, new BitSet());
    }

    /** True if {@code s} is given another row than the one it shall hold, or not at once. */
    public boolean isOrdered(int s) {
        return delays[s] != null;
    }

    /**
     * What {@code s} is given, in order of rounds: nothing if it is dead or holds what it should, nearly always one row. Where tables are loaded in batches, one that
     * mends nothing and that nobody waits for is not given half of its changes in round 1, when the others wait for round 2: it would have to be read between the two.
     *
     * @param builder used for one switch after the other: rows where entries wait share what is alike with those before
     */
    public List<Step> steps(int s, LftRowBuilder builder) {
        Delay delay = delays[s];
        if (delay == null) {
            return due.get(s) ? List.of(new Step(1, tables.row(s))) : List.of();
        }
        if (together.get(s)) {
            return List.of(new Step(2, tables.row(s)));
        }
        return PlannedRows.steps(inForce.of(s), tables.row(s), delay, builder);
    }
}
