package io.dmodc.routing.change;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.change.ChangePlan.Delay;
import io.dmodc.routing.check.PortPeers;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The order in which one column changes where rows that are right each for itself can turn when they are mixed: its home is below two children of
 * some switch, or the host moved (Theorem 3).
 *
 * <p>A switch that climbed and shall descend (A) goes before those above that shall send to it. One that descended, or had the
 * host, and shall climb (B) goes after those above that may send to it, and after a drain. One that delivers goes after
 * the broken ones at the beginning of its new way. What delivers nothing and would have to wait is dropped in round 1, so that nobody
 * waits for it.
 *
 * <p>Where packets may turn, because no circle of channels comes of it, only the last of these rules is left.
 *
 * <p>Whatever came of it is then walked through, round by round, by all ways that a mix allows ({@link ColumnProof}). O(switches + links) per
 * column and round. Not thread-safe; its arrays are used again.
 */
final class ColumnOrder {
    /** Longer chains than this are none that up–down tables make. */
    private static final int ROUNDS_MAX = 64;

    private static final int NONE = 0;
    private static final int UP = 1;
    private static final int DOWN = 2;
    private static final int LEVEL = 4;

    private static final int UNKNOWN = 0;
    private static final int OPEN = -1;

    private final FabricView works;
    private final PortPeers peers;
    private final ColumnEntries entries;
    private final ColumnProof proof;

    private final boolean[] changes;
    private final boolean[] dropped;

    /** Switches that change and deliver, to which packets may come, and from which none arrives by the new entry. */
    private final boolean[] lost;

    private final int[] oldDirections;
    private final int[] newDirection;
    private final int[] round;
    private final BitSet drains = new BitSet();
    private final BitSet[] awaited;
    private int column;
    private int home;
    private boolean mayTurn;
    private int rounds;
    private String problem = "";
    private boolean movesToLoss;

    ColumnOrder(FabricView works, PortPeers peers, RowsInForce inForce, LftSet tables) {
        this.works = works;
        this.peers = peers;
        entries = new ColumnEntries(inForce, tables);
        int count = works.switchCount();
        proof = new ColumnProof(works, peers, entries);
        changes = new boolean[count];
        dropped = new boolean[count];
        lost = new boolean[count];
        oldDirections = new int[count];
        newDirection = new int[count];
        round = new int[count];
        awaited = new BitSet[count];
        Arrays.setAll(awaited, s -> new BitSet());
    }

    /** True if one column may change at once: no mix turns, and none of the rows in force does. */
    boolean isSafeAtOnce(int d) {
        begin(d, false);
        // What turns already, or may for all that is known, is no reason to turn more.
        return atOnce().isEmpty() && !proof.turnedAtFirst();
    }

    /** Orders one column so that none of its packets turns. */
    void find(int d) {
        begin(d, false);
        atOnce(); // notes what delivers
        order();
        if (!problem.isEmpty()) {
            emptyFirst();
            problem = prove();
        }
        if (proof.turnsOnTheWay(this::change, rounds, drains)) {
            drains.set(2, rounds + 1);
        }
    }

    /** Orders one column of which packets may turn: they neither come back to a switch nor are lost. No drain is needed. */
    void findTurning(int d) {
        begin(d, true);
        if (atOnce().isEmpty()) {
            Arrays.fill(round, 1);
            rounds = 1;
        } else {
            order();
        }
    }

    private void begin(int d, boolean turnsAllowed) {
        column = d;
        entries.turnTo(d);
        home = works.nodeSwitch(d);
        mayTurn = turnsAllowed;
        rounds = 0;
        problem = "";
        drains.clear();
        read();
    }

    private String atOnce() {
        String found =
                proof.find(column, mayTurn, s -> changes[s] ? ColumnProof.Change.AT_ONCE : ColumnProof.Change.NEVER);
        noteLost();
        return found;
    }

    private void noteLost() {
        boolean any = false;
        for (int s = 0; s < lost.length; s++) {
            lost[s] = changes[s] && proof.delivers(s) && leadsToLoss(s);
            any |= lost[s];
        }
        if (any) {
            BitSet carriers = proof.carriers();
            for (int s = 0; s < lost.length; s++) {
                lost[s] &= carriers.get(s);
            }
        }
    }

    private boolean leadsToLoss(int s) {
        return entries.now(s) == LftSet.NO_ROUTE || (entries.anyUntold() && !proof.arrivesAtLast(s));
    }

    private String prove() {
        return proof.find(column, mayTurn, this::change);
    }

    private void order() {
        for (int s = 0; s < round.length; s++) {
            if (changes[s]) {
                rounds = Math.max(rounds, lost[s] ? 1 : roundOf(s));
            }
        }
        problem = prove();
    }

