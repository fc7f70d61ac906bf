package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which events or alarms are wanted. The manager narrows what it has; what it sends as it happens is narrowed here, alike. */
final class EventFilter {
    @Option(names = "--severity", paramLabel = "info|warning|alarm", description = "only this or worse")
    private @Nullable Severity severity;

    @Option(names = "--kind", paramLabel = "KIND", description = "only this kind, as link-down or host-down")
    private @Nullable String kind;

    @Option(
            names = "--name",
            paramLabel = "TEXT",
            description = "only those of a switch with it in its name; * for any letters")
    private @Nullable String name;

    @Option(
            names = "--since",
            paramLabel = "WHEN",
            converter = PastMoment.Converter.class,
            description = "only since: 2026-01-31T02:40:00Z, 02:40 (UTC) or 30min (ago)")
    private @Nullable Instant since;

    ApiQuery narrowed(ApiQuery query) {
        return query.with("severity", severity)
                .with("kind", kind == null ? null : kind.toLowerCase(Locale.ROOT))
                .with("name", name)
                .with("since", since);
    }

    /** True if a moment was given to start from: then all events from there on are meant. */
    boolean starts() {
        return since != null;
    }

    boolean wants(JsonNode event) {
        return !event.has("number")
                || (isBad(event)
                        && (kind == null
                                || kind.equalsIgnoreCase(event.at("/kind").asText()))
                        && (name == null || matches(name, event.at("/name").asText())));
    }

    private boolean isBad(JsonNode event) {
        String text = event.at("/severity").asText();
        for (Severity each : Severity.values()) {
            if (each.toString().equals(text)) {
                return severity == null || each.compareTo(severity) >= 0;
            }
        }
        return true;
    }

    /** Somewhere in the name, in any case; {@code *} stands for any letters. */
    static boolean matches(String filter, String name) {
        StringBuilder pattern = new StringBuilder();
        for (String part : filter.split("\\*", -1)) {
            pattern.append(pattern.isEmpty() ? "" : ".*").append(Pattern.quote(part));
        }
        return Pattern.compile(pattern.toString(), Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE)
                .matcher(name)
                .find();
    }
}
