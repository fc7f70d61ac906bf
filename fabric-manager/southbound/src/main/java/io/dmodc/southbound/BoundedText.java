package io.dmodc.southbound;

import java.nio.charset.StandardCharsets;

/** Bounds of texts that a peer chose and people read. */
public final class BoundedText {
    private BoundedText() {}

    /**
     * Cuts to {@link SouthboundProtocol#MAX_TEXT_BYTES}; a character of three bytes at most stands for one
     * {@code char}.
     */
    public static String cut(String text) {
        int safeChars = SouthboundProtocol.MAX_TEXT_BYTES / 3;
        return utf8Length(text) <= SouthboundProtocol.MAX_TEXT_BYTES ? text : text.substring(0, safeChars);
    }

    /**
     * A question mark for each character that has no picture: controls, ends of lines, marks that turn the direction of writing,
     * halves of pairs, what Unicode has not assigned. So no name begins a line of the log, and no longer text comes back.
     */
    public static String printable(String text) {
        if (text.codePoints().allMatch(BoundedText::isPrintable)) {
            return text;
        }
        StringBuilder printable = new StringBuilder(text.length());
        text.codePoints().map(each -> isPrintable(each) ? each : '?').forEach(printable::appendCodePoint);
        return printable.toString();
    }

    /** What a peer said for people, as it may be shown: cut and printable. */
    public static String shown(String text) {
        return printable(cut(text));
    }

    private static boolean isPrintable(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }

    static int utf8Length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
