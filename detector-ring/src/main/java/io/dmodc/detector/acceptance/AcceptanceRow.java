package io.dmodc.detector.acceptance;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One line of the acceptance table; a row may have several.
 *
 * @param row     A1 to A14
 * @param claim   what is asked for, and where it was tried
 * @param figure  what came out; the reason, if it was not run
 * @param bound   what it is held against
 * @param verdict what follows
 */
public record AcceptanceRow(String row, String claim, String figure, String bound, Verdict verdict) {
    /** What follows from figure and bound. */
    public enum Verdict {
        PASS,
        FAIL,
        NOT_RUN;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }

        static Optional<Verdict> parse(String text) {
            for (Verdict verdict : values()) {
                if (verdict.toString().equals(text)) {
                    return Optional.of(verdict);
                }
            }
            return Optional.empty();
        }
    }

    private static final Pattern FIELD = Pattern.compile("\"(\\w+)\"\\s*:\\s*\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern ESCAPE = Pattern.compile("\\\\(u[0-9a-fA-F]{4}|.)");

    static AcceptanceRow judged(String row, String claim, String figure, String bound, boolean holds) {
        return new AcceptanceRow(row, claim, figure, bound, holds ? Verdict.PASS : Verdict.FAIL);
    }

    static AcceptanceRow notRun(String row, String claim, String reason) {
        return new AcceptanceRow(row, claim, reason, "", Verdict.NOT_RUN);
    }

    /** The line as a JSON object of five strings. */
    public String toJson() {
        return "{\"row\":" + quoted(row) + ",\"claim\":" + quoted(claim) + ",\"figure\":" + quoted(figure)
                + ",\"bound\":" + quoted(bound) + ",\"verdict\":" + quoted(verdict.toString()) + "}";
    }

    /** Reads a line that another program printed in the form of {@link #toJson}; empty if it is anything else. */
    public static Optional<AcceptanceRow> parse(String line) {
        String text = line.strip();
        if (!text.startsWith("{") || !text.endsWith("}")) {
            return Optional.empty();
        }
        Map<String, String> fields = new HashMap<>();
        Matcher field = FIELD.matcher(text);
        while (field.find()) {
            fields.put(field.group(1), plain(field.group(2)));
        }
        String row = fields.get("row");
        if (row == null) {
            return Optional.empty();
        }
        return Verdict.parse(fields.getOrDefault("verdict", ""))
                .map(verdict -> new AcceptanceRow(
                        row,
                        fields.getOrDefault("claim", ""),
                        fields.getOrDefault("figure", ""),
                        fields.getOrDefault("bound", ""),
                        verdict));
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ') {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }

    private static String plain(String quoted) {
        return ESCAPE.matcher(quoted).replaceAll(escape -> Matcher.quoteReplacement(character(escape.group(1))));
    }

    private static String character(String escape) {
        return switch (escape.charAt(0)) {
            case 'u' ->
                escape.length() == 5 ? Character.toString((char) Integer.parseInt(escape.substring(1), 16)) : "u";
            case 'n' -> "\n";
            case 't' -> "\t";
            case 'r' -> "\r";
            case 'b' -> "\b";
            case 'f' -> "\f";
            default -> escape;
        };
    }
}
