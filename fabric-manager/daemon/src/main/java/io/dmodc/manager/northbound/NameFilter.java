package io.dmodc.manager.northbound;

import java.util.List;
import java.util.Locale;

/**
 * Finds names that contain a text, upper and lower case alike; {@code *} in it stands for any letters.
 *
 * <p>O(name · text) without ever going back, whatever the text: a filter from outside cannot cost more.
 */
final class NameFilter {
    /** Every name passes. */
    static final NameFilter ALL = new NameFilter("");

    private final List<String> parts;

    NameFilter(String text) {
        parts = List.of(text.toLowerCase(Locale.ROOT).split("\\*"));
    }

    boolean passes(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        int at = 0;
        for (String part : parts) {
            int found = lower.indexOf(part, at);
            if (found < 0) {
                return false;
            }
            at = found + part.length();
        }
        return true;
    }
}
