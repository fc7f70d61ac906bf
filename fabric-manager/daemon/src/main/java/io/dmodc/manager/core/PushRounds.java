package io.dmodc.manager.core;

import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * When each switch may be given the next of its planned tables: the rounds of {@link PlannedChange}, followed by what was acknowledged.
 *
 * <p>A switch whose next table is of a later round than the first waits for others, and for the packets that were sent before to have left. Who waits is looked at
 * again when the one it was found to wait for has gone on, so each acknowledgement costs what it lets go on. Switches by index in the view.
 */
final class PushRounds {
    /** All tables are acknowledged. */
    static final int DONE = Integer.MAX_VALUE;

    /** It cannot be told anything, and what it holds is not known. */
    private static final int NOBODY_KNOWS = 0;

    private static final int NOBODY = -1;
    private static final long NOT_BEGUN = Long.MIN_VALUE;

    private final FabricState state;
    private PlannedChange change = PlannedChange.NONE;
    private @Nullable FabricView view;

    /** By switch: round of its next table that is not acknowledged. */
    private int[] next = {};

    /** By switch: the first of those that were found to wait for it, and after each the next one. */
    private int[] firstWaiting = {};

    private int[] nextWaiting = {};

    /** By switch: whom it was found to wait for. */
    private int[] waitsFor = {};

    /** By round: how many switches have their next table in it. */
    private final TreeMap<Integer, Integer> unfinished = new TreeMap<>();

    /** These were found to wait for an earlier round of all. */
    private final BitSet waitsForAll = new BitSet();

    /** By switch: when what was sent before has left. */
    private long[] drained = {};

    /** These may go on. */
    private final BitSet ready = new BitSet();

    /** When drains of switches are over. */
    private Deadlines<Integer> drains = new Deadlines<>(Integer::compare);

    PushRounds(FabricState state) {
        this.state = state;
    }

    /** Follows another change. Who is given nothing is done, unless nobody knows what it holds. */
    void begin(FabricView newView, PlannedChange newChange) {
        view = newView;
        change = newChange;
        int count = newView.switchCount();
        next = new int[count];
        Arrays.fill(next, DONE);
        change.unknown().stream().forEach(s -> next[s] = NOBODY_KNOWS);
        firstWaiting = filled(count);
        nextWaiting = filled(count);
        waitsFor = filled(count);
        unfinished.clear();
        waitsForAll.clear();
        drained = new long[count];
        Arrays.fill(drained, NOT_BEGUN);
        ready.clear();
        drains = new Deadlines<>(Integer::compare);
    }

    private static int[] filled(int count) {
        int[] nobody = new int[count];
        Arrays.fill(nobody, NOBODY);
        return nobody;
    }

    /** The change that is followed. */
    PlannedChange change() {
        return change;
    }

    /** The next table of a switch is of this round; {@link #DONE} after the last. */
    void follows(long guid, int round) {
        int s = index(guid);
        if (s < 0 || next[s] == round) {
            return;
        }
        if (next[s] == NOBODY_KNOWS) {
            // Those it held were not asked whether they may leave.
            ready.set(0, next.length);
        }
        count(next[s], -1);
        count(round, 1);
        next[s] = round;
        drained[s] = NOT_BEGUN;
        drains.cancel(s);
        for (int waiting = firstWaiting[s]; waiting != NOBODY; ) {
            int after = nextWaiting[waiting];
            waitsFor[waiting] = NOBODY;
            ready.set(waiting);
            waiting = after;
        }
        firstWaiting[s] = NOBODY;
    }

    /** Whoever waits for all looks again when a round is over. */
    private void count(int round, int more) {
        if (round != NOBODY_KNOWS && round != DONE) {
            unfinished.merge(round, more, (count, by) -> count + by == 0 ? null : count + by);
            if (!unfinished.containsKey(round)) {
                ready.or(waitsForAll);
                waitsForAll.clear();
            }
        }
    }

    /** Index of a switch in the view of the change; −1 if it is not in it. */
    int index(long guid) {
        return view == null ? -1 : view.switchOf(guid);
    }

    /** True if a switch may be given its table of this round now. Else it is among the {@link #takeReady} when that may have changed. */
    boolean mayLeave(long guid, int round, long nowNanos) {
        int s = index(guid);
        if (s < 0 || round <= 1) {
            return true;
        }
        if (waitsFor[s] != NOBODY) {
            return false;
        }
        if (change.roundsForAll() && unfinished.lowerKey(round) != null) {
            waitsForAll.set(s);
            return false;
        }
        int other = unfinished(s, round);
        if (other != NOBODY) {
            waitsFor[s] = other;
            nextWaiting[s] = firstWaiting[other];
            firstWaiting[other] = s;
            return false;
        }
        if (!change.drains(round) || !state.rules.drainKnown()) {
            return true;
        }
        if (drained[s] == NOT_BEGUN) {
            drained[s] = nowNanos + state.rules.drainNanos();
        }
        if (nowNanos >= drained[s]) {
            return true;
        }
        drains.set(s, drained[s]);
        return false;
    }

    /**
     * True if a switch that the change gives nothing may be given its table now: behind all others, as it was planned with what it holds; at once where it was
     * not known what that is, or where others have got their tables in the belief that it has its own. Else as {@link #mayLeave}.
     */
    boolean mayLeaveLast(long guid) {
        int s = index(guid);
        if (s < 0 || !change.untold().get(s) || next[s] == NOBODY_KNOWS || unfinished.isEmpty()) {
            return true;
        }
        waitsForAll.set(s);
        return false;
    }

    /** What the change gives a switch yet, from the round on that others wait for. */
    List<PlannedTable> left(SwitchRecord record) {
        int s = index(record.guid);
        return s < 0
                ? List.of()
                : change.tables(s, Objects.requireNonNull(record.desiredRow), record.desiredDigest).stream()
                        .filter(table -> table.round() >= next[s])
                        .toList();
    }

    /** True if a switch waits for one that nobody can tell anything: it keeps what works, and is not waited for. */
    boolean isHeld(long guid, int round) {
        int s = index(guid);
        if (s < 0 || round <= 1 || change.unknown().isEmpty()) {
            return false;
        }
        BitSet awaited = (BitSet) change.awaited(s, round).clone();
        awaited.and(change.unknown());
        return awaited.stream().anyMatch(other -> next[other] < round);
    }

    /** One that has a table of an earlier round to acknowledge and is waited for by this one; −1 if there is none. */
    private int unfinished(int s, int round) {
        BitSet awaited = change.awaited(s, round);
        for (int other = awaited.nextSetBit(0); other >= 0; other = awaited.nextSetBit(other + 1)) {
            if (next[other] < round) {
                return other;
            }
        }
        return NOBODY;
    }

    /** Switches that may be able to go on, by GUID, in order of their indices; each is told once. */
    long[] takeReady(long nowNanos) {
        drains.takeDue(nowNanos).forEach(ready::set);
        FabricView of = view;
        if (of == null || ready.isEmpty()) {
            return new long[0];
        }
        long[] guids = ready.stream().mapToLong(of::switchGuid).toArray();
        ready.clear();
        return guids;
    }

    /** When a drain is over; {@code Long.MAX_VALUE}: none is waited for. */
    long nextDeadline() {
        return drains.next();
    }
}
