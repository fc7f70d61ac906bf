package io.dmodc.routing.check;

import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Where minimal legal paths turn, as sets of homes.
 *
 * <p><b>Idea.</b> A legal path climbs by adjacent ranks and then descends. One from {@code s} that turns at rank
 * {@code t} has {@code (t − rank(s)) + (t − rank(home))} hops, so the lowest possible turn makes the shortest path, and
 * all shortest paths turn at the same rank. Homes that s reaches by descending turn at s itself: the union of those
 * below its lower neighbours, and itself. Any other turns where the best of its upper neighbours does: the homes that s
 * reaches turning at rank k or below are the union of those its upper neighbours do. One sweep up, one down, 64 homes
 * at a time.
 *
 * <p><b>Sides.</b> Below, the sets depend on the lower neighbours alone; above, on the upper ones alone, since what is
 * below s is below these as well. Switches with the same neighbours share them: {@link SharedHomeSets}. Switches of one
 * side above also have the same ports there.
 *
 * <p><b>From one view to the next</b> only switches whose neighbours changed, and those behind which a set changed, are
 * looked at again. It tells the words of homes that changed, per switch.
 *
 * <p>O(sides × neighbours × ranks × homes / 64) time at most. Memory: one set per side and rank above it, fewer where
 * they are equal. {@link #update} is for one thread; in between, safe to read from any.
 */
final class TurnSets {
    /** No legal path. */
    static final int NONE = Integer.MAX_VALUE;

    private static final long[][] NO_SETS = {};

    private ColumnHomes columns;

    /** Ranked switches, lowest rank first. */
    private final int[] fromBottom;

    private final long[] empty;
    private final @Nullable SharedHomeSets[] below;
    private final @Nullable SharedHomeSets[] above;
    private final Map<SharedHomeSets.Key, SharedHomeSets> sidesBelow = new HashMap<>();
    private final Map<SharedHomeSets.Key, SharedHomeSets> sidesAbove = new HashMap<>();
    private final long[] @Nullable [] belowChanged;
    private final long[] @Nullable [] aboveChanged;
    private final boolean[] due;
    private FabricView view;
    private int sideCount;
    private long updates;
    private int[] key = new int[64];

    /** Knows nothing of any switch until the first {@link #update}. */
    TurnSets(FabricView view, ColumnHomes columns) {
        this.view = view;
        this.columns = columns;
        empty = new long[columns.words];
        below = new SharedHomeSets[view.switchCount()];
        above = new SharedHomeSets[below.length];
        belowChanged = new long[below.length][];
        aboveChanged = new long[below.length][];
        due = new boolean[below.length];
        fromBottom = byRank(view);
    }

    private static int[] byRank(FabricView view) {
        int[] start = new int[view.rankMax() + 2];
        int[] ranked = IntStream.range(0, view.switchCount())
                .filter(s -> view.rank(s) >= 0)
                .toArray();
        for (int s : ranked) {
            start[view.rank(s) + 1]++;
        }
        for (int rank = 0; rank <= view.rankMax(); rank++) {
            start[rank + 1] += start[rank];
        }
        int[] sorted = new int[ranked.length];
        for (int s : ranked) {
            sorted[start[view.rank(s)]++] = s;
        }
        return sorted;
    }

    /**
     * Brings the sets up to date.
     *
     * @param newView with the same switches, ranks and homes as the view before
     * @param changed switches whose neighbours, ports to them or liveness changed; all of them the first time
     */
    void update(FabricView newView, int[] changed) {
        view = newView;
        updates++;
        Arrays.fill(belowChanged, null);
        Arrays.fill(aboveChanged, null);
        SharedHomeSets[] belowBefore = below.clone();
        SharedHomeSets[] aboveBefore = above.clone();
        for (int s : changed) {
            below[s] = replace(below[s], find(s, false), sidesBelow);
            above[s] = replace(above[s], find(s, true), sidesAbove);
        }
        markDue(changed);
        for (int s : fromBottom) {
            if (due[s]) {
                climb(s, belowBefore[s]);
            }
        }
        markDue(changed);
        for (int i = fromBottom.length - 1; i >= 0; i--) {
            int s = fromBottom[i];
            if (due[s] || belowChanged[s] != null) {
                descend(s, aboveBefore[s]);
            }
        }
    }

    /** The same homes have other columns; nothing here depends on these. */
    void renumberColumns(ColumnHomes newColumns) {
        columns = newColumns;
    }

    private void markDue(int[] switches) {
        Arrays.fill(due, false);
        for (int s : switches) {
            due[s] = true;
        }
    }

    private boolean routes(int s) {
        return view.alive(s) && view.rank(s) >= 0;
    }

    /** The side a switch is on now; above, the ports count as well. */
    private @Nullable SharedHomeSets find(int s, boolean up) {
        if (!routes(s)) {
            return null;
        }
        int size = 0;
        int[] remotes = new int[view.groupEnd(s) - view.groupStart(s)];
        int count = 0;
        size = put(size, up ? view.rank(s) : columns.homeOfSwitch(s));
        for (int g = view.groupStart(s); g < view.groupEnd(s); g++) {
            int remote = view.groupRemote(g);
            if (up ? view.isUp(s, remote) : view.isDown(s, remote)) {
                remotes[count++] = remote;
                size = put(size, remote);
                for (int i = 0; up && i < view.groupSize(g); i++) {
                    size = put(size, -view.groupPort(g, i));
                }
            }
        }
        SharedHomeSets.Key found = new SharedHomeSets.Key(Arrays.copyOf(key, size));
        Map<SharedHomeSets.Key, SharedHomeSets> sides = up ? sidesAbove : sidesBelow;
        SharedHomeSets side = sides.get(found);
        if (side == null) {
            side = new SharedHomeSets(found, sideCount++, Arrays.copyOf(remotes, count));
            sides.put(found, side);
        }
        return side;
    }

    private int put(int size, int number) {
        if (size == key.length) {
            key = Arrays.copyOf(key, 2 * size);
        }
        key[size] = number;
        return size + 1;
    }

    private static @Nullable SharedHomeSets replace(
            @Nullable SharedHomeSets old, @Nullable SharedHomeSets now, Map<SharedHomeSets.Key, SharedHomeSets> sides) {
        if (now != null) {
            now.members++;
        }
        if (old != null && --old.members == 0) {
            sides.remove(old.key);
        }
        return now;
    }

    private void climb(int s, @Nullable SharedHomeSets old) {
        SharedHomeSets side = below[s];
        if (side != null && side.isDue(updates)) {
            side.replace(new long[][] {unionBelow(s, side)}, updates);
        }
        long[] changed = different(old, side);
        if (changed != null) {
            belowChanged[s] = changed;
            for (int g = view.groupStart(s); g < view.groupEnd(s); g++) {
                int remote = view.groupRemote(g);
                due[remote] |= view.isUp(s, remote);
            }
        }
    }

    private long[] unionBelow(int s, SharedHomeSets side) {
        long[] union = new long[columns.words];
        for (int remote : side.remotes) {
            BitWords.or(union, below(remote));
        }
        if (columns.homeOfSwitch(s) >= 0) {
            BitWords.set(union, columns.homeOfSwitch(s));
        }
        return union;
    }

    private void descend(int s, @Nullable SharedHomeSets old) {
        SharedHomeSets side = above[s];
        if (side != null && due[s] && side.isDue(updates)) {
            side.replace(unionsAbove(s, side), updates);
        }
        long[] changed = due[s] ? different(old, side) : null;
        aboveChanged[s] = changed;
        if (changed != null || belowChanged[s] != null) {
            for (int g = view.groupStart(s); g < view.groupEnd(s); g++) {
                int remote = view.groupRemote(g);
                due[remote] |= view.isDown(s, remote);
            }
        }
    }

    private long[][] unionsAbove(int s, SharedHomeSets side) {
        if (side.remotes.length == 0) {
            return NO_SETS;
        }
        long[][] unions = new long[view.rankMax() - view.rank(s)][columns.words];
        for (int i = 0; i < unions.length; i++) {
            for (int remote : side.remotes) {
                BitWords.or(unions[i], upTo(view.rank(s) + 1 + i, remote));
            }
        }
        return unions;
    }

    /** Words of homes in which two sides differ, as bits, or null: none. {@code old} is as it was before the update. */
    private long @Nullable [] different(@Nullable SharedHomeSets old, @Nullable SharedHomeSets now) {
        long[][] one = old == null ? NO_SETS : old.setsBefore(updates);
        long[][] other = now == null ? NO_SETS : now.sets;
        long[] different = BitWords.ofSize(columns.words);
        for (int i = 0; i < Math.max(one.length, other.length); i++) {
            BitWords.addDifferentWords(i < one.length ? one[i] : empty, i < other.length ? other[i] : empty, different);
        }
        return BitWords.isEmpty(different) ? null : different;
    }

    /** Homes to which {@code s} can descend, itself among them. */
    long[] below(int s) {
        SharedHomeSets side = below[s];
        return side == null ? empty : side.sets[0];
    }

    /** Homes that {@code s} reaches over a turn at {@code rank}, which is not below its own, or lower. */
    long[] upTo(int rank, int s) {
        SharedHomeSets side = above[s];
        int i = rank - view.rank(s) - 1;
        return i < 0 || side == null || side.sets.length == 0 ? below(s) : side.sets[i];
    }

    /** Homes that {@code s} reaches. */
    long[] reached(int s) {
        return upTo(view.rankMax(), s);
    }

    /** Rank at which shortest legal paths from {@code s} turn, or {@link #NONE}. */
    int turn(int s, int home) {
        for (int rank = Math.max(view.rank(s), 0); routes(s) && rank <= view.rankMax(); rank++) {
            if (BitWords.get(upTo(rank, s), home)) {
                return rank;
            }
        }
        return NONE;
    }

    /** What {@code s} has above it; null if it has no part in routing. */
    @Nullable
    SharedHomeSets above(int s) {
        return above[s];
    }

    /** Words of {@link #below} that the last update changed, as bits, or null: none. */
    long @Nullable [] belowChanged(int s) {
        return belowChanged[s];
    }

    /** Words of {@link #upTo} above its own rank that the last update changed, as bits, or null: none. */
    long @Nullable [] aboveChanged(int s) {
        return aboveChanged[s];
    }
}
