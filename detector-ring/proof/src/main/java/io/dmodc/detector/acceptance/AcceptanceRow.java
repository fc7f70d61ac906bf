package io.dmodc.detector.acceptance;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One line of the acceptance table; a row may have several.
 *
 * @param row     A1 to A15
 * @param claim   what is asked for, and where it was tried
 * @param figure  what came out; the reason, if it was not run
 * @param bound   what it is held against
 * @param verdict what follows
 */
public record AcceptanceRow(String row, String claim, String figure, String bound, Verdict verdict) {
    /** What follows from figure and bound. */
    public enum Verdict {
        @JsonProperty("pass")
        PASS,
        @JsonProperty("fail")
        FAIL,
        @JsonProperty("not run")
        NOT_RUN;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /** A row as another program may print it. */
    private record Printed(
            @Nullable String row,
            @Nullable String claim,
            @Nullable String figure,
            @Nullable String bound,
            @Nullable Verdict verdict) {}

    private static final ObjectMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    /** A line whose figure is inside its bound or not. */
    public static AcceptanceRow judged(String row, String claim, String figure, String bound, boolean holds) {
        return new AcceptanceRow(row, claim, figure, bound, holds ? Verdict.PASS : Verdict.FAIL);
    }

    /** A line that could not be measured here. */
    public static AcceptanceRow notRun(String row, String claim, String reason) {
        return new AcceptanceRow(row, claim, reason, "", Verdict.NOT_RUN);
    }

    /** The line as a JSON object of five strings. */
    public String toJson() {
        try {
            return JSON.writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("five strings as JSON: " + e.getMessage(), e);
        }
    }

    /** Reads a line that another program printed in the form of {@link #toJson}; empty if it is anything else. */
    public static Optional<AcceptanceRow> parse(String line) {
        try {
            Printed printed = line.isBlank() ? null : JSON.readValue(line, Printed.class);
            if (printed == null || printed.row == null || printed.verdict == null) {
                return Optional.empty();
            }
            return Optional.of(new AcceptanceRow(
                    printed.row,
                    Objects.requireNonNullElse(printed.claim, ""),
                    Objects.requireNonNullElse(printed.figure, ""),
                    Objects.requireNonNullElse(printed.bound, ""),
                    printed.verdict));
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }
}
