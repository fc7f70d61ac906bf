package io.dmodc.routing.dmodc;

import io.dmodc.routing.CandidatePorts;
import io.dmodc.routing.PortPattern;
import io.dmodc.topology.NeighbourReader;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The port groups among which a switch chooses, and the patterns its choices make (equations (3) and (4)).
 *
 * <p>Along a row the port changes every {@code divider} columns to the next candidate group, and with every round of all
 * candidate groups to the next port of each, so the pattern repeats after #C · lcm(#g) ports. Where several groups are
 * candidates the divider may be another one than where there is one (Π↓ of descents). Which patterns there are
 * depends only on the ports and the dividers: switches wired alike share a layout. Immutable but for its
 * members, which one thread counts.
 */
final class PortLayout {
    /** Longer repetitions (many candidate groups of unlike sizes) are written out for the columns at hand instead. */
    private static final int PORTS_MAX = 4096;

    /** At the start of a key: the divider where one group alone is a candidate, and where several are. */
    static final int DIVIDERS = 2;

    /** Without groups. */
    static final PortLayout NONE;

    static {
        IntKey key = new IntKey(DIVIDERS);
        key.values[0] = 1;
        key.values[1] = 1;
        key.count = DIVIDERS;
        NONE = new PortLayout(key, 0, false);
    }

    /** Parts of rows that have this layout. */
    int members;

    private final IntKey key;
    private final int divider;
    private final int dividerOfMany;
    private final int formulaOffset;

    /** Ports of group i are {@code ports[base[i] .. base[i + 1] − 1]}. */
    private final int[] base;

    private final byte[] ports;

    /** Whether any candidate may serve instead of another. */
    private final boolean interchangeable;

    /** True if no group has parallel ports. */
    private final boolean single;

    private final CandidateSet all;
    private final @Nullable PortPattern allGroups;

    /** Null unless it is small and single: at most 64 groups, of one port each. */
    private final @Nullable CandidatePorts candidatePorts;

    /**
     * @param key the {@link #DIVIDERS dividers}, then the ports as {@link NeighbourReader#ports} gives them
     * @param interchangeable whether any candidate may serve instead of another
     */
    PortLayout(IntKey key, int formulaOffset, boolean interchangeable) {
        this.key = key;
        this.formulaOffset = formulaOffset;
        this.interchangeable = interchangeable;
        divider = key.values[0];
        dividerOfMany = key.values[1];
        ports = new byte[key.count - DIVIDERS];
        int[] starts = new int[ports.length + 1];
        int groupCount = 0;
        for (int i = 0; i < ports.length; i++) {
            ports[i] = (byte) key.values[DIVIDERS + i];
            if ((key.values[DIVIDERS + i] & NeighbourReader.SAME_GROUP) == 0) {
                starts[groupCount++] = i;
            }
        }
        starts[groupCount] = ports.length;
        base = Arrays.copyOf(starts, groupCount + 1);
        single = groupCount == ports.length;
        all = CandidateSet.firstOf(groupCount);
        candidatePorts = single && groupCount > 0 && groupCount <= Long.SIZE
                ? new CandidatePorts(ports, dividerOfMany, formulaOffset, interchangeable)
                : null;
        allGroups = groupCount == 0 ? null : candidatePorts == null ? pattern(all) : candidatePorts.all();
    }

    IntKey key() {
        return key;
    }

    /** All groups there are. */
    CandidateSet all() {
        return all;
    }

    /** The ports of all groups, one after the other; null unless the layout is small and single. */
    @Nullable
    CandidatePorts candidatePorts() {
        return candidatePorts;
    }

    int groupCount() {
        return base.length - 1;
    }

    /**
     * The pattern of all groups; the same one for all switches with this layout, so that rows of a whole fabric share it.
     * Null if it does not repeat soon enough.
     */
    @Nullable
    PortPattern allGroups() {
        return allGroups;
    }

    /**
     * The pattern of some groups.
     *
     * @param candidates at least one
     * @return null if it does not repeat soon enough: then each run is to be {@link #writtenOut}
     */
    @Nullable
    PortPattern pattern(CandidateSet candidates) {
        if (single) {
            int count = candidates.size();
            byte[] chosen = candidates.choose(ports);
            return count == 1 ? PortPattern.constant(chosen[0] & 0xff) : repeating(chosen, dividerOfMany);
        }
        int[] groups = candidates.toArray();
        long count = groups.length * rounds(groups);
        if (count == 1) {
            return PortPattern.constant(ports[base[groups[0]]] & 0xff);
        }
        return count > PORTS_MAX ? null : repeating(choices(groups, 0, (int) count), dividerFor(groups));
    }

    private int dividerFor(int[] groups) {
        return groups.length > 1 ? dividerOfMany : divider;
    }

    private PortPattern repeating(byte[] chosen, int every) {
        return interchangeable
                ? PortPattern.ofCandidates(every, formulaOffset, chosen)
                : new PortPattern(every, formulaOffset, chosen);
    }

    private long rounds(int[] groups) {
        long rounds = 1;
        for (int group : groups) {
            int size = base[group + 1] - base[group];
            rounds = size == 1 ? rounds : leastCommonMultiple(rounds, size);
            if (rounds > PORTS_MAX) {
                break;
            }
        }
        return rounds;
    }

    private static long leastCommonMultiple(long a, long b) {
        long x = a;
        long y = b;
        while (y != 0) {
            long rest = x % y;
            x = y;
            y = rest;
        }
        return a / x * b;
    }

    /** The ports of successive choices {@code q}: group q mod #C, and of it port ⌊q / #C⌋ mod #g. */
    private byte[] choices(int[] groups, int firstChoice, int count) {
        byte[] chosen = new byte[count];
        int i = firstChoice % groups.length;
        int round = firstChoice / groups.length;
        for (int choice = 0; choice < count; choice++) {
            int group = groups[i];
            int size = base[group + 1] - base[group];
            chosen[choice] = ports[base[group] + (size == 1 ? 0 : round % size)];
            if (++i == groups.length) {
                i = 0;
                round++;
            }
        }
        return chosen;
    }

    /** Ports for the columns {@code from .. to − 1} only, all of which have these candidates. */
    PortPattern writtenOut(CandidateSet candidates, int from, int to) {
        int[] groups = candidates.toArray();
        int every = dividerFor(groups);
        int firstChoice = (from + formulaOffset) / every;
        byte[] chosen = choices(groups, firstChoice, (to - 1 + formulaOffset) / every - firstChoice + 1);
        byte[] entries = new byte[to - from];
        for (int column = from; column < to; column++) {
            entries[column - from] = chosen[(column + formulaOffset) / every - firstChoice];
        }
        return PortPattern.literal(entries, 0, entries.length, from);
    }
}
