package io.dmodc.detector.cli;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Fields of a trial's report as one line of JSON, or as a table for people. */
final class TrialText {
    private static final int NAME_WIDTH = 22;

    private TrialText() {}

    /** Strings, numbers, booleans and lists of strings. */
    static String json(Map<String, Object> fields) {
        return fields.entrySet().stream()
                .map(field -> quoted(field.getKey()) + ":" + value(field.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String value(Object value) {
        if (value instanceof Collection<?> list) {
            return list.stream().map(TrialText::value).collect(Collectors.joining(",", "[", "]"));
        }
        return value instanceof String text ? quoted(text) : number(value);
    }

    private static String number(Object value) {
        return value instanceof Double number && number == Math.rint(number) && Math.abs(number) < 1e9
                ? Long.toString(number.longValue())
                : value.toString();
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
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
