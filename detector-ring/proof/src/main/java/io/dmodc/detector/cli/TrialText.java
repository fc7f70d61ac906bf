package io.dmodc.detector.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Fields of a trial's report as one line of JSON, or as a table for people. */
final class TrialText {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int NAME_WIDTH = 22;

    private TrialText() {}

    /** Strings, numbers, booleans and lists of strings, in their order. */
    static String json(Map<String, Object> fields) {
        Map<String, Object> shown = new LinkedHashMap<>(fields);
        shown.replaceAll((name, value) -> isWhole(value) ? Math.round((Double) value) : value);
        try {
            return JSON.writeValueAsString(shown);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a report as JSON: " + e.getMessage(), e);
        }
    }

    private static boolean isWhole(Object value) {
        return value instanceof Double number && number == Math.rint(number) && Math.abs(number) < 1e9;
    }

    private static String number(Object value) {
        return isWhole(value) ? Long.toString(Math.round((Double) value)) : value.toString();
    }

    /** One field a line; what failed comes last, one line each. */
    static String table(Map<String, Object> fields) {
        StringBuilder lines = new StringBuilder();
        fields.forEach((name, value) -> {
            if (value instanceof Collection<?> failures) {
                failures.forEach(
                        failure -> lines.append("failed: ").append(failure).append('\n'));
            } else {
                lines.append(String.format(Locale.ROOT, "%-" + NAME_WIDTH + "s%s%n", name, number(value)));
            }
        });
        return lines.toString();
    }
}