    /** The blunt way: all that delivers nothing is dropped, then set after a drain, and then follows what delivers. */
    private void emptyFirst() {
        rounds = 2;
        drains.set(2);
        for (int s = 0; s < round.length; s++) {
            dropped[s] = changes[s] && !proof.delivers(s);
            round[s] = dropped[s] ? 2 : 3;
            if (changes[s] && !dropped[s] && !lost[s]) {
                rounds = 3;
            }
        }
        for (int s = 0; s < round.length; s++) {
            for (int other = 0; changes[s] && other < round.length; other++) {
                awaited[s].set(other, changes[other] && dropped[other] && other != s);
            }
        }
    }

    private void read() {
        Arrays.fill(round, UNKNOWN);
        Arrays.fill(dropped, false);
        for (int s = 0; s < round.length; s++) {
            awaited[s].clear();
            newDirection[s] = direction(s, entries.now(s));
            oldDirections[s] = NONE;
            for (int port : entries.held(s)) {
                oldDirections[s] |= direction(s, port);
            }
            changes[s] = entries.mayDiffer(s) && works.alive(s) && !entries.isUntold(s);
        }
    }

    private int direction(int s, int port) {
        if (s == home && port == works.nodePort(column)) {
            return DOWN;
        }
        int next = peers.peer(s, port);
        return next < 0 ? NONE : works.isUp(s, next) ? UP : works.isDown(s, next) ? DOWN : LEVEL;
    }

    private int newNext(int s) {
        return peers.peer(s, entries.now(s));
    }

    private int roundOf(int s) {
        if (!changes[s] || round[s] == OPEN) {
            return 0; // a circle of waiting is found out by the proof
        }
        if (round[s] == UNKNOWN) {
            round[s] = OPEN;
            int after = mayTurn ? 0 : Math.max(afterTheNext(s), afterThoseAbove(s));
            dropped[s] = !proof.delivers(s) && after > 0;
            round[s] = 1 + Math.min(ROUNDS_MAX, Math.max(after, proof.delivers(s) ? afterBroken(s) : 0));
        }
        return round[s];
    }

    /** A: next is a switch that climbed, or stayed in its rank, and shall not; until it has changed, what comes to it turns. */
    private int afterTheNext(int s) {
        int next = newNext(s);
        int turning = next >= 0 && works.isDown(s, next) ? UP | LEVEL : LEVEL;
        boolean turns = next >= 0 && changes[next] && (oldDirections[next] & turning) != 0;
        return turns ? await(s, next, untouched(next)) : 0;
    }

    /** B: above are switches that may send down to this one, which shall climb. */
    private int afterThoseAbove(int s) {
        int after = 0;
        if ((newDirection[s] & (UP | LEVEL)) != 0) {
            for (int port = 1; port <= works.portCount(s); port++) {
                int sender = peers.peer(s, port);
                if (sender >= 0
                        && works.isUp(s, sender)
                        && changes[sender]
                        && mayLead(sender, works.peerPort(s, port))) {
                    after = Math.max(after, await(s, sender, untouched(sender)));
                }
            }
            if (after > 0) {
                drains.set(after + 1);
            }
        }
        return after;
    }

    private boolean mayLead(int s, int port) {
        return Arrays.stream(entries.held(s)).anyMatch(held -> held == port);
    }

    /** The last round in which the switch may still forward as before: what delivers nothing is changed or dropped in the first. */
    private int untouched(int s) {
        return proof.delivers(s) && !lost[s] ? roundOf(s) : 1;
    }

    private int afterBroken(int s) {
        int after = 0;
        int next = newNext(s);
        for (int hops = 0; next >= 0 && !proof.delivers(next) && hops < round.length; hops++) {
            if (changes[next]) {
                after = Math.max(after, await(s, next, roundOf(next)));
            }
            next = next == home ? -1 : newNext(next);
        }
        return after;
    }

    private int await(int s, int other, int lastRound) {
        awaited[s].set(other);
        return lastRound;
    }

    /** True if the rows in force turn packets of the column themselves. */
    boolean turnsAlready() {
        return proof.turnedAtFirst();
    }

    int rounds() {
        return rounds;
    }

    BitSet drains() {
        return drains;
    }

    /** Why the order is not proven; else empty. */
    String problem() {
        return problem;
    }

    /** Adds what waits to the plan. */
    void addTo(@Nullable Delay[] delays) {
        for (int s = 0; s < round.length; s++) {
            if (lost[s]) {
                Delay.of(s, delays).lost.set(column);
                movesToLoss |= entries.now(s) != LftSet.NO_ROUTE;
            } else if (changes[s] && round[s] > 1) {
                Delay delay = Delay.of(s, delays);
                delay.later(round[s]).set(column);
                delay.dropped.set(column, dropped[s]);
                delay.awaited(round[s]).or(awaited[s]);
            }
        }
    }

    /** True if some entry that was added leads to where its packets may be lost, and waits with those that become no route. */
    boolean movesToLoss() {
        return movesToLoss;
    }

    /** What a switch does when. */
    private ColumnProof.Change change(int s) {
        if (!changes[s]) {
            return ColumnProof.Change.NEVER;
        }
        return lost[s] ? new ColumnProof.Change(rounds + 1, false) : new ColumnProof.Change(round[s], dropped[s]);
    }
}
