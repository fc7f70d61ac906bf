package io.dmodc.routing.dmodc;

import io.dmodc.routing.PortPattern;
import io.dmodc.topology.NeighbourReader;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The port groups among which a switch chooses, and the patterns its choices make (equations (3) and (4)).
 *
 * <p>Along a row the port changes every {@code divider} columns to the next candidate group, and with every round of all
 * candidate groups to the next port of each, so the pattern repeats after #C · lcm(#g) ports. Which patterns there are
 * depends only on the ports and the divider: switches wired alike share a layout. Immutable but for the memory of
 * patterns; safe to share between threads.
 */
final class PortLayout {
    /** Longer repetitions (many candidate groups of unlike sizes) are written out for the columns at hand instead. */
    private static final int PORTS_MAX = 4096;

    /** Bounds the memory of patterns. */
    private static final int PATTERNS_MAX = 1 << 16;

    private static final PortPattern[] CONSTANTS = new PortPattern[256];

    static {
        for (int port = 0; port < CONSTANTS.length; port++) {
            CONSTANTS[port] = PortPattern.constant(port);
        }
        CONSTANTS[255] = PortPattern.NO_ROUTE;
    }

    /** Parts of rows that have this layout. */
    int members;

    private final int id;
    private final IntKey key;
    private final int divider;
    private final int formulaOffset;

    /** Ports of group i are {@code ports[base[i] .. base[i + 1] − 1]}. */
    private final int[] base;

    private final byte[] ports;
    private final Map<CandidateSet, PortPattern> patterns = new ConcurrentHashMap<>();

    /** @param key divider, then the ports as {@link NeighbourReader#readPorts} gives them */
    PortLayout(int id, IntKey key, int formulaOffset) {
        this.id = id;
        this.key = key;
        this.formulaOffset = formulaOffset;
        divider = key.values[0];
        ports = new byte[key.count - 1];
        int[] starts = new int[key.count];
        int groupCount = 0;
        for (int i = 0; i < ports.length; i++) {
            ports[i] = (byte) key.values[1 + i];
            if ((key.values[1 + i] & NeighbourReader.SAME_GROUP) == 0) {
                starts[groupCount++] = i;
            }
        }
        starts[groupCount] = ports.length;
        base = Arrays.copyOf(starts, groupCount + 1);
    }

    /** A number that no other layout has. */
    int id() {
        return id;
    }

    IntKey key() {
        return key;
    }

    int groupCount() {
        return base.length - 1;
    }

    /** Ports for the columns {@code from .. to − 1}, all of which have these candidates. */
    PortPattern pattern(CandidateSet candidates, int from, int to) {
        int count = candidates.size();
        if (count == 0) {
            return PortPattern.NO_ROUTE;
        }
        int first = candidates.first();
        if (count == 1 && base[first + 1] == base[first] + 1) {
            return CONSTANTS[ports[base[first]] & 0xff];
        }
        PortPattern known = patterns.get(candidates);
        if (known != null) {
            return known;
        }
        int[] groups = candidates.toArray(count);
        long rounds = rounds(groups);
        if (count * rounds > PORTS_MAX) {
            return writtenOut(groups, from, to);
        }
        if (patterns.size() >= PATTERNS_MAX) {
            patterns.clear();
        }
        PortPattern made = new PortPattern(divider, formulaOffset, choices(groups, 0, (int) (count * rounds)));
        PortPattern earlier = patterns.putIfAbsent(candidates, made);
        return earlier == null ? made : earlier;
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

    private PortPattern writtenOut(int[] groups, int from, int to) {
        int firstChoice = (from + formulaOffset) / divider;
        byte[] chosen = choices(groups, firstChoice, (to - 1 + formulaOffset) / divider - firstChoice + 1);
        byte[] entries = new byte[to - from];
        for (int column = from; column < to; column++) {
            entries[column - from] = chosen[(column + formulaOffset) / divider - firstChoice];
        }
        return PortPattern.literal(entries, 0, entries.length, from);
    }
}
