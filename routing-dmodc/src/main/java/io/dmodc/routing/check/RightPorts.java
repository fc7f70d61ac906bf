package io.dmodc.routing.check;

import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * For every entry a switch may have, the homes for which it is right.
 *
 * <p>A port down is right for the homes below the switch it leads to. A port up is right for the homes that are not below,
 * and for which the shortest legal path from the upper switch turns at the same rank as from here. No route is right
 * where no legal path is. All else is right for no home; the port to a destination itself is for others to know.
 *
 * <p>Word by word of homes, on demand, one word per entry side by side, so that runs of many ports read few cache lines.
 * 2 KiB for a word of homes in use. Not thread-safe.
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

    /** Turns to all switches on one side above, {@code member} one of them, as far as homes below none are concerned. */
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

    private void fill(int w, long[] right) {
        Arrays.fill(right, 0);
        long below = withBelow ? turns.below(s)[w] : 0;
        long reached = below;
        for (int g = view.groupStart(s); g < view.groupStart(s + 1); g++) {
            int remote = view.groupRemote(g);
            if (view.isUp(s, remote)) {
                putAll(g, up(remote, w) & ~below, right);
            } else if (withBelow && view.isDown(s, remote)) {
                putAll(g, turns.below(remote)[w], right);
            }
        }
        Side above = turns.above(s);
        if (above != null && above.sets.length > 0) {
            reached |= above.sets[above.sets.length - 1][w];
        }
        right[LftSet.NO_ROUTE] = ~reached;
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

    private void putAll(int group, long homes, long[] right) {
        for (int i = 0; i < view.groupSize(group); i++) {
            right[view.groupPort(group, i)] = homes;
        }
    }
}
