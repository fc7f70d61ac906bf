package io.dmodc.simulator;

import java.util.Arrays;

/** What will happen, ordered by time and then by who asked first: a binary heap on arrays that are used again. */
final class EventHeap {
    private long[] times = new long[1024];
    private long[] sequences = new long[1024];
    private Runnable[] tasks = new Runnable[1024];
    private int size;
    private long sequence;
    private long now;
    private long count;

    /** Virtual nanoseconds. */
    long now() {
        return now;
    }

    /** How many events have happened. */
    long count() {
        return count;
    }

    /** Lets something happen after this time, behind all that was asked for the same moment before. */
    void after(long nanos, Runnable task) {
        if (size == times.length) {
            times = Arrays.copyOf(times, 2 * size);
            sequences = Arrays.copyOf(sequences, 2 * size);
            tasks = Arrays.copyOf(tasks, 2 * size);
        }
        siftUp(size++, now + Math.max(0, nanos), ++sequence, task);
    }

    private void siftUp(int from, long time, long order, Runnable task) {
        int at = from;
        while (at > 0) {
            int parent = (at - 1) >>> 1;
            if (before(parent, time, order)) {
                break;
            }
            copy(parent, at);
            at = parent;
        }
        set(at, time, order, task);
    }

    private boolean before(int at, long time, long order) {
        return times[at] < time || (times[at] == time && sequences[at] < order);
    }

    private void copy(int from, int to) {
        set(to, times[from], sequences[from], tasks[from]);
    }

    private void set(int at, long time, long order, Runnable task) {
        times[at] = time;
        sequences[at] = order;
        tasks[at] = task;
    }

    /** Lets the next event happen if it is due by then; otherwise time goes on to then, and nothing is left to do. */
    boolean runNext(long until) {
        if (size == 0 || times[0] > until) {
            now = Math.max(now, until);
            return false;
        }
        now = times[0];
        count++;
        Runnable task = tasks[0];
        removeFirst();
        task.run();
        return true;
    }

    private void removeFirst() {
        size--;
        long time = times[size];
        long order = sequences[size];
        Runnable task = tasks[size];
        int at = 0;
        for (int child = 1; child < size; child = 2 * at + 1) {
            if (child + 1 < size && before(child + 1, times[child], sequences[child])) {
                child++;
            }
            if (!before(child, time, order)) {
                break;
            }
            copy(child, at);
            at = child;
        }
        set(at, time, order, task);
    }
}
