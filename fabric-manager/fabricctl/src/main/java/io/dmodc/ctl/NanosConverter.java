package io.dmodc.ctl;

import io.dmodc.settings.DurationText;
import java.time.Duration;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Durations on the command line, written as in the configuration ({@code 100ms}, {@code 1.5s}), in nanoseconds. */
final class NanosConverter implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
        try {
            return DurationText.parse(text).toNanos();
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(String.valueOf(e.getMessage()));
        }
    }

    /** The other way round, with the largest unit that leaves a whole number. */
    static String print(long nanos) {
        return DurationText.print(Duration.ofNanos(nanos));
    }

    /** For people: three digits and a unit. */
    static String brief(long nanos) {
        if (nanos < 1e6) {
            return String.format(Locale.ROOT, "%.3g us", nanos / 1e3);
        }
        if (nanos < 1e9) {
            return String.format(Locale.ROOT, "%.3g ms", nanos / 1e6);
        }
        return nanos < 1e11
                ? String.format(Locale.ROOT, "%.3g s", nanos / 1e9)
                : String.format(Locale.ROOT, "%,.0f s", nanos / 1e9);
    }
}
