package io.dmodc.routing.check;

import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * For every entry a switch may have, the homes for which it is right.
 *
 * <p>A port down is right for the homes below the switch it leads to. A port up is right for the homes that are not
 * below, and for which the shortest legal path from the upper switch turns at the same rank as from here. No route is
 * right where no legal path is. All else is right for no home; the port to a destination itself is for others to know.
 *
 * <p>Word by word of homes, on demand, one word per entry side by side, so that runs of many ports read few cache
 * lines. 2 KiB for a word of homes in use. Not thread-safe.
 */
final class RightPorts {
    private static final int ENTRIES = 256;

    private final FabricView view;
    private final TurnSets turns;
    private final long[] @Nullable [] table;
    private final int[] filled;
    private int round;
    private int s;
    private boolean withBelow;

    RightPorts(FabricView view, TurnSets turns, int words) {
        this.view = view;
        this.turns = turns;
        table = new long[words][];
        filled = new int[words];
    }

    /** Turns to one switch. */
    void of(int newSwitch) {
        begin(newSwitch, true);
    }

    /**
     * Turns to all switches on one side above, {@code member} one of them, as far as homes below none are concerned.
     */
    void above(int member) {
        begin(member, false);
    }

    private void begin(int newSwitch, boolean below) {
        s = newSwitch;
        withBelow = below;
        round++;
    }

    /** By entry, the homes of word {@code w} for which it is right; until the next call that turns elsewhere. */
    long[] word(int w) {
        long[] right = table[w];
        if (right == null) {
            right = new long[ENTRIES];
            table[w] = right;
        }
        if (filled[w] != round) {
            filled[w] = round;
            fill(w, right);
        }
        return right;
    }

    /** Homes of word {@code w} for which one entry is right; without finding out about the others. */
    long word(int w, int entry) {
        long[] right = table[w];
        if (right != null && filled[w] == round) {
            return right[entry];
        }
        if (entry == LftSet.NO_ROUTE) {
            return noRoute(w);
        }
        int remote = entry >= 1 && entry <= view.portCount(s) ? view.peerSwitch(s, entry) : -1;
        return remote < 0 ? 0 : leadingTo(remote, w);
    }

    private void fill(int w, long[] right) {
        Arrays.fill(right, 0);
        for (int g = view.groupStart(s); g < view.groupEnd(s); g++) {
            long homes = leadingTo(view.groupRemote(g), w);
            for (int i = 0; i < view.groupSize(g); i++) {
                right[view.groupPort(g, i)] = homes;
            }
        }
        right[LftSet.NO_ROUTE] = noRoute(w);
    }

    private long noRoute(int w) {
        SharedHomeSets above = turns.above(s);
        return ~(below(w) | (above == null ? 0 : above.last(w)));
    }

    private long below(int w) {
        return withBelow ? turns.below(s)[w] : 0;
    }

    private long leadingTo(int remote, int w) {
        if (view.isUp(s, remote)) {
            return up(remote, w) & ~below(w);
        }
        return withBelow && view.isDown(s, remote) ? turns.below(remote)[w] : 0;
    }

    /** Homes for which {@code remote} turns where the best upper neighbour does. */
    private long up(int remote, int w) {
        long right = 0;
        long lower = 0;
        for (int rank = view.rank(remote); rank <= view.rankMax(); rank++) {
            right |= turns.upTo(rank, remote)[w] & ~lower;
            lower = turns.upTo(rank, s)[w];
        }
        return right;
    }
}
