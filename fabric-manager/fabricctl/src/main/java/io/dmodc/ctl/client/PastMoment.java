package io.dmodc.ctl.client;

import io.dmodc.settings.DurationText;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A moment in the past as people write it: an ISO 8601 instant; {@code HH:MM}, the last time it was that, UTC; or how long
 * ago, {@code 30min}.
 */
final class PastMoment {
    private PastMoment() {}

    /** For options. */
    static final class Converter implements ITypeConverter<Instant> {
        @Override
        public Instant convert(String text) {
            try {
                return parse(text, Instant.now());
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        }
    }

    /** @throws IllegalArgumentException in one line, if it is none of these */
    static Instant parse(String text, Instant now) {
        try {
            if (text.matches("\\d\\d:\\d\\d(:\\d\\d)?")) {
                return lastTime(LocalTime.parse(text), now);
            }
            return text.contains("T") ? Instant.parse(text) : ago(text, now);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(expected(text), e);
        }
    }

    private static Instant lastTime(LocalTime time, Instant now) {
        Instant today = now.atOffset(ZoneOffset.UTC).toLocalDate().atTime(time).toInstant(ZoneOffset.UTC);
        return today.isAfter(now) ? today.minus(1, ChronoUnit.DAYS) : today;
    }

    private static Instant ago(String text, Instant now) {
        try {
            return now.minus(DurationText.parse(text)).truncatedTo(ChronoUnit.MILLIS);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(expected(text), e);
        }
    }

    private static String expected(String text) {
        return "'" + text + "' is no moment; expected as 2026-01-31T02:40:00Z, 02:40 (UTC) or 30min (ago)";
    }
}
