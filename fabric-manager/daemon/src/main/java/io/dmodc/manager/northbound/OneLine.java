package io.dmodc.manager.northbound;

/** What people say of themselves and of their reasons, as it is kept and told: one printable line. */
final class OneLine {
    private static final int BY_MAX = 64;
    private static final int WHY_MAX = 200;

    private OneLine() {}

    /** @throws RequestRefused when it is none, or too long */
    static String by(String text) {
        return line("by", text, BY_MAX, 1);
    }

    /** A reason, which may be empty. */
    static String why(String text) {
        return line("why", text, WHY_MAX, 0);
    }

    /** A reason that must be there. */
    static String needed(String text) {
        return line("why", text, WHY_MAX, 1);
    }

    private static String line(String field, String text, int max, int min) {
        String bare = text.strip();
        if (bare.length() < min || bare.length() > max || bare.matches("(?s).*[\\p{C}\\p{Zl}\\p{Zp}].*")) {
            throw RequestRefused.badRequest(
                    field + ": expected one line of " + min + ".." + max + " printable characters");
        }
        return bare;
    }
}
