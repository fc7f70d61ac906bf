package io.dmodc.routing.change;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftRowBuilder;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.change.ChangePlan.Step;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntUnaryOperator;

/**
 * What a change does to packets, found the slow way: round by round, every mix of old and new entries of a column, and every packet of it
 * followed hop by hop, until it turns, unless it may: those of hosts for turns and loops, mostly those at any switch for losses. Knows rows and links, and
 * nothing of why the plan is what it is.
 */
final class MixTwin {
    /** What came of all mixes. */
    static final class Result {
        boolean loops;
        boolean turns;
        boolean loses;
        long mixes;

        /** By what entries packets turned when the round began: that is not the change's doing. */
        private final Set<Integer> turned = new HashSet<>();

        private boolean begun;

        void turn(int s, int port) {
            if (!begun) {
                turned.add(256 * s + port);
            } else {
                turns |= !turned.contains(256 * s + port);
            }
        }

        /** Where it first went wrong. */
        String where = "";

        boolean safe() {
            return !loops && !turns && !loses;
        }

        @Override
        public String toString() {
            return (loops ? "loops " : "") + (turns ? "turns " : "") + (loses ? "loses " : "") + mixes + " mixes"
                    + where;
        }
    }

    /** Of more entries that change together not every mix is made, but every way of each packet. */
    private static final int CHANGED_MAX = 11;

    private final FabricView works;
    private final LftSet tables;

    /** Columns of which only what hosts send counts; of others, what is at any switch. */
    private final BitSet hostsOnly;

    /** Columns of which packets may turn. */
    private final BitSet free;

    /** Columns of which packets are lost on purpose. */
    private final BitSet quiet;

    private final RowsInForce inForce;

    MixTwin(FabricView works, RowsInForce inForce, LftSet tables, BitSet hostsOnly) {
        this(works, inForce, tables, hostsOnly, new BitSet(), new BitSet());
    }

    MixTwin(FabricView works, RowsInForce inForce, LftSet tables, BitSet hostsOnly, BitSet free, BitSet quiet) {
        this.works = works;
        this.inForce = inForce;
        this.tables = tables;
        this.hostsOnly = hostsOnly;
        this.quiet = quiet;
        this.free = (BitSet) free.clone();
        this.free.or(quiet);
    }

    /**
     * By switch, what it holds after each round; index 0 is before.
     *
     * @param which which of the rows that a switch may have it has, by switch and how many there are
     */
    static LftRow[][] schedule(RowsInForce inForce, LftSet tables, ChangePlan plan, IntUnaryOperator which) {
        LftRow[][] held = new LftRow[plan.rounds() + 1][inForce.switchCount()];
        LftRowBuilder builder = new LftRowBuilder();
        for (int s = 0; s < inForce.switchCount(); s++) {
            LftRow[] possible = inForce.of(s);
            held[0][s] = possible.length == 0
                    ? LftRow.noRoutes(tables.entryCount())
                    : possible[which.applyAsInt(possible.length)];
            List<Step> steps = plan.steps(s, builder);
            for (int round = 1; round <= plan.rounds(); round++) {
                held[round][s] = held[round - 1][s];
                for (Step step : steps) {
                    held[round][s] = step.round() == round ? step.row() : held[round][s];
                }
            }
        }
        return held;
    }

    /** All that follow each other. */
    Result tryAll(LftRow[][] held) {
        Result result = new Result();
        for (int d = 0; d < works.nodeCount() && result.safe(); d++) {
            tryColumn(d, held, result);
        }
        return result;
    }

    /** The same of one column. */
    Result tryColumn(int d, LftRow[][] held, Result result) {
        for (int round = 1; round < held.length; round++) {
            tryRound(d, held[round - 1], held[round], round == 1, result);
            if (!result.safe() && result.where.isEmpty()) {
                result.where = ", node " + d + " in round " + round + ":" + entries(d, held[round - 1], held[round]);
            }
        }
        return result;
    }

    String entries(int d, LftRow[] before, LftRow[] after) {
        StringBuilder text = new StringBuilder(" home " + works.nodeSwitch(d) + " port " + works.nodePort(d));
        for (int s = 0; s < before.length; s++) {
            text.append("\n  switch " + s + " rank " + works.rank(s) + (works.alive(s) ? "" : " dead") + ": "
                    + next(s, before[s].port(d)) + " then " + next(s, after[s].port(d)));
        }
        return text.toString();
    }

    private String next(int s, int port) {
        boolean known = port >= 1 && port <= works.portCount(s);
        return "port " + port + " to " + (known ? works.peerSwitch(s, port) : -1);
    }

