package io.dmodc.topology;

import java.util.random.RandomGenerator;
import java.util.stream.LongStream;

/** GUIDs of generated fabrics, of whatever shape: locally administered, switches and hosts apart. Stateless. */
public final class GeneratedGuids {
    private static final long SWITCH_BASE = 0x02f0_0000_0000_0000L;
    private static final long HOST_BASE = 0x02c0_0000_0000_0000L;

    private GeneratedGuids() {}

    /** Those of so many switches, in their order. */
    public static long[] ascending(int switches) {
        return LongStream.range(0, switches).map(s -> SWITCH_BASE + s).toArray();
    }

    /** The same dealt out in random order: what a real fabric looks like. */
    public static long[] shuffled(int switches, RandomGenerator random) {
        long[] guid = ascending(switches);
        for (int i = guid.length - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            long swap = guid[i];
            guid[i] = guid[j];
            guid[j] = swap;
        }
        return guid;
    }

    /** The host of a node index, {@code node<index>}. */
    public static Host host(int node) {
        long guid = HOST_BASE + 2L * node;
        return new Host(guid + 1, guid, 1, "node" + node);
    }
}
