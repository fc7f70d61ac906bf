package io.dmodc.routing.change;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.change.ChangePlan.Delay;
import io.dmodc.routing.change.ChangePlan.Suspects;
import io.dmodc.routing.check.PortPeers;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Plans the order in which rows are replaced.
 *
 * <p><b>Idea.</b> Where no mix of old and new rows turns (Theorem 1, {@link SuspectHomes}), it is enough that an entry waits for the
 * second round if, and only if, its switch delivers by the rows in force while its new next switch does not (Theorem 2). What is
 * broken is mended at once, and nothing that works is led to what does not work yet. Columns for which that is not known are looked at
 * by {@link SuspectColumns}.
 *
 * <p>An entry that works and becomes no route, or leads to a loss that nobody can mend, is taken away behind all others, after a drain: until
 * then somebody may send there.
 *
 * <p>O(different spans × ports in use), and O(entries) for spans that lead to something broken ({@link BrokenSpans}); for switches that
 * share rows, and lead where the others lead, once for all.
 */
final class ChangePlanner {
    private static final int COLUMNS = LftRow.SPAN_COLUMNS;

    private final FabricView works;
    private final PortPeers peers;
    private final RowsInForce inForce;
    private final LftSet tables;
    private final BitSet suspects;
    private final SpanDifferences differences;
    private final SpanDelivery delivery;
    private final @Nullable Delay[] delays;

    private final byte[] now = new byte[COLUMNS];
    private final byte[] held = new byte[COLUMNS];

    /** Ports by which columns of a span may break. */
    private final long[] breaking = new long[4];

    private final BitSet drains = new BitSet();
    private final BitSet restoring = new BitSet();

    /** Of these it is not known that all columns arrive in which they change. */
    private final BitSet mending = new BitSet();

    private int rounds;
    private String problem = "";

    /** Some entry that waits for the end leads to where its packets may be lost; the others become no route. */
    private boolean movesToLoss;

    /** The span looked at last, if others on its side may have the same. */
    private @Nullable SpanOrder shared;

    private ChangePlanner(
            FabricView works,
            RowsInForce inForce,
            LftSet tables,
            BitSet suspects,
            BrokenSpans broken,
            SpanDifferences differences) {
        this.works = works;
        this.inForce = inForce;
        this.tables = tables;
        this.suspects = suspects;
        this.differences = differences;
        peers = new PortPeers(works);
        delivery = new SpanDelivery(works, peers, inForce, broken);
        delays = new Delay[works.switchCount()];
    }

    /**
     * Plans a change.
     *
     * @param works the links that work now, whatever the tables were made for
     * @param inForce by which rows the switches of this view may forward, as long as {@code tables}
     * @param tables what they shall hold; of a switch that cannot be told anything, a row that it may have
     * @param suspects columns that are looked at one by one: see {@link ChangeWatch}
     * @param broken up to date with these links and rows
     * @param differences of these rows
     * @throws IllegalArgumentException if rows or columns are not as many
     */
    static ChangePlan plan(
            FabricView works,
            RowsInForce inForce,
            LftSet tables,
            BitSet suspects,
            BrokenSpans broken,
            SpanDifferences differences,
            ChangeTerms terms) {
        requireSizes(works, inForce, tables);
        return new ChangePlanner(works, inForce, tables, suspects, broken, differences).plan(terms);
    }

    /** @throws IllegalArgumentException if rows or columns are not as many */
    static void requireSizes(FabricView works, RowsInForce inForce, LftSet tables) {
        if (inForce.switchCount() != works.switchCount()
                || tables.switchCount() != works.switchCount()
                || inForce.entryCount() != tables.entryCount()
                || tables.entryCount() != works.nodeCount()) {
            throw new IllegalArgumentException("rows in force " + inForce.switchCount() + " × " + inForce.entryCount()
                    + ", new rows " + tables.switchCount() + " × " + tables.entryCount() + "; expected "
                    + works.switchCount() + " switches × " + works.nodeCount() + " nodes");
        }
    }

    private ChangePlan plan(ChangeTerms terms) {
        int[] due = differences.due();
        rounds = due.length > 0 ? 1 : 0;
        for (int k = 0; k * COLUMNS < tables.entryCount(); k++) {
            orderSpans(k);
        }
        Suspects looked = orderSuspects(terms);
        orderLost();
        if (problem.isEmpty() && !drains.isEmpty() && !terms.drainKnown()) {
            problem = "packets on the way: push.drain is unknown";
        }
        BitSet changing = new BitSet();
        Arrays.stream(due).forEach(changing::set);
        BitSet together = together();
        restoring.andNot(together);
        return new ChangePlan(inForce, tables, changing, restoring, delays, drains, rounds, together, looked, problem);
    }