    /** Every mix of the entries of a column that change from one to the other. */
    private void tryRound(int d, LftRow[] before, LftRow[] after, boolean first, Result result) {
        int[] entries = new int[before.length];
        List<Integer> changed = new ArrayList<>();
        for (int s = 0; s < before.length; s++) {
            entries[s] = before[s].port(d);
            if (entries[s] != after[s].port(d)) {
                changed.add(s);
            }
        }
        boolean[] deliveredBefore = new boolean[before.length];
        boolean[] servedAtLast = new boolean[before.length];
        int[] last = new int[before.length];
        Arrays.setAll(last, s -> tables.port(s, d));
        result.begun = false;
        result.turned.clear();
        for (int target = 0; target < works.targetCount(); target++) {
            walk(works.targetSwitch(target), d, entries, result);
        }
        result.begun = true;
        if (quiet.get(d) && first) {
            // Tables that loop go on doing so until nobody sends any more.
            result.loops = false;
            result.turns = false;
            return;
        }
        for (int s = 0; s < before.length; s++) {
            boolean counts = (works.targetOfSwitch(s) >= 0 || !hostsOnly.get(d)) && !quiet.get(d);
            deliveredBefore[s] = counts
                    && walk(s, d, entries, new Result())
                    && (!first || arrivesAnyhow(s, d, false, before.length));
            servedAtLast[s] = walk(s, d, last, new Result());
        }
        if (changed.size() > CHANGED_MAX) {
            for (int s = 0; s < before.length; s++) {
                Result found = works.targetOfSwitch(s) >= 0 ? result : new Result();
                boolean delivered = followAll(s, d, before, after, new boolean[2 * before.length], false, found);
                result.loses |= !delivered && deliveredBefore[s] && servedAtLast[s];
            }
            return;
        }
        for (int mix = 0; mix < 1 << changed.size(); mix++) {
            for (int i = 0; i < changed.size(); i++) {
                int s = changed.get(i);
                entries[s] = ((mix >> i & 1) == 0 ? before : after)[s].port(d);
            }
            result.mixes++;
            for (int s = 0; s < before.length; s++) {
                boolean delivered = walk(s, d, entries, works.targetOfSwitch(s) >= 0 ? result : new Result());
                result.loses |= !delivered && deliveredBefore[s] && servedAtLast[s];
            }
        }
    }

    /** True if a packet arrives whichever of the rows that they may have switches have. */
    private boolean arrivesAnyhow(int at, int d, boolean descended, int hops) {
        boolean arrives = inForce.of(at).length > 0 && works.alive(at);
        for (LftRow row : inForce.of(at)) {
            int port = row.port(d);
            if (at != works.nodeSwitch(d) || port != works.nodePort(d)) {
                int next = port >= 1 && port <= works.portCount(at) ? works.peerSwitch(at, port) : -1;
                boolean down = next >= 0 && works.isDown(at, next);
                arrives &= (down || (next >= 0 && !turns(at, next, d, descended)))
                        && hops > 0
                        && arrivesAnyhow(next, d, down, hops - 1);
            }
        }
        return arrives;
    }

    /** True if packets from {@code source} to {@code d} arrive by these rows. */
    boolean arrives(int source, int d, LftRow[] rows) {
        int[] entries = new int[rows.length];
        Arrays.setAll(entries, s -> rows[s].port(d));
        return walk(source, d, entries, new Result());
    }

    /** The same of one packet where mixes are too many: it decides at each switch it comes to which entry is in force there. */
    private boolean followAll(
            int at, int d, LftRow[] before, LftRow[] after, boolean[] been, boolean descended, Result result) {
        if (!works.alive(at)) {
            return false;
        }
        int state = 2 * at + (descended && !free.get(d) ? 1 : 0);
        if (been[state]) {
            result.loops = true;
            return false;
        }
        been[state] = true;
        boolean delivered = true;
        for (int port : new int[] {before[at].port(d), after[at].port(d)}) {
            if (at == works.nodeSwitch(d) && port == works.nodePort(d)) {
                continue;
            }
            int next = port >= 1 && port <= works.portCount(at) ? works.peerSwitch(at, port) : -1;
            if (next < 0) {
                delivered = false;
                continue;
            }
            boolean down = works.isDown(at, next);
            if (turns(at, next, d, descended)) {
                result.turn(at, port);
                delivered = false;
                continue;
            }
            delivered &= followAll(next, d, before, after, been, descended || down, result);
        }
        been[state] = false;
        return delivered;
    }

    private boolean walk(int source, int d, int[] entries, Result result) {
        int at = source;
        boolean descended = false;
        boolean[] been = new boolean[2 * entries.length];
        while (works.alive(at)) {
            int state = 2 * at + (descended && !free.get(d) ? 1 : 0);
            if (been[state]) {
                result.loops = true;
                return false;
            }
            been[state] = true;
            int port = entries[at];
            if (at == works.nodeSwitch(d) && port == works.nodePort(d)) {
                return true;
            }
            int next = port >= 1 && port <= works.portCount(at) ? works.peerSwitch(at, port) : -1;
            if (next < 0) {
                return false;
            }
            boolean down = works.isDown(at, next);
            if (turns(at, next, d, descended)) {
                result.turn(at, port);
                return false;
            }
            descended |= down;
            at = next;
        }
        return false;
    }

    /** True if the way ends here, as the packet turns from down to up or stays in its rank, and may not. */
    private boolean turns(int at, int next, int d, boolean descended) {
        return !free.get(d) && !works.isDown(at, next) && (descended || !works.isUp(at, next));
    }
}
