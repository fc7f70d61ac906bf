package io.dmodc.topology.ibnet;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The end of a line, after {@code #}: a description in quotes, which may itself hold quotes, with addresses on one or
 * both sides of it. All of it may be missing.
 *
 * @param name the description, empty where there is none
 * @param before address left of the description
 * @param after address right of it
 */
record LineComment(String name, Address before, Address after) {
    private static final Pattern LID = Pattern.compile("\\blid\\s+0*(\\d+)\\b");
    private static final Pattern LMC = Pattern.compile("\\blmc\\s+0*(\\d+)\\b");

    /**
     * An address as printed.
     *
     * @param lid 0 where there is none
     * @param lmc {@link #UNTOLD} where there is none
     */
    record Address(int lid, int lmc) {
        static final int UNTOLD = -1;
        static final Address NONE = new Address(LidMap.NONE, UNTOLD);
    }

    static LineComment parse(String text) {
        int open = text.indexOf('"');
        int close = text.lastIndexOf('"');
        if (close <= open) {
            return new LineComment("", address(text), Address.NONE);
        }
        return new LineComment(
                text.substring(open + 1, close), address(text.substring(0, open)), address(text.substring(close + 1)));
    }

    private static Address address(String text) {
        return new Address(number(LID, text, LidMap.NONE), number(LMC, text, Address.UNTOLD));
    }

    private static int number(Pattern pattern, String text, int absent) {
        Matcher number = pattern.matcher(text);
        if (!number.find()) {
            return absent;
        }
        return number.group(1).length() > 9 ? Integer.MAX_VALUE : Integer.parseInt(number.group(1));
    }
}
