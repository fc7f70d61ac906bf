package io.dmodc.routing.cycles;

/**
 * The buffers of all inputs: a ring for each virtual channel of each place, one long a packet, all in one array.
 *
 * <p>Queue {@code place × vcs + vc}; {@code vcs × buffers × 8} bytes a place.
 */
final class InputQueues {
    final int buffers;
    private final long[] slots;
    private final int[] first;
    private final int[] size;

    InputQueues(int queues, int buffers) {
        this.buffers = buffers;
        slots = new long[Math.multiplyExact(queues, buffers)];
        first = new int[queues];
        size = new int[queues];
    }

    int size(int queue) {
        return size[queue];
    }

    long head(int queue) {
        return slots[queue * buffers + first[queue]];
    }

    /** The caller had a credit for it: there is room. */
    void push(int queue, long packet) {
        int slot = first[queue] + size[queue]++;
        slots[queue * buffers + (slot < buffers ? slot : slot - buffers)] = packet;
    }

    long pop(int queue) {
        long packet = head(queue);
        first[queue] = first[queue] + 1 == buffers ? 0 : first[queue] + 1;
        size[queue]--;
        return packet;
    }

    int count() {
        return size.length;
    }
}
