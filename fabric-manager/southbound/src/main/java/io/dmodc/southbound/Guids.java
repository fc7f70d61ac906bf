package io.dmodc.southbound;

/** How identities are written for people. */
public final class Guids {
    private Guids() {}

    /** Returns {@code 0x} and sixteen hex digits. */
    public static String text(long guid) {
        return String.format("0x%016x", guid);
    }
}
