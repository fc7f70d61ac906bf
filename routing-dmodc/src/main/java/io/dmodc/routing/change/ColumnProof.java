package io.dmodc.routing.change;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.check.PortPeers;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntFunction;

/**
 * Walks one column through the rounds of a change by all ways that a mix of entries allows, and says what goes wrong: a packet of some host that
 * turns where none did when the round began, or is lost though all ways that were open then led to the host. A way that
 * turns ends there, as every loop does. Knows nothing of why the order is what it is.
 *
 * <p>O(switches + ways) per round. Not thread-safe; its arrays are used again.
 */
final class ColumnProof {
    /**
     * When an entry changes.
     *
     * @param round 0 for never
     * @param dropped set to no route in round 1 already
     */
    record Change(int round, boolean dropped) {
        static final Change NEVER = new Change(0, false);

        boolean actsIn(int some) {
            return round == some || (some == 1 && dropped);
        }
    }

    private static final byte UNKNOWN = 0;
    private static final byte ARRIVES = 1;
    private static final byte LOST = 2;
    private static final byte TURNS = 3;

    private final FabricView works;
    private final PortPeers peers;

    /** By switch, the entries it may have. */
    private final int[][] entries;

    private final byte[] before;
    private final byte[] during;

    /** By switch and whether the packet has descended. */
    private final byte[] end;

    /** Entries by which packets turned when the round began: 256 s + port. */
    private final BitSet turned = new BitSet();

    private boolean turnedAtFirst;

    /** By switch, whether packets of hosts may come to it by the rows in force. */
    private final boolean[] carries;

    private final boolean[] delivers;

    private final boolean[] arrivesAtLast;

    private int column;
    private int home;

    ColumnProof(FabricView works, PortPeers peers) {
        this.works = works;
        this.peers = peers;
        entries = new int[works.switchCount()][];
        before = new byte[works.switchCount()];
        during = new byte[works.switchCount()];
        end = new byte[2 * works.switchCount()];
        carries = new boolean[works.switchCount()];
        delivers = new boolean[works.switchCount()];
        arrivesAtLast = new boolean[works.switchCount()];
    }

    /** What goes wrong, or nothing. */
    String find(int d, RowsInForce inForce, LftSet tables, IntFunction<Change> changes) {
        column = d;
        home = works.nodeSwitch(d);
        boolean[] served = servedAtLast(inForce, tables);
        int last = 0;
        for (int s = 0; s < entries.length; s++) {
            entries[s] = entriesInForce(inForce, s);
            last = Math.max(last, changes.apply(s).round());
        }
        turnedAtFirst = false;
        for (int round = 1; round <= last; round++) {
            turned.clear();
            walkAll(before);
            noteTurns();
            turnedAtFirst |= round == 1 && !turned.isEmpty();
            if (round == 1) {
                noteDelivery();
            }
            for (int s = 0; s < entries.length; s++) {
                addEntry(s, changes.apply(s), round, tables);
            }
            walkAll(during);
            String problem = compare(served);
            if (!problem.isEmpty()) {
                return problem + " in round " + round;
            }
            for (int s = 0; s < entries.length; s++) {
                settle(s, changes.apply(s), round);
            }
        }
        return "";
    }

    /** True if packets of hosts for the column looked at last may have come to the switch before anything changed. */
    boolean carries(int s) {
        return carries[s];
    }

    /** Where packets are, or would be, before anything changes. */
    private void noteDelivery() {
        for (int s = 0; s < entries.length; s++) {
            carries[s] = end[2 * s] != UNKNOWN || end[2 * s + 1] != UNKNOWN;
        }
        for (int s = 0; s < entries.length; s++) {
            delivers[s] = works.alive(s) && follow(s, 0) == ARRIVES;
        }
    }

    /** True if packets of the column looked at last that begin at the switch arrived before anything changed. */
    boolean delivers(int s) {
        return delivers[s];
    }

    /** True if packets of the column looked at last that begin at the switch arrive once all has changed that can. */
    boolean arrivesAtLast(int s) {
        return arrivesAtLast[s];
    }

