package io.dmodc.routing.change;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.change.ChangePlan.Delay;
import io.dmodc.routing.check.PortPeers;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Plans the order in which rows are replaced.
 *
 * <p><b>Idea.</b> Where no mix of old and new rows turns (Theorem 1, {@link SuspectHomes}), it is enough that an entry waits for the
 * second round if, and only if, its switch delivers by the rows in force while its new next switch does not (Theorem 2). What is
 * broken is mended at once, and nothing that works is led to what does not work yet. Columns for which that is not known are ordered one by
 * one ({@link ColumnOrder}).
 *
 * <p>An entry that works and becomes no route is taken away behind all others, after a drain: until then somebody may send there.
 *
 * <p>O(different entries), for switches that share rows, and lead where the others lead, once for all.
 */
final class ChangePlanner {
    private static final int COLUMNS = LftRow.SPAN_COLUMNS;

    private final FabricView works;
    private final PortPeers peers;
    private final RowsInForce inForce;
    private final LftSet tables;
    private final BitSet suspects;
    private final SpanDelivery delivery;
    private final @Nullable Delay[] delays;

    /** Entries that work and become no route, by switch: their round is known when all others are. */
    private final @Nullable BitSet[] lost;

    private final byte[] now = new byte[COLUMNS];
    private final byte[] held = new byte[COLUMNS];
    private final BitSet drains = new BitSet();
    private final BitSet turning = new BitSet();
    private long changed;
    private int rounds;
    private String problem = "";

    private ChangePlanner(FabricView works, RowsInForce inForce, LftSet tables, BitSet suspects) {
        this.works = works;
        this.inForce = inForce;
        this.tables = tables;
        this.suspects = suspects;
        peers = new PortPeers(works);
        delivery = new SpanDelivery(works, peers, inForce);
        delays = new Delay[works.switchCount()];
        lost = new BitSet[works.switchCount()];
    }

    /**
     * Plans a change.
     *
     * @param works the links that work now, whatever the tables were made for
     * @param inForce by which rows the switches of this view may forward, as long as {@code tables}
     * @param tables what they shall hold; of a switch that cannot be told anything, what it has
     * @param suspects columns that are ordered one by one: see {@link ChangeWatch}
     * @throws IllegalArgumentException if rows or columns are not as many
     */
    static ChangePlan plan(FabricView works, RowsInForce inForce, LftSet tables, BitSet suspects) {
        if (inForce.switchCount() != works.switchCount()
                || tables.switchCount() != works.switchCount()
                || inForce.entryCount() != tables.entryCount()
                || tables.entryCount() != works.nodeCount()) {
            throw new IllegalArgumentException("rows in force " + inForce.switchCount() + " × " + inForce.entryCount()
                    + ", new rows " + tables.switchCount() + " × " + tables.entryCount() + "; expected "
                    + works.switchCount() + " switches × " + works.nodeCount() + " nodes");
        }
        return new ChangePlanner(works, inForce, tables, suspects).plan();
    }

    private ChangePlan plan() {
        int[] due = due();
        for (int k = 0; k * COLUMNS < tables.entryCount(); k++) {
            delivery.turnTo(k);
            for (int s : due) {
                orderSpan(s, k);
            }
        }
        ColumnOrder order = new ColumnOrder(works, peers, inForce, tables);
        for (int d = suspects.nextSetBit(0); d >= 0 && problem.isEmpty(); d = suspects.nextSetBit(d + 1)) {
            changed += order.find(d);
            rounds = Math.max(rounds, order.rounds());
            drains.or(order.drains());
            order.addTo(delays, lost);
            turning.set(d, order.turnsAlready());
            problem = order.problem();
        }
        orderLost();
        LftRow[] rows = new LftRow[works.switchCount()];
        Arrays.setAll(rows, tables::row);
        return new ChangePlan(inForce, rows, delays, drains, rounds, changed, suspects, turning, problem);
    }

    private int[] due() {
        int[] due = new int[works.switchCount()];
        int count = 0;
        for (int s = 0; s < due.length; s++) {
            if (works.alive(s) && inForce.mayDiffer(s, tables.row(s))) {
                due[count++] = s;
            }
        }
        rounds = count > 0 ? 1 : 0;
        return Arrays.copyOf(due, count);
    }

    private void orderSpan(int s, int k) {
        LftRow row = tables.row(s);
        LftRow[] possible = inForce.of(s);
        if (Arrays.stream(possible).allMatch(old -> old.sharesSpan(k, row)) && possible.length > 0) {
            return;
        }
        int base = k * COLUMNS;
        int end = Math.min(tables.entryCount(), base + COLUMNS);
        row.copyTo(base, end, now, 0);
        if (possible.length > 0) {
            possible[0].copyTo(base, end, held, 0);
        }
        for (int d = base; d < end; d++) {
            if (mayChange(possible, d, base) && !suspects.get(d)) {
                changed++;
                int port = now[d - base] & 0xff;
                if (!delivery.arrives(s, port, d) && delivery.delivers(s, d)) {
                    delay(s, d, port);
                }
            }
        }
    }

    private boolean mayChange(LftRow[] possible, int d, int base) {
        if (possible.length == 0 || held[d - base] != now[d - base]) {
            return true;
        }
        for (int i = 1; i < possible.length; i++) {
            if (possible[i].port(d) != (now[d - base] & 0xff)) {
                return true;
            }
        }
        return false;
    }

    /** Round 2 comes when the broken switches at the beginning of the new way have got what they need. */
    private void delay(int s, int d, int port) {
        if (port == LftSet.NO_ROUTE) {
            lost(s).set(d);
            return;
        }
        rounds = Math.max(rounds, 2);
        Delay delay = delay(s);
        delay.later(2).set(d);
        BitSet awaited = delay.awaited(2);
        int hops = 2 * works.rankMax();
        for (int next = peers.peer(s, port); next >= 0 && hops > 0 && !delivery.delivers(next, d); hops--) {
            awaited.set(next);
            next = next == works.nodeSwitch(d) ? -1 : peers.peer(next, tables.port(next, d));
        }
    }

    private Delay delay(int s) {
        Delay delay = delays[s];
        if (delay == null) {
            delay = new Delay();
            delays[s] = delay;
        }
        return delay;
    }

    private BitSet lost(int s) {
        BitSet columns = lost[s];
        if (columns == null) {
            columns = new BitSet();
            lost[s] = columns;
        }
        return columns;
    }

    /** Behind all others, and after a drain. */
    private void orderLost() {
        int last = rounds + 1;
        for (int s = 0; s < lost.length; s++) {
            BitSet columns = lost[s];
            if (columns != null) {
                Delay delay = delay(s);
                delay.later(last).or(columns);
                awaitSenders(s, columns, delay.awaited(last));
                rounds = last;
                drains.set(last);
            }
        }
    }

    private void awaitSenders(int s, BitSet columns, BitSet awaited) {
        for (int port = 1; port <= works.portCount(s); port++) {
            int sender = peers.peer(s, port);
            int back = sender < 0 ? 0 : works.peerPort(s, port);
            if (sender >= 0 && !awaited.get(sender) && sentHere(sender, back, columns)) {
                awaited.set(sender);
            }
        }
    }

    /** True if the sender may send one of the columns through this port, and shall not any more. */
    private boolean sentHere(int sender, int port, BitSet columns) {
        return columns.stream()
                .anyMatch(d -> tables.port(sender, d) != port
                        && Arrays.stream(inForce.of(sender)).anyMatch(row -> row.port(d) == port));
    }
}
