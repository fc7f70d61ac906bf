package io.dmodc.settings;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 250us}, {@code 100ms}, {@code 1.5s}, {@code 5min}, {@code 2h}. */
public final class DurationText {
    static final String EXPECTED = "expected e.g. 100ms, 2s";

    private static final Pattern FORM = Pattern.compile("(\\d{1,18}(?:\\.\\d{1,9})?) ?(ns|us|ms|s|min|h|d)");
    private static final List<Unit> LARGEST_FIRST = List.of(
            new Unit("d", 86_400_000_000_000L),
            new Unit("h", 3_600_000_000_000L),
            new Unit("min", 60_000_000_000L),
            new Unit("s", 1_000_000_000L),
            new Unit("ms", 1_000_000L),
            new Unit("us", 1_000L),
            new Unit("ns", 1L));

    private record Unit(String name, long nanos) {}

    private DurationText() {}

    /**
     * Reads a duration; a plain {@code 0} needs no unit.
     *
     * @throws IllegalArgumentException when the text is not a duration or is longer than 292 years
     */
    public static Duration parse(String text) {
        if (text.equals("0")) {
            return Duration.ZERO;
        }
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a duration; " + EXPECTED);
        }
        BigDecimal nanos = new BigDecimal(form.group(1))
                .multiply(BigDecimal.valueOf(unit(form.group(2)).nanos()));
        try {
            return Duration.ofNanos(nanos.longValueExact());
        } catch (ArithmeticException tooLongOrTooFine) {
            throw new IllegalArgumentException("'" + text + "' is not a whole number of nanoseconds below 292 years");
        }
    }

    /** Writes a duration with the largest unit that leaves a whole number. */
    public static String print(Duration duration) {
        long nanos = duration.toNanos();
        if (nanos == 0) {
            return "0s";
        }
        Unit unit = first(candidate -> nanos % candidate.nanos() == 0);
        return nanos / unit.nanos() + unit.name();
    }

    private static Unit unit(String name) {
        return first(unit -> unit.name().equals(name));
    }

    private static Unit first(Predicate<Unit> wanted) {
        return LARGEST_FIRST.stream().filter(wanted).findFirst().orElseThrow();
    }
}
