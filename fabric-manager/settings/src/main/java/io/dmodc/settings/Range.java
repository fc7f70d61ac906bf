package io.dmodc.settings;

import java.time.Duration;

/** Range checks for the compact constructors of settings records; every message starts with the key, so that the reader can add the line. */
public final class Range {
    private Range() {}

    /**
     * Checks a number.
     *
     * @param key the component's key in the file
     * @throws IllegalArgumentException when {@code value} is outside {@code min..max}
     */
    public static void check(String key, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(key + ": " + value + " is outside " + min + ".." + max);
        }
    }

    /**
     * Checks a duration.
     *
     * @param key the component's key in the file
     * @throws IllegalArgumentException when {@code value} is outside {@code min..max}
     */
    public static void check(String key, Duration value, Duration min, Duration max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw new IllegalArgumentException(key + ": " + DurationText.print(value) + " is outside "
                    + DurationText.print(min) + ".." + DurationText.print(max));
        }
    }
}
