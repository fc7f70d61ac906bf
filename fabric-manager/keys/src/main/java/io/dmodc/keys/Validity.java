package io.dmodc.keys;

import java.time.Duration;
import picocli.CommandLine.Option;

/** How long certificates are valid. */
final class Validity {
    private static final int DAYS_MAX = 3650;

    @Option(
            names = "--days",
            paramLabel = "N",
            description = "How long the certificates are valid, 1 to " + DAYS_MAX
                    + " days, and never longer than the authority (default: ${DEFAULT-VALUE}).")
    private int days = 730;

    Duration duration() {
        if (days < 1 || days > DAYS_MAX) {
            throw new IllegalArgumentException("--days " + days + ": expected 1.." + DAYS_MAX);
        }
        return Duration.ofDays(days);
    }
}
