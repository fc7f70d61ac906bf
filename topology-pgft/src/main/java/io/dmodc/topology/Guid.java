package io.dmodc.topology;

/**
 * Reads, prints and orders 64-bit globally unique identifiers.
 *
 * <p>A GUID is a plain {@code long} everywhere, compared as unsigned: hot tables stay flat, and only this class knows
 * how one is written.
 */
public final class Guid {
    private Guid() {}

    /**
     * Parses {@code 0x} and up to sixteen hexadecimal digits; the {@code 0x} may be missing.
     *
     * @throws IllegalArgumentException naming the text when it is no GUID
     */
    public static long parse(String text) {
        String digits = text.startsWith("0x") || text.startsWith("0X") ? text.substring(2) : text;
        if (digits.isEmpty() || digits.length() > 16 || digits.charAt(0) == '+' || digits.charAt(0) == '-') {
            throw notGuid(text);
        }
        try {
            return Long.parseUnsignedLong(digits, 16);
        } catch (NumberFormatException e) {
            throw notGuid(text);
        }
    }

    /** Prints {@code 0x} and sixteen lower-case digits. */
    public static String format(long guid) {
        return "0x" + digits(guid);
    }

    /** Prints sixteen lower-case digits, as {@code ibnetdiscover} does inside its node names. */
    public static String digits(long guid) {
        String hex = Long.toHexString(guid);
        return "0".repeat(16 - hex.length()) + hex;
    }

    private static IllegalArgumentException notGuid(String text) {
        return new IllegalArgumentException(
                "'" + text + "' is not a GUID; expected 0x and up to 16 hexadecimal digits");
    }
}
