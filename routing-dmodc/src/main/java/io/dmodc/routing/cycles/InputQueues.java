package io.dmodc.routing.cycles;

/**
 * The buffers of all inputs: a ring for each virtual channel of each place, one long a packet, all in one array.
 *
 * <p>Numbered by {@link QueueIndex}; {@code 8 · buffers + 4} bytes a queue. Where a ring begins and how much is in it is
 * one int, since a cache line is waited for each time a queue is looked at.
 */
final class InputQueues {
    /** Of a ring's int, how many bits say how much is in it; {@link SimulationSettings} allows no more. */
    private static final int SIZE_BITS = 11;

    private static final int SIZE_MASK = (1 << SIZE_BITS) - 1;

    final int buffers;
    private final long[] slots;
    /** First slot and how many are taken. */
    private final int[] ring;

    InputQueues(int queues, int buffers) {
        this.buffers = buffers;
        slots = new long[Math.multiplyExact(queues, buffers)];
        ring = new int[queues];
    }

    int size(int queue) {
        return ring[queue] & SIZE_MASK;
    }

    long head(int queue) {
        return slots[queue * buffers + (ring[queue] >>> SIZE_BITS)];
    }

    /** The caller had a credit for it: there is room. Returns how many there are now. */
    int push(int queue, long packet) {
        int now = ring[queue]++;
        int slot = (now >>> SIZE_BITS) + (now & SIZE_MASK);
        slots[queue * buffers + (slot < buffers ? slot : slot - buffers)] = packet;
        return (now & SIZE_MASK) + 1;
    }

    long pop(int queue) {
        int now = ring[queue];
        int first = now >>> SIZE_BITS;
        ring[queue] = (first + 1 == buffers ? 0 : first + 1) << SIZE_BITS | ((now & SIZE_MASK) - 1);
        return slots[queue * buffers + first];
    }

    int count() {
        return ring.length;
    }
}
