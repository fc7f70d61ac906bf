package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;

/** Durations and counts as people read them. */
final class Times {
    private Times() {}

    /** A field of whole microseconds; a dash where it is not there. */
    static String micros(JsonNode field) {
        if (field.isMissingNode()) {
            return "–";
        }
        long micros = field.asLong();
        if (micros < 100) {
            return micros == 0 ? "0 ms" : "<0.1 ms";
        }
        if (micros < 1_000_000) {
            return String.format(Locale.ROOT, "%.1f ms", micros / 1e3);
        }
        return micros < 60_000_000 ? String.format(Locale.ROOT, "%.1f s", micros / 1e6) : uptime(micros / 1e6);
    }

    /** An instant of the manager's without its fraction; other text as it is. */
    static String second(String instant) {
        return instant.replaceFirst("\\.\\d+Z$", "Z");
    }

    /** Seconds as days, hours, minutes, seconds: the two largest that are not zero. */
    static String uptime(double seconds) {
        long whole = (long) seconds;
        if (whole >= 86_400) {
            return whole / 86_400 + " d " + whole % 86_400 / 3_600 + " h";
        }
        if (whole >= 3_600) {
            return whole / 3_600 + " h " + whole % 3_600 / 60 + " min";
        }
        return whole >= 60 ? whole / 60 + " min " + whole % 60 + " s" : whole + " s";
    }
}
