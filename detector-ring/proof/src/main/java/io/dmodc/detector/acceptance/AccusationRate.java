package io.dmodc.detector.acceptance;

import java.util.Locale;

/**
 * How often something happened that happens by chance, and between which bounds its true rate lies.
 *
 * <p>The bounds are exact for a Poisson count and two-sided: each is missed with a probability of 2.5 % at most (Garwood,
 * <i>Fiducial Limits for the Poisson Distribution</i>, Biometrika 28, 1936). No event in time T bounds the rate by 3.69 / T.
 * Events that come in groups, as those of members that share a process, spread wider than they say.
 *
 * @param events      how often it happened
 * @param memberHours how long it was watched, of all members together
 */
record AccusationRate(int events, double memberHours) {
    private static final double TAIL = 0.025;

    /** Halves the widest range below one part in 10^12. */
    private static final int HALVINGS = 60;

    AccusationRate {
        if (events < 0 || memberHours <= 0) {
            throw new IllegalArgumentException(
                    events + " events in " + memberHours + " h; expected none or more in more than 0 h");
        }
    }

    double perHour() {
        return events / memberHours;
    }

    double lowest() {
        return events == 0 ? 0 : mean(events - 1, 1 - TAIL) / memberHours;
    }

    double highest() {
        return mean(events, TAIL) / memberHours;
    }

    /** Returns the mean at which a Poisson count is {@code most} or less with this probability. */
    private static double mean(int most, double probability) {
        double low = 0;
        double high = most + 10 * Math.sqrt(most + 1.0) + 10;
        for (int i = 0; i < HALVINGS; i++) {
            double middle = (low + high) / 2;
            if (atMost(most, middle) > probability) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return (low + high) / 2;
    }

    /** The terms are multiplied as logarithms: e^-m alone is 0 for a mean beyond 745. */
    private static double atMost(int most, double mean) {
        double logMean = Math.log(mean);
        double logTerm = -mean;
        double sum = Math.exp(logTerm);
        for (int i = 1; i <= most; i++) {
            logTerm += logMean - Math.log(i);
            sum += Math.exp(logTerm);
        }
        return sum;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT, "%.1f per member-hour (95 %%, two-sided: %.2f to %.1f)", perHour(), lowest(), highest());
    }
}
