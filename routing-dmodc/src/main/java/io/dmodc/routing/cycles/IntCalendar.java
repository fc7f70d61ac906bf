package io.dmodc.routing.cycles;

/** Numbers that are due some cycles from now: a ring of lists, each of a bounded length. */
final class IntCalendar {
    private final int[][] due;
    private final int[] count;
    private final int mask;

    /** @param delayMax most cycles ahead; a power of two less one */
    IntCalendar(int delayMax, int perCycleMax) {
        mask = delayMax;
        due = new int[delayMax + 1][perCycleMax];
        count = new int[delayMax + 1];
    }

    /** @param cycle after the present one, by at most the greatest delay */
    void add(int cycle, int number) {
        int slot = cycle & mask;
        due[slot][count[slot]++] = number;
    }

    int count(int cycle) {
        return count[cycle & mask];
    }

    int get(int cycle, int i) {
        return due[cycle & mask][i];
    }

    void clear(int cycle) {
        count[cycle & mask] = 0;
    }
}
