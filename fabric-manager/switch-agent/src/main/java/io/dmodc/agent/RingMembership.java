package io.dmodc.agent;

import io.dmodc.detector.Membership;
import io.dmodc.detector.RingRules;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A membership as the detector takes it: decoded, in all ranges, immutable, shared by the agents of a process.
 *
 * @param slots who takes part, in ring order
 * @param addresses where each slot's detector receives, in slot order
 * @param rules how the ring runs
 */
public record RingMembership(Membership slots, List<InetSocketAddress> addresses, RingRules rules) {
    /** Copies the addresses, unless they are an immutable list already. */
    public RingMembership {
        addresses = List.copyOf(addresses);
    }

    /** True if both say the same, slot by slot. */
    boolean sameAs(RingMembership other) {
        return slots.epoch() == other.slots.epoch()
                && slots.cluster() == other.slots.cluster()
                && slots.slotCount() == other.slots.slotCount()
                && rules.equals(other.rules)
                && addresses.equals(other.addresses)
                && IntStream.range(0, slots.slotCount()).allMatch(slot -> sameSlot(other.slots, slot));
    }

    private boolean sameSlot(Membership other, int slot) {
        return slots.guid(slot) == other.guid(slot) && slots.incarnation(slot) == other.incarnation(slot);
    }
}
