package io.dmodc.southbound;

import io.dmodc.settings.PrintableText;
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

    /** As {@link PrintableText#of}. */
    public static String printable(String text) {
        return PrintableText.of(text);
    }

    /** What a peer said for people, as it may be shown: cut and printable. */
    public static String shown(String text) {
        return printable(cut(text));
    }

    static int utf8Length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
