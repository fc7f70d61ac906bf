package io.dmodc.routing.minhop;

import io.dmodc.routing.Parallel;
import io.dmodc.topology.FabricView;
import java.util.BitSet;

/**
 * Min-hop tables: per target switch and switch the hops between them, and the ports that begin a path of so many.
 *
 * <p>The nodes of a switch share its table, so rows are switches, not addresses (memo, section 4 d). A port is one bit
 * (memo, section 5): {@code words} longs a pair, bit {@code port − 1}; the next port of a set is one
 * {@code numberOfTrailingZeros} away. Memory: S·T·(1 + 8·words) bytes for T targets. Immutable.
 *
 * <p>Source: Zahavi and Kalka, OpenSM Unicast Routing Enhancements for Scalability, sections 4.2 and 5.
 */
public final class MinHopTables {
    /** No path, or not a target. Paths have at most 254 hops, as in OpenSM. */
    public static final int NO_PATH = 255;

    private final int words;

    /** By target; empty where the switch is none. */
    private final byte[][] hops;

    private final long[][] ports;

    private MinHopTables(int words, byte[][] hops, long[][] ports) {
        this.words = words;
        this.hops = hops;
        this.ports = ports;
    }

    /**
     * Searches from every target.
     *
     * @param parallel each target is a piece of work; the result does not depend on it
     */
    public static MinHopTables search(FabricView view, TargetChoice targets, HopSearch search, Parallel parallel) {
        PortMasks masks = new PortMasks(view);
        MinHopTables tables = empty(view, targets.of(view), masks.words());
        parallel.forEach(view.switchCount(), target -> {
            if (tables.hasTarget(target)) {
                search.search(target, tables.hops[target], masks, tables.ports[target]);
            }
        });
        return tables;
    }

    private static MinHopTables empty(FabricView view, BitSet targets, int words) {
        int count = view.switchCount();
        byte[][] hops = new byte[count][];
        long[][] ports = new long[count][];
        for (int t = 0; t < count; t++) {
            hops[t] = new byte[targets.get(t) ? count : 0];
            ports[t] = new long[targets.get(t) ? count * words : 0];
        }
        return new MinHopTables(words, hops, ports);
    }

    /** Says what is known of one pair: for tables that were kept. */
    public interface Source {
        /** Hops from {@code s} to {@code target}, or {@link #NO_PATH}. */
        int hops(int s, int target);

        /** True if a path of so many hops begins with the port. */
        boolean begins(int s, int target, int port);
    }

    /**
     * Tables between all live switches of a view with what a source says, for the ports that are linked in the view.
     */
    public static MinHopTables of(FabricView view, Source source) {
        PortMasks masks = new PortMasks(view);
        MinHopTables tables = empty(view, TargetChoice.ALL.of(view), masks.words());
        for (int target = 0; target < view.switchCount(); target++) {
            for (int s = 0; s < tables.hops[target].length; s++) {
                tables.hops[target][s] = (byte) source.hops(s, target);
                for (int port = 1; port <= view.portCount(s); port++) {
                    if (view.peerSwitch(s, port) >= 0 && source.begins(s, target, port)) {
                        int bit = port - 1;
                        tables.ports[target][s * masks.words() + (bit >> 6)] |= 1L << bit;
                    }
                }
            }
        }
        return tables;
    }

    /** True if paths to this switch were searched. */
    public boolean hasTarget(int target) {
        return hops[target].length > 0;
    }

    /** True if there is a path from switch {@code s} to target {@code target}. */
    public boolean joins(int s, int target) {
        return hops(s, target) != NO_PATH;
    }

    /** Hops from switch to switch, 0 for itself, or {@link #NO_PATH}. */
    public int hops(int s, int target) {
        return hasTarget(target) ? hops[target][s] & 0xff : NO_PATH;
    }

    /** True if a path of fewest hops begins with this port. */
    public boolean begins(int s, int target, int port) {
        return nextPort(s, target, port - 1) == port;
    }

    /** The lowest port above {@code after} that begins a path of fewest hops, or 0. */
    public int nextPort(int s, int target, int after) {
        if (hasTarget(target)) {
            long[] set = ports[target];
            for (int word = after >> 6; word < words; word++) {
                long left = set[s * words + word] & (word == after >> 6 ? -1L << after : -1L);
                if (left != 0) {
                    return (word << 6) + Long.numberOfTrailingZeros(left) + 1;
                }
            }
        }
        return 0;
    }

    /**
     * Writes the ports of {@link #nextPort} in ascending order.
     *
     * @param into at least as long as the switch has ports
     * @return how many
     */
    public int ports(int s, int target, int[] into) {
        int count = 0;
        for (int word = 0; word < words; word++) {
            long left = hasTarget(target) ? ports[target][s * words + word] : 0;
            for (; left != 0; left &= left - 1) {
                into[count++] = (word << 6) + Long.numberOfTrailingZeros(left) + 1;
            }
        }
        return count;
    }
}