    /**
     * Of the switches whose tables are loaded in batches, those of which some entries wait for round 2, and whose others may as well: they mend
     * nothing, and nobody waits for them. Not where those that they wait for may never be told anything.
     */
    @SuppressWarnings("ReferenceEquality") // many delays have the very same set
    private BitSet together() {
        BitSet together = new BitSet();
        BitSet batched = inForce.batched();
        if (batched.isEmpty() || !suspects.isEmpty()) {
            return together;
        }
        BitSet awaited = new BitSet();
        BitSet last = awaited;
        for (Delay delay : delays) {
            for (BitSet each : delay == null ? List.<BitSet>of() : delay.awaited.values()) {
                if (each != last) {
                    awaited.or(each);
                    last = each;
                }
            }
        }
        for (int s = batched.nextSetBit(0); s >= 0 && s < delays.length; s = batched.nextSetBit(s + 1)) {
            Delay delay = delays[s];
            together.set(
                    s,
                    delay != null
                            && delay.isOfSecond()
                            && !mending.get(s)
                            && !awaited.get(s)
                            && !waitsForUntold(delay));
        }
        return together;
    }

    private boolean waitsForUntold(Delay delay) {
        BitSet awaited = delay.awaited.get(2);
        return awaited != null && inForce.anyUntold(awaited);
    }

    private Suspects orderSuspects(ChangeTerms terms) {
        if (suspects.isEmpty()) {
            return Suspects.unlooked(suspects);
        }
        SuspectColumns columns = new SuspectColumns(works, peers, inForce, tables, suspects, terms);
        Suspects looked = columns.order(delays);
        rounds = Math.max(rounds, columns.rounds());
        drains.or(columns.drains());
        movesToLoss |= columns.movesToLoss();
        problem = columns.problem();
        return looked;
    }

    private void orderSpans(int k) {
        int end = differences.start(k + 1);
        if (differences.start(k) < end) {
            delivery.turnTo(k);
            shared = null;
        }
        int side = -1;
        for (int i = differences.start(k); i < end; i++) {
            int s = differences.at(i);
            if (differences.side(s) != side) {
                side = differences.side(s);
                shared = null;
            }
            orderSpan(s, k);
        }
    }

    private void orderSpan(int s, int k) {
        LftRow row = tables.row(s);
        LftRow[] possible = inForce.of(s);
        boolean mayMend = delivery.mayBreak(s) || mayLose(s, possible);
        if (mayMend) {
            restoring.set(s);
        }
        if (leadsNowhere(possible, k) || !delivery.mayBreakBy(s, row)) {
            mending.set(s, mending.get(s) || mayMend);
            return;
        }
        SpanOrder known = shared;
        if (known != null && possible.length == 1 && known.isOf(possible[0], row, k)) {
            take(s, known);
            return;
        }
        SpanOrder found = new SpanOrder(row, possible.length == 1 ? possible[0] : null);
        find(s, k, found);
        take(s, found);
        if (possible.length == 1 && Sides.leadUp(works, s, row, k) && Sides.leadUp(works, s, possible[0], k)) {
            shared = found;
        }
    }

    /** False if all columns of the span arrive that leave a switch by the rows in force. */
    private boolean mayLose(int s, LftRow[] possible) {
        boolean loses = possible.length == 0;
        for (LftRow row : possible) {
            loses = loses || delivery.mayBreakBy(s, row);
        }
        return loses;
    }

    /** True if nothing is known of a switch, or it has no entries in the span: it delivers nothing, and waits for nobody. */
    private static boolean leadsNowhere(LftRow[] possible, int k) {
        boolean nowhere = possible.length == 0;
        for (LftRow row : possible) {
            long[] entries = row.entrySet(k);
            nowhere |= (entries[0] | entries[1] | entries[2] | (entries[3] & Long.MAX_VALUE)) == 0;
        }
        return nowhere;
    }

    private void find(int s, int k, SpanOrder found) {
        LftRow[] possible = inForce.of(s);
        int base = k * COLUMNS;
        int count = Math.min(tables.entryCount() - base, COLUMNS);
        found.row.copyTo(base, base + count, now, 0);
        if (possible.length > 0) {
            possible[0].copyTo(base, base + count, held, 0);
        }
        delivery.gatherBreaking(s, found.row, breaking);
        for (int c = next(possible, base, 0, count); c < count; c = next(possible, base, c + 1, count)) {
            int d = base + c;
            int port = now[c] & 0xff;
            boolean arrives = (breaking[port >> 6] >>> port & 1) == 0;
            boolean lost = possible.length == 1 && delivery.leadsNowhere(s, held[c] & 0xff);
            found.mends = found.mends || !delivery.delivers(s, d);
            if (!arrives && !lost && !suspects.get(d) && !delivery.arrives(s, port, d) && delivery.delivers(s, d)) {
                delay(s, d, port, found);
            }
        }
    }

    /** The next column, counted from the base, whose entry may change; {@code count} if there is none. */
    private int next(LftRow[] possible, int base, int from, int count) {
        if (possible.length == 1) {
            int equal = Arrays.mismatch(held, from, count, now, from, count);
            return equal < 0 ? count : from + equal;
        }
        for (int c = from; c < count; c++) {
            for (LftRow row : possible) {
                if (row.port(base + c) != (now[c] & 0xff)) {
                    return c;
                }
            }
            if (possible.length == 0) {
                return c;
            }
        }
        return count;
    }

