package io.dmodc.southbound;

import java.nio.charset.StandardCharsets;

/** Bounds of texts that are for people only. */
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

    static int utf8Length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
