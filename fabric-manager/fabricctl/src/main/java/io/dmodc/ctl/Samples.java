package io.dmodc.ctl;

import java.util.Arrays;

/** Measured times, in milliseconds. */
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

    int count() {
        return count;
    }

    double last() {
        return millis[count - 1];
    }

    double median() {
        return quantile(0.5);
    }

    double p99() {
        return quantile(0.99);
    }

    /** Rounded to microseconds; 0 without samples. */
    private double quantile(double share) {
        if (count == 0) {
            return 0;
        }
        double[] sorted = Arrays.copyOf(millis, count);
        Arrays.sort(sorted);
        int at = (int) Math.ceil(share * count) - 1;
        return Math.round(sorted[Math.max(at, 0)] * 1000) / 1000.0;
    }
}