    private void take(int s, SpanOrder found) {
        mending.set(s, mending.get(s) || found.mends);
        if (!found.later.isEmpty()) {
            rounds = Math.max(rounds, 2);
            Delay.of(s, delays).addSecond(found.later, found.awaited);
        }
        if (!found.lost.isEmpty()) {
            Delay.of(s, delays).lost.or(found.lost);
        }
    }

    /** What is known of a span of one switch, and of all that hold and get the same and lead up where it does. */
    private static final class SpanOrder {
        final LftRow row;
        private final @Nullable LftRow held;
        final BitSet later = new BitSet();
        final BitSet lost = new BitSet();
        final BitSet awaited = new BitSet();

        /** Some column that changes does not arrive by the rows in force. */
        boolean mends;

        SpanOrder(LftRow row, @Nullable LftRow held) {
            this.row = row;
            this.held = held;
        }

        boolean isOf(LftRow otherHeld, LftRow otherRow, int k) {
            return held != null && otherHeld.sharesSpan(k, held) && otherRow.sharesSpan(k, row);
        }
    }

    /** Round 2 comes when the broken switches at the beginning of the new way have got what they need. */
    private void delay(int s, int d, int port, SpanOrder found) {
        int hops = 2 * works.rankMax();
        if (port == LftSet.NO_ROUTE || (inForce.anyUntold() && !arrivesAtLast(peers.peer(s, port), d, hops))) {
            found.lost.set(d);
            movesToLoss |= port != LftSet.NO_ROUTE;
            return;
        }
        found.later.set(d);
        awaitBroken(peers.peer(s, port), d, hops, found.awaited);
    }

    /** False if packets that come here are lost by the new tables as well, because of a switch that goes on as it does: the others send none here then. */
    private boolean arrivesAtLast(int at, int d, int hops) {
        if (at < 0 || hops == 0 || !works.alive(at)) {
            return false;
        }
        boolean arrives = true;
        for (LftRow row : inForce.isUntold(at) ? inForce.of(at) : new LftRow[] {tables.row(at)}) {
            int port = row.port(d);
            arrives &= at == works.nodeSwitch(d)
                    ? port == works.nodePort(d)
                    : arrivesAtLast(peers.peer(at, port), d, hops - 1);
        }
        return arrives;
    }

    /**
     * Adds the broken switches on the new way from here. One that cannot be told anything goes on by any of its rows, and those behind it are
     * waited for; one of which nothing is known besides is waited for itself, until somebody can tell it something.
     */
    private void awaitBroken(int at, int d, int hops, BitSet awaited) {
        if (at < 0 || hops == 0 || delivery.deliversOn(at, d)) {
            return;
        }
        LftRow[] possible = inForce.of(at);
        if (!inForce.isUntold(at) || possible.length == 0) {
            awaited.set(at);
            awaitBroken(onward(at, tables.port(at, d), d), d, hops - 1, awaited);
            return;
        }
        for (LftRow row : possible) {
            awaitBroken(onward(at, row.port(d), d), d, hops - 1, awaited);
        }
    }

    private int onward(int at, int port, int d) {
        return at == works.nodeSwitch(d) ? -1 : peers.peer(at, port);
    }

    /**
     * Behind all others, and after a drain: first what moves to where it may be lost, then what is taken away, as packets of the ones may come to the
     * others.
     */
    private void orderLost() {
        if (movesToLoss) {
            BitSet[] moved = new BitSet[delays.length];
            Arrays.setAll(moved, this::movedToLoss);
            orderLast(s -> moved[s]);
            for (int s = 0; s < moved.length; s++) {
                lost(s).andNot(moved[s]);
            }
        }
        orderLast(this::lost);
    }

    private BitSet movedToLoss(int s) {
        BitSet moved = (BitSet) lost(s).clone();
        for (int d = moved.nextSetBit(0); d >= 0; d = moved.nextSetBit(d + 1)) {
            moved.set(d, tables.port(s, d) != LftSet.NO_ROUTE);
        }
        return moved;
    }

    /** The set itself. */
    private BitSet lost(int s) {
        Delay delay = delays[s];
        return delay == null ? new BitSet() : delay.lost;
    }

    /**
     * One more round, if there is something for it. Whoever sends such a column elsewhere before is waited for, wherever it is: packets may come from
     * there over others that lose theirs in this round, too, or that go on as they do.
     *
     * @param lost by switch, columns that it loses in this round
     */
    private void orderLast(IntFunction<BitSet> lost) {
        BitSet columns = new BitSet();
        for (int s = 0; s < delays.length; s++) {
            columns.or(lost.apply(s));
        }
        if (columns.isEmpty()) {
            return;
        }
        rounds++;
        drains.set(rounds);
        BitSet[] awaited = new ColumnMovers(differences, inForce, tables, delays).awaited(columns);
        for (int s = 0; s < delays.length; s++) {
            Delay delay = delays[s];
            BitSet own = lost.apply(s);
            if (delay != null && !own.isEmpty()) {
                delay.later(rounds).or(own);
                delay.awaited(rounds).or(awaited[s]);
                delay.awaited(rounds).clear(s);
            }
        }
    }
}
