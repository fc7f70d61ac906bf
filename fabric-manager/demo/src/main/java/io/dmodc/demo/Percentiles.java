package io.dmodc.demo;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Durations in order. */
final class Percentiles {
    private final long[] nanos;

    Percentiles(List<Long> nanos) {
        this.nanos = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
    }

    /** The smallest that at least this part of all does not exceed, by nearest rank; 0 without any. */
    long at(double part) {
        int rank = (int) Math.ceil(part * nanos.length);
        return nanos.length == 0 ? 0 : nanos[Math.max(0, rank - 1)];
    }

    long max() {
        return Arrays.stream(nanos).max().orElse(0);
    }

    String text() {
        return String.format(
                Locale.ROOT,
                "median %.1f ms, p99 %.1f ms, max %.1f ms of %d",
                at(0.5) / 1e6,
                at(0.99) / 1e6,
                max() / 1e6,
                nanos.length);
    }
}
