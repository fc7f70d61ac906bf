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
 * turns ends there, as every loop does; unless packets of the column may turn: then it goes on, and must not come back to where it was. Knows nothing of why the
 * order is what it is.
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

        static final Change AT_ONCE = new Change(1, false);

        boolean actsIn(int some) {
            return round == some || (some == 1 && dropped);
        }
    }

    private static final byte UNKNOWN = 0;
    private static final byte ARRIVES = 1;
    private static final byte LOST = 2;
    private static final byte TURNS = 3;
    private static final byte LOOPS = 4;

    /** Longer ways count as loops: those of tables that anybody made are not. */
    private static final int HOPS_MAX = 256;

    private final FabricView works;
    private final PortPeers peers;

    private final ColumnEntries given;

    /** By switch, the entries it may have. */
    private final int[][] entries;

    private final byte[] before;
    private final byte[] during;

    /** By switch and whether the packet has descended. */
    private final byte[] end;

    /** Entries by which packets turned when the round began: 256 s + port. */
    private final BitSet turned = new BitSet();

    private boolean turnedAtFirst;

    private final boolean[] delivers;

    private final boolean[] arrivesAtLast;

    private int column;
    private int home;
    private boolean mayTurn;
    private int hops;

    /** @param given turned to the column that is looked at */
    ColumnProof(FabricView works, PortPeers peers, ColumnEntries given) {
        this.works = works;
        this.peers = peers;
        this.given = given;
        entries = new int[works.switchCount()][];
        before = new byte[works.switchCount()];
        during = new byte[works.switchCount()];
        end = new byte[2 * works.switchCount()];
        delivers = new boolean[works.switchCount()];
        arrivesAtLast = new boolean[works.switchCount()];
    }

    /**
     * What goes wrong, or nothing.
     *
     * @param turnsAllowed whether packets may turn from down to up, if they do not come back to a switch
     */
    String find(int d, boolean turnsAllowed, IntFunction<Change> changes) {
        column = d;
        mayTurn = turnsAllowed;
        home = works.nodeSwitch(d);
        boolean[] served = servedAtLast();
        int last = 1;
        for (int s = 0; s < entries.length; s++) {
            entries[s] = given.held(s);
            last = Math.max(last, changes.apply(s).round());
        }
        turnedAtFirst = false;
        for (int round = 1; round <= last; round++) {
            turned.clear();
            walkAll(before);
            if (!mayTurn) {
                noteTurns();
            }
            turnedAtFirst |= round == 1 && !turned.isEmpty();
            if (round == 1) {
                noteDelivery();
            }
            for (int s = 0; s < entries.length; s++) {
                addEntry(s, changes.apply(s), round);
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

    /**
     * True if packets that wait somewhere while rounds pass may turn, though no mix of one round turns them: they come by an entry that is gone when they are sent on.
     * Of the column looked at last.
     *
     * @param drains rounds before which no packet is left that was sent before
     */
    boolean turnsOnTheWay(IntFunction<Change> changes, int rounds, BitSet drains) {
        for (int s = 0; s < entries.length; s++) {
            entries[s] = given.held(s);
        }
        turned.clear();
        noteTurns();
        BitSet about = new BitSet();
        boolean turns = false;
        for (int round = 1; round <= rounds; round++) {
            if (drains.get(round)) {
                about.clear();
            }
            for (int s = 0; s < entries.length; s++) {
                addEntry(s, changes.apply(s), round);
            }
            turns |= spread(about);
            for (int s = 0; s < entries.length; s++) {
                settle(s, changes.apply(s), round);
            }
        }
        return turns;
    }

    /**
     * Where packets may be, by the entries of a round, that begin in it or were about: 2 s, and 1 more where they have descended.
     *
     * @return true if one of them turns
     */
    private boolean spread(BitSet about) {
        int[] open = new int[2 * entries.length];
        int depth = 0;
        for (int target = 0; target < works.targetCount(); target++) {
            about.set(2 * works.targetSwitch(target));
        }
        for (int at = about.nextSetBit(0); at >= 0; at = about.nextSetBit(at + 1)) {
            open[depth++] = at;
        }
        boolean turns = false;
        while (depth > 0) {
            int at = open[--depth];
            int s = at / 2;
            for (int port : entries[s]) {
                int next = s == home && port == works.nodePort(column) ? -1 : peers.peer(s, port);
                boolean down = next >= 0 && works.isDown(s, next);
                boolean goesOn = down || (next >= 0 && (mayTurn || (works.isUp(s, next) && at % 2 == 0)));
                turns |= next >= 0 && !goesOn && !turned.get(256 * s + port);
                int then = 2 * next + (down ? 1 : 0);
                if (goesOn && !about.get(then)) {
                    about.set(then);
                    open[depth++] = then;
                }
            }
        }
        return turns;
    }

    /**
     * Switches to which packets of hosts may come for the column looked at last, whatever others have changed by then. Not only by the rows in force: a new entry
     * may lead to a switch that nobody sent to, and that one by its old entry to the next.
     */
    BitSet carriers() {
        for (int s = 0; s < entries.length; s++) {
            entries[s] = given.held(s);
            addEntry(s, Change.AT_ONCE, 1);
        }
        BitSet about = new BitSet();
        spread(about);
        BitSet carriers = new BitSet();
        about.stream().forEach(at -> carriers.set(at / 2));
        return carriers;
    }

    private void noteDelivery() {
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
    private boolean[] servedAtLast() {
        for (int s = 0; s < entries.length; s++) {
            entries[s] = given.isUntold(s) ? given.held(s) : given.nowAlone(s);
        }
        walkAll(during);
        boolean[] served = new boolean[entries.length];
        for (int s = 0; s < served.length; s++) {
            served[s] = during[s] == ARRIVES;
            arrivesAtLast[s] = works.alive(s) && follow(s, 0) == ARRIVES;
        }
        return served;
    }

    private void addEntry(int s, Change change, int round) {
        if (change.actsIn(round)) {
            int[] more = Arrays.copyOf(entries[s], entries[s].length + 1);
            more[more.length - 1] = change.round() == round ? given.now(s) : LftSet.NO_ROUTE;
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
            if (found == LOOPS) {
                return "packets from " + works.switchName(s) + " to node " + column + " can come back to a switch";
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
            end[at] = LOOPS; // for whoever comes back while the ways from here are walked
            byte worst = hops < HOPS_MAX ? ARRIVES : LOOPS;
            hops++;
            for (int i = 0; worst < LOOPS && i < entries[s].length; i++) {
                worst = (byte) Math.max(worst, leave(s, entries[s][i], descended));
            }
            hops--;
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
        if (mayTurn) {
            return follow(next, 0);
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
