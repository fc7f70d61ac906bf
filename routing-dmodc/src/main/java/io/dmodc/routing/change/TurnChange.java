package io.dmodc.routing.change;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.TurnTableSet;
import io.dmodc.routing.change.ChangePlan.Delay;
import io.dmodc.routing.change.ChangePlan.Suspects;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * In what order tables by input class replace those in force.
 *
 * <p>No mixture of such tables closes a circle of channels as long as ports keep their classes, whatever the entries are (VTFTR paper,
 * section 2.3; {@link io.dmodc.routing.check.TurnTableCheck} proves the order of channels of either table). So nothing has to wait for that,
 * and nothing drains. What remains is that no working pair is lost: entries by which no packet is delivered now come first, and no working pair
 * meets them; entries by which some is come when all switches with others have acknowledged these. Whether that is enough is then looked at:
 * every packet that is delivered by the tables in force is followed through every mixture of old and new entries.
 *
 * <p>O(entries that differ), and for each destination of them O(switches).
 */
public final class TurnChange {
    private final FabricView view;
    private final RowsInForce inForce;
    private final TurnTableSet tables;
    private final BitSet due = new BitSet();
    private final BitSet gaining = new BitSet();

    /** By switch, the entries that lead elsewhere afterwards; null: none. */
    private final @Nullable BitSet[] differing;

    /** By switch, those of them by which packets are delivered now; null: none. */
    private final @Nullable BitSet[] moving;

    private int reclassed;
    private boolean otherKind;

    private TurnChange(FabricView view, RowsInForce inForce, TurnTableSet tables) {
        this.view = view;
        this.inForce = inForce;
        this.tables = tables;
        differing = new BitSet[view.switchCount()];
        moving = new BitSet[view.switchCount()];
    }

    /**
     * Plans one change.
     *
     * @param inForce what switches of this view may forward by, fitted to the length of the tables
     */
    public static ChangePlan plan(FabricView view, RowsInForce inForce, TurnTableSet tables) {
        return new TurnChange(view, inForce, tables).plan();
    }

    private ChangePlan plan() {
        for (int s = 0; s < view.switchCount(); s++) {
            if (view.alive(s) && !inForce.isUntold(s)) {
                compare(s);
            }
        }
        BitSet columns = columns();
        Mixtures mixtures = new Mixtures();
        mixtures.sort(columns);
        Delay[] delays = new Delay[view.switchCount()];
        int rounds = due.isEmpty() ? 0 : 1;
        for (int s = 0; s < moving.length; s++) {
            BitSet moved = moving[s];
            BitSet others = (BitSet) gaining.clone();
            others.clear(s);
            if (moved != null && !others.isEmpty()) {
                Delay.of(s, delays).addSecond(moved, others);
                rounds = 2;
            }
        }
        return new ChangePlan(
                inForce,
                tables,
                due,
                gaining,
                delays,
                new BitSet(),
                rounds,
                new BitSet(),
                Suspects.unlooked(new BitSet()),
                problem(mixtures, columns));
    }

    /** Destinations of which some entry differs. */
    private BitSet columns() {
        BitSet columns = new BitSet();
        for (BitSet of : differing) {
            if (of != null) {
                of.stream().forEach(index -> columns.set((index - TurnTableSet.HEADER) / TurnTableSet.CLASSES));
            }
        }
        return columns;
    }

    private void compare(int s) {
        LftRow row = tables.row(s);
        LftRow[] held = inForce.of(s);
        if (held.length == 0) {
            due.set(s);
            gaining.set(s);
            return;
        }
        byte[] should = null;
        byte[] has = new byte[LftRow.SPAN_COLUMNS];
        for (LftRow before : held) {
            boolean empty = before.port(0) == TurnTableSet.NONE;
            otherKind |= !empty && !TurnTableSet.isTurnTable(before);
            for (int from = 0, k = 0; from < row.entryCount(); from += LftRow.SPAN_COLUMNS, k++) {
                if (!before.sharesSpan(k, row)) {
                    should = should == null ? row.toBytes() : should;
                    int to = Math.min(row.entryCount(), from + LftRow.SPAN_COLUMNS);
                    before.copyTo(from, to, has, 0);
                    for (int index = from; index < to; index++) {
                        if (has[index - from] != should[index]) {
                            differs(s, index, has[index - from] & 0xff, should[index] & 0xff);
                        }
                    }
                }
            }
        }
    }

    private void differs(int s, int index, int before, int after) {
        due.set(s);
        if (index >= TurnTableSet.HEADER) {
            add(differing, s, index);
        } else if (before == TurnTableSet.NONE) {
            gaining.set(s);
        } else if (after == TurnTableSet.NONE) {
            add(moving, s, index);
        } else {
            reclassed++;
        }
    }

    private static void add(@Nullable BitSet[] sets, int s, int index) {
        BitSet set = sets[s];
        if (set == null) {
            set = new BitSet();
            sets[s] = set;
        }
        set.set(index);
    }

    private String problem(Mixtures mixtures, BitSet columns) {
        if (otherKind) {
            return "switches hold tables of another kind: packets may wait for each other in a circle, or be lost, until all are replaced";
        }
        if (reclassed > 0) {
            return reclassed
                    + " ports or channels mean something else than before: packets may wait for each other in a circle";
        }
        long lost = mixtures.lost(columns);
        return lost == 0 ? "" : lost + " pairs of a leaf and a node may be lost until all switches have their tables";
    }

