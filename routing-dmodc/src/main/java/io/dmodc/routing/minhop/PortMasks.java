package io.dmodc.routing.minhop;

import io.dmodc.topology.FabricView;

/** The ports of each port group as bits, so that a group joins a port set with one OR a word. Immutable. */
public final class PortMasks {
    private final int words;
    private final long[] masks;

    PortMasks(FabricView view) {
        int switches = view.switchCount();
        int ports = 1;
        for (int s = 0; s < switches; s++) {
            ports = Math.max(ports, view.portCount(s));
        }
        words = (ports + 63) >> 6;
        masks = new long[view.groupLimit() * words];
        for (int s = 0; s < switches; s++) {
            for (int g = view.groupStart(s); g < view.groupEnd(s); g++) {
                for (int i = 0; i < view.groupSize(g); i++) {
                    int bit = view.groupPort(g, i) - 1;
                    masks[g * words + (bit >> 6)] |= 1L << bit;
                }
            }
        }
    }

    /** Longs a port set takes. */
    int words() {
        return words;
    }

    /** Adds all ports of group {@code g} to the set of switch {@code s}; {@code sets} has all switches' one by one. */
    public void add(int g, int s, long[] sets) {
        for (int word = 0; word < words; word++) {
            sets[s * words + word] |= masks[g * words + word];
        }
    }
}
