package io.dmodc.ctl;

import java.util.function.LongSupplier;

/**
 * How often something is measured: a number of times, but nothing more is begun once some time is over.
 *
 * @param count most times
 * @param nanos after so many nothing more is begun
 * @param clock nanoseconds from anywhen
 */
record Repetition(int count, long nanos, LongSupplier clock) {
    /** Once at least; returns how often. */
    int run(Runnable once) {
        long start = clock.getAsLong();
        int done = 0;
        do {
            once.run();
            done++;
        } while (done < count && clock.getAsLong() - start < nanos);
        return done;
    }
}
