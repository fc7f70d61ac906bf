package io.dmodc.routing.dmodc;

import io.dmodc.topology.FabricView;
import java.util.Arrays;

/**
 * Writes the row of one switch: equations (1), (3) and (4) for all destinations (section 3.4).
 *
 * <p><b>Idea.</b> Targets are taken by the turn rank of the switch itself: for all targets of one turn rank, the groups
 * that may lead closer, and the layer of each remote switch that says so, are the same. What differs from target to
 * target is read off those layers 64 targets at a time: where no group's bit changes from one target to the next, the
 * candidates are the same, and only at a change are they asked group by group. On a whole PGFT that is once for all
 * destinations above and once a child; faults add changes where they are. Runs of equal candidates go to
 * {@link RowWriter}.
 *
 * <p>O(groups × targets / 64 + groups × changes) a turn rank, plus the writing. One per row, one thread.
 */
final class RowMaker {
    private final FabricView view;
    private final Destinations destinations;
    private final CandidateRule rule;
    private final Reach reach;
    private final int divider;

    /** Groups that may lead closer at the present turn rank, and where their remote switches' bits are. */
    private int[] groups = {};

    private long[][] bits = {};
    private int[] bitsAt = {};
    private int groupCount;

    /** Targets of the present turn rank. */
    private final long[] fresh;

    /** Of those, the ones with a candidate. */
    private final long[] routed;

    /** Targets whose candidates are not those of the target before. */
    private final long[] changes;

    /** Candidates of the target at hand. */
    private int[] candidates = {};

    RowMaker(FabricView view, Destinations destinations, CandidateRule rule, Reach reach, int divider) {
        this.view = view;
        this.destinations = destinations;
        this.rule = rule;
        this.reach = reach;
        this.divider = divider;
        fresh = new long[reach.words()];
        routed = new long[reach.words()];
        changes = new long[reach.words()];
    }

    /** @param row full of "no route" */
    void make(int s, byte[] row) {
        int groupMax = view.groupStart(s + 1) - view.groupStart(s);
        groups = new int[groupMax];
        bits = new long[groupMax][];
        bitsAt = new int[groupMax];
        candidates = new int[groupMax];
        RowWriter writer = new RowWriter(view, destinations, divider, row);
        for (int turn = view.rank(s); turn <= reach.rankMax() + 1; turn++) {
            chooseGroups(s, turn);
            if (groupCount > 0 && findFresh(s, turn)) {
                findChanges();
                write(writer);
            }
        }
        writeOwn(s, row);
    }

    private void chooseGroups(int s, int turn) {
        groupCount = 0;
        for (int g = view.groupStart(s); g < view.groupStart(s + 1); g++) {
            int remote = view.groupRemote(g);
            int limit = reach.routes(remote)
                    ? rule.turnLimit(turn, view.rank(s), view.rank(remote), reach.rankMax())
                    : CandidateRule.NONE;
            if (limit != CandidateRule.NONE) {
                groups[groupCount] = g;
                bits[groupCount] = reach.layers(remote);
                bitsAt[groupCount++] = reach.offset(remote, limit);
            }
        }
    }

    /** Targets whose lowest turn rank is this one; past the highest rank, those without a path. */
    private boolean findFresh(int s, int turn) {
        long[] layers = reach.layers(s);
        if (turn <= reach.rankMax()) {
            System.arraycopy(layers, reach.offset(s, turn), fresh, 0, fresh.length);
        } else {
            Arrays.fill(fresh, -1);
        }
        if (turn > view.rank(s)) {
            int before = reach.offset(s, turn - 1);
            for (int w = 0; w < fresh.length; w++) {
                fresh[w] &= ~layers[before + w];
            }
        } else if (destinations.switchTarget[s] >= 0) {
            int own = destinations.switchTarget[s];
            fresh[own >> 6] &= ~(1L << own);
        }
        return anyBit(fresh);
    }

    private static boolean anyBit(long[] set) {
        for (long word : set) {
            if (word != 0) {
                return true;
            }
        }
        return false;
    }

    private void findChanges() {
        Arrays.fill(routed, 0);
        Arrays.fill(changes, 0);
        for (int i = 0; i < groupCount; i++) {
            long[] from = bits[i];
            int at = bitsAt[i];
            long before = 0;
            for (int w = 0; w < fresh.length; w++) {
                long candidate = from[at + w] & fresh[w];
                routed[w] |= candidate;
                changes[w] |= candidate ^ (candidate << 1 | before >>> 63);
                before = candidate;
            }
        }
    }

    private void write(RowWriter writer) {
        for (int w = 0; w < routed.length; w++) {
            long rest = routed[w];
            while (rest != 0) {
                int first = Long.numberOfTrailingZeros(rest);
                int target = (w << 6) + first;
                if ((changes[w] >>> first & 1) != 0) {
                    writer.flush();
                    writer.use(candidates, findCandidates(target));
                }
                writer.add(target);
                int more = sameAfter(w, first);
                if (more > 0) {
                    writer.extend(target + more);
                }
                rest &= -2L << (first + more);
            }
        }
        writer.flush();
    }

    /** How many targets right after this one, in the same word, share its candidates and adjoin it in the row. */
    private int sameAfter(int w, int first) {
        long same = routed[w] & ~changes[w] & destinations.adjoins[w];
        return Long.numberOfTrailingZeros(~(same >>> 1 >>> first));
    }

    /** Without a branch a group: near faults this is asked for many targets. */
    private int findCandidates(int target) {
        int count = 0;
        for (int i = 0; i < groupCount; i++) {
            candidates[count] = groups[i];
            count += (int) (bits[i][bitsAt[i] + (target >> 6)] >>> target & 1);
        }
        return count;
    }

    private void writeOwn(int s, byte[] row) {
        int own = destinations.switchTarget[s];
        if (own >= 0) {
            for (int r = destinations.runBase[own]; r < destinations.runBase[own + 1]; r++) {
                int from = destinations.runFrom[r];
                System.arraycopy(destinations.ownPort, from, row, from, destinations.runTo[r] - from);
            }
        }
    }
}
