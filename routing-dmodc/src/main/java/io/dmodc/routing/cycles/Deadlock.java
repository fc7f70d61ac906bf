package io.dmodc.routing.cycles;

import java.util.List;

/**
 * Packets that can never move again.
 *
 * @param cycle when it was found; it is older than that by less than the time between two searches
 * @param packets how many stand still for ever, those behind the ring included
 * @param ring ports of switches that wait for each other in a ring: where packets came in, each waiting for the next
 */
public record Deadlock(int cycle, long packets, List<Stuck> ring) {
    /** An input where a packet waits. */
    public record Stuck(int switchIndex, int port, int vc) {}

    public Deadlock {
        ring = List.copyOf(ring);
    }
}
