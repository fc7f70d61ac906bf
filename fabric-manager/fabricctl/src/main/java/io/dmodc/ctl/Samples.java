package io.dmodc.ctl;

import java.util.Arrays;

/**
 * Measured times, in milliseconds.
 *
 * <p>Quantiles are nearest ranks: the least sample that is not exceeded by that share of all. So each is a time that was
 * measured, and the 99th percentile of fewer than 100 samples is the longest. Not thread-safe.
 */
final class Samples {
    private double[] millis = new double[64];
    private int count;

    /** Takes the time since {@code startNanos} in, and returns now. */
    long add(long startNanos) {
        long now = System.nanoTime();
        addMillis((now - startNanos) / 1e6);
        return now;
    }

    void addMillis(double value) {
        if (count == millis.length) {
            millis = Arrays.copyOf(millis, 2 * count);
        }
        millis[count++] = value;
    }

    void clear() {
        count = 0;
    }

    /** The one added last; there must be one. */
    double last() {
        return millis[count - 1];
    }

    double median() {
        return percentile(50);
    }

    double p99() {
        return percentile(99);
    }

    /** To the nanosecond; 0 without samples. */
    private double percentile(int percent) {
        if (count == 0) {
            return 0;
        }
        double[] sorted = Arrays.copyOf(millis, count);
        Arrays.sort(sorted);
        long rank = ((long) percent * count + 99) / 100;
        return Math.round(sorted[(int) rank - 1] * 1e6) / 1e6;
    }
}