    /** Follows what is delivered now through every mixture. */
    private final class Mixtures {
        private static final int CHANNEL_STATES = TurnTableSet.CLASSES * TurnTableSet.CHANNELS;
        private static final byte UNKNOWN = 0;
        private static final byte UNDER_WAY = 1;
        private static final byte DELIVERED = 2;
        private static final byte LOST = 3;

        /** By state of a packet, a switch, a class and a channel: what becomes of it. */
        private final byte[] end = new byte[view.switchCount() * CHANNEL_STATES];

        private int d;
        private int home;
        private boolean mixed;

        /** Tells entries by which packets are delivered now from others. */
        void sort(BitSet columns) {
            for (d = columns.nextSetBit(0); d >= 0; d = columns.nextSetBit(d + 1)) {
                boolean reachable = findHome();
                begin(false);
                for (int s = 0; s < differing.length; s++) {
                    for (int inputClass = 0; differing[s] != null && inputClass < TurnTableSet.CLASSES; inputClass++) {
                        int index = TurnTableSet.entry(inputClass, d);
                        if (differing[s].get(index)) {
                            sort(s, index, reachable && (delivered(s, inputClass, 0) || delivered(s, inputClass, 1)));
                        }
                    }
                }
            }
        }

        private void sort(int s, int index, boolean works) {
            if (works) {
                add(moving, s, index);
            } else if (tables.row(s).port(index) != TurnTableSet.NONE) {
                gaining.set(s);
            }
        }

        private boolean findHome() {
            home = d < view.nodeCount() ? view.nodeSwitch(d) : -1;
            return home >= 0 && view.alive(home) && view.peerNode(home, view.nodePort(d)) == d;
        }

        long lost(BitSet columns) {
            long lost = 0;
            for (d = columns.nextSetBit(0); d >= 0; d = columns.nextSetBit(d + 1)) {
                lost += findHome() ? lostToOne() : 0;
            }
            return lost;
        }

        private long lostToOne() {
            BitSet working = new BitSet();
            begin(false);
            for (int target = 0; target < view.leafCount(); target++) {
                int leaf = view.targetSwitch(target);
                working.set(target, view.alive(leaf) && delivered(leaf, TurnTableSet.CLASS_HOST, 0));
            }
            begin(true);
            return working.stream()
                    .filter(target -> !delivered(view.targetSwitch(target), TurnTableSet.CLASS_HOST, 0))
                    .count();
        }

        private void begin(boolean followMixed) {
            mixed = followMixed;
            Arrays.fill(end, UNKNOWN);
        }

        /** By the entries in force; or, mixed, whichever of the old and the new entry each switch has. */
        private boolean delivered(int s, int inputClass, int channel) {
            int state = s * CHANNEL_STATES + inputClass * TurnTableSet.CHANNELS + channel;
            if (end[state] == UNKNOWN) {
                end[state] = UNDER_WAY;
                end[state] = follow(s, inputClass, channel) ? DELIVERED : LOST;
            }
            return end[state] == DELIVERED;
        }

        private boolean follow(int s, int inputClass, int channel) {
            LftRow[] held = inForce.of(s);
            int index = TurnTableSet.entry(inputClass, d);
            boolean told = !inForce.isUntold(s) && view.alive(s);
            boolean replaced = mixed && told && (held.length == 0 || !moves(s, index));
            boolean all = held.length > 0 || (mixed && told);
            for (LftRow row : held) {
                all = all && (replaced || passes(s, row, inputClass, channel));
            }
            return all && (!mixed || !told || passes(s, tables.row(s), inputClass, channel));
        }

        private boolean moves(int s, int index) {
            BitSet moved = moving[s];
            return moved != null && moved.get(index);
        }

        private boolean passes(int s, LftRow row, int inputClass, int channel) {
            int port = row.port(TurnTableSet.entry(inputClass, d));
            if (s == home) {
                return port == view.nodePort(d);
            }
            int next =
                    port != LftSet.NO_ROUTE && port >= 1 && port <= view.portCount(s) ? view.peerSwitch(s, port) : -1;
            int on = row.port(TurnTableSet.CHANNEL_MAP + TurnTableSet.CHANNELS * inputClass + channel);
            int arrives = next < 0 ? TurnTableSet.NONE : inputClass(next, view.peerPort(s, port));
            return on < TurnTableSet.CHANNELS && arrives < TurnTableSet.CLASSES && delivered(next, arrives, on);
        }

        /** Mixed, a class that is only in one of both is in force surely if it was added. */
        private int inputClass(int s, int port) {
            int after = tables.inputClass(s, port);
            for (LftRow row : inForce.of(s)) {
                int before = row.port(port);
                if (!mixed || inForce.isUntold(s) || (before != TurnTableSet.NONE && before != after)) {
                    return mixed && !inForce.isUntold(s) ? TurnTableSet.NONE : before;
                }
            }
            return mixed && !inForce.isUntold(s) ? after : TurnTableSet.NONE;
        }
    }
}
