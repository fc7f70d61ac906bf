package io.dmodc.manager.config;

import io.dmodc.manager.core.FabricRules;
import io.dmodc.settings.DurationText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long a packet that was sent may stay in the fabric, as a setting: a duration, or {@code unknown}.
 *
 * @param most {@code null}: unknown
 */
public record DrainTime(@Nullable Duration most) {
    private static final String UNKNOWN_TEXT = "unknown";

    private static final Duration MOST = Duration.ofMinutes(1);

    public DrainTime {
        if (most != null && (most.isNegative() || most.compareTo(MOST) > 0)) {
            throw new IllegalArgumentException(DurationText.print(most) + " is neither " + UNKNOWN_TEXT + " nor in 0.."
                    + DurationText.print(MOST));
        }
    }

    /**
     * Reads the text form.
     *
     * @throws IllegalArgumentException when the text is neither
     */
    public static DrainTime parse(String text) {
        return new DrainTime(text.equals(UNKNOWN_TEXT) ? null : DurationText.parse(text));
    }

    /** True if a wait for it can end. */
    public boolean isKnown() {
        return most != null;
    }

    long nanos() {
        return most == null ? FabricRules.DRAIN_UNKNOWN : most.toNanos();
    }

    @Override
    public String toString() {
        return most == null ? UNKNOWN_TEXT : DurationText.print(most);
    }
}
