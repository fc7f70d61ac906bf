package io.dmodc.routing.throughput;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Max-min fair rates by progressive filling, exactly.
 *
 * <p><b>Idea.</b> All flows rise together. Where a channel is full its flows stay as they are, and the others rise on,
 * until all stay or have what they ask for. A channel that bears frozen rates f and active flows a is full at the level
 * (capacity − f) / a, which only grows when flows freeze below it; so a queue of channels by level finds the next one,
 * and a channel whose level grew since it was put there is put there again.
 *
 * <p><b>Cost.</b> Each route is walked twice, once to count and once when its flows freeze; rational arithmetic is done
 * once for each level and each channel that flows of it use. Memory: 12 bytes a channel on a route.
 *
 * <p>Source: D. Bertsekas, R. Gallager, <i>Data Networks</i>, 2nd edition, section 6.5.2. The rates are unique.
 */
final class ProgressiveFilling {
    private static final int ACTIVE = -1;

    private final FlowGroups flows;
    private final Fraction demand;
    /** Index into {@link #levels} of each group, {@link #ACTIVE} while it rises. */
    private final int[] levelOf;

    private final List<Fraction> levels = new ArrayList<>();
    private final long[] active;
    private final Fraction[] left;
    /** Groups of channel c: {@code groupOf[groupStart[c] .. groupStart[c + 1]]}. */
    private final int[] groupStart;

    private final int[] groupOf;
    /** Flows, in parts, that froze at the present level, by channel; and the channels where there are any. */
    private final long[] frozen;

    private final int[] touched;
    private int touchedCount;

    /** @param demand what each source asks for, of what its link carries */
    ProgressiveFilling(FlowGroups flows, Fraction demand) {
        this.flows = flows;
        this.demand = demand;
        levelOf = new int[flows.members.length];
        Arrays.fill(levelOf, ACTIVE);
        active = flows.loads();
        left = new Fraction[active.length];
        Arrays.fill(left, Fraction.of(flows.capacity, 1));
        frozen = new long[active.length];
        touched = new int[active.length];
        groupStart = groupStarts();
        groupOf = groupsOfChannels();
        fill();
    }

    private int[] groupStarts() {
        int[] starts = new int[active.length + 1];
        for (int i = 0; i < flows.shares.size(); i++) {
            starts[flows.shares.channel(i) + 1]++;
        }
        for (int c = 0; c < active.length; c++) {
            starts[c + 1] += starts[c];
        }
        return starts;
    }

    private int[] groupsOfChannels() {
        int[] next = groupStart.clone();
        int[] groups = new int[flows.shares.size()];
        for (int group = 0; group < levelOf.length; group++) {
            for (int i = flows.shares.start(group); i < flows.shares.start(group + 1); i++) {
                groups[next[flows.shares.channel(i)]++] = group;
            }
        }
        return groups;
    }

    private record Full(Fraction level, int channel) {}

    private void fill() {
        PriorityQueue<Full> next =
                new PriorityQueue<>(Comparator.comparing(Full::level).thenComparingInt(Full::channel));
        for (int c = 0; c < active.length; c++) {
            offer(next, c);
        }
        while (!next.isEmpty()) {
            Full full = next.remove();
            Fraction level = active[full.channel] == 0 ? demand : left[full.channel].over(active[full.channel]);
            if (level.compareTo(full.level) > 0) {
                offer(next, full.channel);
            } else {
                freeze(full.channel, level);
            }
        }
        levels.add(demand);
        for (int group = 0; group < levelOf.length; group++) {
            levelOf[group] = levelOf[group] == ACTIVE ? levels.size() - 1 : levelOf[group];
        }
    }

    /** Channels that are not full before the demand is met hold nobody up. */
    private void offer(PriorityQueue<Full> next, int channel) {
        if (active[channel] > 0) {
            Fraction level = left[channel].over(active[channel]);
            if (level.compareTo(demand) < 0) {
                next.add(new Full(level, channel));
            }
        }
    }

    private void freeze(int channel, Fraction level) {
        if (levels.isEmpty() || !levels.get(levels.size() - 1).equals(level)) {
            levels.add(level);
        }
        for (int i = groupStart[channel]; i < groupStart[channel + 1]; i++) {
            if (levelOf[groupOf[i]] == ACTIVE) {
                freezeGroup(groupOf[i]);
            }
        }
        for (int i = 0; i < touchedCount; i++) {
            int c = touched[i];
            left[c] = left[c].minus(level.times(frozen[c]));
            active[c] -= frozen[c];
            frozen[c] = 0;
        }
        touchedCount = 0;
    }

    private void freezeGroup(int group) {
        levelOf[group] = levels.size() - 1;
        for (int i = flows.shares.start(group); i < flows.shares.start(group + 1); i++) {
            int c = flows.shares.channel(i);
            if (frozen[c] == 0) {
                touched[touchedCount++] = c;
            }
            frozen[c] += (long) flows.members[group] * flows.shares.parts(i);
        }
    }

    /** The distinct rates, ascending. */
    List<Fraction> levels() {
        return levels;
    }

    /** Rate of the flows of a group, an index into {@link #levels}; of no meaning where packets do not arrive. */
    int levelOf(int group) {
        return levelOf[group];
    }
}