    /** True if packets of hosts may turn by the rows in force, before anything changes. */
    boolean turnedAtFirst() {
        return turnedAtFirst;
    }

    /** Where packets of hosts surely turn now; where they only may, for all that is known, the change may not make them. */
    private void noteTurns() {
        for (int target = 0; target < works.targetCount(); target++) {
            int at = works.targetSwitch(target);
            boolean descended = false;
            boolean ended = !works.alive(at);
            while (!ended) {
                int port = entries[at].length == 1 ? entries[at][0] : LftSet.NO_ROUTE;
                int next = at == home && port == works.nodePort(column) ? -1 : peers.peer(at, port);
                boolean down = next >= 0 && works.isDown(at, next);
                boolean turns = next >= 0 && !down && (descended || !works.isUp(at, next));
                if (turns) {
                    turned.set(256 * at + port);
                }
                ended = next < 0 || turns;
                descended |= down;
                at = next;
            }
        }
    }

    /** Sources that the new tables serve; what they do not is lost anyway. */
    private boolean[] servedAtLast(RowsInForce inForce, LftSet tables) {
        for (int s = 0; s < entries.length; s++) {
            entries[s] = inForce.isUntold(s) ? entriesInForce(inForce, s) : new int[] {tables.port(s, column)};
        }
        walkAll(during);
        boolean[] served = new boolean[entries.length];
        for (int s = 0; s < served.length; s++) {
            served[s] = during[s] == ARRIVES;
            arrivesAtLast[s] = works.alive(s) && follow(s, 0) == ARRIVES;
        }
        return served;
    }

    /** What a switch may do; where nothing is known it does not help. */
    private int[] entriesInForce(RowsInForce inForce, int s) {
        return inForce.of(s).length == 0
                ? new int[] {LftSet.NO_ROUTE}
                : Arrays.stream(inForce.of(s))
                        .mapToInt(row -> row.port(column))
                        .distinct()
                        .toArray();
    }

    private void addEntry(int s, Change change, int round, LftSet tables) {
        if (change.actsIn(round)) {
            int[] more = Arrays.copyOf(entries[s], entries[s].length + 1);
            more[more.length - 1] = change.round() == round ? tables.port(s, column) : LftSet.NO_ROUTE;
            entries[s] = more;
        }
    }

    private void settle(int s, Change change, int round) {
        if (change.actsIn(round)) {
            entries[s] = new int[] {entries[s][entries[s].length - 1]};
        }
    }

    private String compare(boolean[] served) {
        for (int target = 0; target < works.targetCount(); target++) {
            int s = works.targetSwitch(target);
            byte found = during[s];
            if (found == TURNS) {
                return "packets from " + works.switchName(s) + " to node " + column + " can turn from down to up";
            }
            if (found != ARRIVES && before[s] == ARRIVES && served[s]) {
                return "packets from " + works.switchName(s) + " to node " + column + " can be lost";
            }
        }
        return "";
    }

    private void walkAll(byte[] ends) {
        Arrays.fill(end, UNKNOWN);
        Arrays.fill(ends, LOST);
        for (int target = 0; target < works.targetCount(); target++) {
            int s = works.targetSwitch(target);
            ends[s] = works.alive(s) ? follow(s, 0) : LOST;
        }
    }

    /** The worst that can happen to a packet that is at {@code s}. */
    private byte follow(int s, int descended) {
        int at = 2 * s + descended;
        if (end[at] == UNKNOWN) {
            byte worst = ARRIVES;
            for (int port : entries[s]) {
                worst = (byte) Math.max(worst, leave(s, port, descended));
            }
            end[at] = worst;
        }
        return end[at];
    }

    private byte leave(int s, int port, int descended) {
        if (s == home && port == works.nodePort(column)) {
            return ARRIVES;
        }
        int next = peers.peer(s, port);
        if (next < 0) {
            return LOST;
        }
        if (works.isDown(s, next)) {
            return follow(next, 1);
        }
        if (works.isUp(s, next) && descended == 0) {
            return follow(next, 0);
        }
        return turned.get(256 * s + port) ? LOST : TURNS;
    }
}
