package io.dmodc.routing.dmodc;

import io.dmodc.topology.FabricView;
import java.util.Arrays;

/**
 * Writes the row of one switch: equations (1), (3) and (4) for all destinations (section 3.4).
 *
 * <p><b>Idea.</b> Targets are taken by the turn rank of the switch itself; for all targets of one turn rank the groups
 * that may lead closer, and the layer of each remote switch that says so, are the same. Three bit sets over the targets
 * then split them: <em>all</em> groups are candidates (the usual case going up), <em>one</em> group is (the usual case
 * going down), or something between (only near faults), where groups are asked one by one. Within each kind, targets
 * with equal candidates follow one another, so that {@link RowWriter} can fill long runs.
 *
 * <p>O(groups × targets / 64) a turn rank, plus the writing. One per row, one thread.
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

    /** Targets of the present turn rank, and those with all, with at least one, with several candidates. */
    private final long[] fresh;

    private final long[] all;
    private final long[] some;
    private final long[] several;

    RowMaker(FabricView view, Destinations destinations, CandidateRule rule, Reach reach, int divider) {
        this.view = view;
        this.destinations = destinations;
        this.rule = rule;
        this.reach = reach;
        this.divider = divider;
        fresh = new long[reach.words()];
        all = new long[reach.words()];
        some = new long[reach.words()];
        several = new long[reach.words()];
    }

    /** @param row full of "no route" */
    void make(int s, byte[] row) {
        int groupMax = view.groupStart(s + 1) - view.groupStart(s);
        groups = new int[groupMax];
        bits = new long[groupMax][];
        bitsAt = new int[groupMax];
        RowWriter writer = new RowWriter(view, destinations, divider, row);
        for (int turn = view.rank(s); turn <= reach.rankMax() + 1; turn++) {
            chooseGroups(s, turn);
            if (groupCount > 0 && findFresh(s, turn)) {
                countCandidates();
                writeAll(writer);
                writeSingle(writer);
                writeOthers(writer);
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

    private void countCandidates() {
        System.arraycopy(fresh, 0, all, 0, all.length);
        Arrays.fill(some, 0);
        Arrays.fill(several, 0);
        for (int i = 0; i < groupCount; i++) {
            long[] from = bits[i];
            int at = bitsAt[i];
            for (int w = 0; w < all.length; w++) {
                long candidate = from[at + w] & fresh[w];
                several[w] |= some[w] & candidate;
                some[w] |= candidate;
                all[w] &= candidate;
            }
        }
    }

    private void writeAll(RowWriter writer) {
        writer.use(groups, groupCount);
        for (int w = 0; w < all.length; w++) {
            for (long rest = all[w]; rest != 0; rest &= rest - 1) {
                writer.add((w << 6) + Long.numberOfTrailingZeros(rest));
            }
        }
        writer.flush();
    }

    private void writeSingle(RowWriter writer) {
        int[] one = new int[1];
        for (int i = 0; i < groupCount; i++) {
            one[0] = groups[i];
            writer.use(one, 1);
            for (int w = 0; w < all.length; w++) {
                long single = bits[i][bitsAt[i] + w] & some[w] & ~several[w] & ~all[w];
                for (long rest = single; rest != 0; rest &= rest - 1) {
                    writer.add((w << 6) + Long.numberOfTrailingZeros(rest));
                }
            }
            writer.flush();
        }
    }

    private void writeOthers(RowWriter writer) {
        int[] now = new int[groupCount];
        int[] last = new int[groupCount];
        int lastCount = 0;
        for (int w = 0; w < all.length; w++) {
            for (long rest = several[w] & ~all[w]; rest != 0; rest &= rest - 1) {
                int target = (w << 6) + Long.numberOfTrailingZeros(rest);
                int count = candidates(target, now);
                if (!Arrays.equals(now, 0, count, last, 0, lastCount)) {
                    writer.flush();
                    writer.use(now, count);
                    int[] swap = last;
                    last = now;
                    now = swap;
                    lastCount = count;
                }
                writer.add(target);
            }
        }
        writer.flush();
    }

    private int candidates(int target, int[] into) {
        int count = 0;
        for (int i = 0; i < groupCount; i++) {
            if ((bits[i][bitsAt[i] + (target >> 6)] >>> target & 1) != 0) {
                into[count++] = groups[i];
            }
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
