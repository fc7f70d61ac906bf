package io.dmodc.topology.ibnet;

import io.dmodc.topology.Guid;

/**
 * Walks over one line from left to right; blanks before each piece do not matter. Whatever is not as expected is an
 * {@link IllegalArgumentException} that says what was.
 */
final class LineCursor {
    private final String text;
    private int at;

    LineCursor(String text) {
        this.text = text;
    }

    boolean sees(char wanted) {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return at < text.length() && text.charAt(at) == wanted;
    }

    /** The text between two marks. */
    String between(char open, char close, String what) {
        int closing = sees(open) ? text.indexOf(close, at + 1) : -1;
        if (closing < 0) {
            throw new IllegalArgumentException("expected " + open + what + close);
        }
        String inner = text.substring(at + 1, closing);
        at = closing + 1;
        return inner.strip();
    }

    int number(char open, char close, String what) {
        return number(between(open, close, what), what);
    }

    /** A number that ends at a blank. */
    int number(String what) {
        sees(' ');
        int start = at;
        while (at < text.length() && !Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return number(text.substring(start, at), what);
    }

    private static int number(String digits, String what) {
        if (digits.isEmpty() || digits.length() > 9 || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new IllegalArgumentException("expected a number as " + what + " instead of '" + digits + "'");
        }
        return Integer.parseInt(digits);
    }

    /** A node's name, {@code "S-guid"}, {@code "H-guid"} or {@code "R-guid"}. */
    NodeId nodeId() {
        String name = between('"', '"', "S-, H- or R- and a GUID");
        boolean known = name.length() > 2 && name.charAt(1) == '-' && "SHR".indexOf(name.charAt(0)) >= 0;
        if (!known) {
            throw new IllegalArgumentException("expected \"S-, H- or R- and a GUID\" instead of \"" + name + '"');
        }
        return new NodeId(name.charAt(0) == 'S', Guid.parse(name.substring(2)));
    }

    String rest() {
        return text.substring(at);
    }
}
